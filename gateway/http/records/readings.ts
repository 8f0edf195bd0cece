import { z } from 'zod';
import { readStored } from '../../../schemas/base/stored.ts';
import { type UnreadableEntry, unreadableEntry } from '../../../schemas/base/unreadable.ts';

/** An entry of a list that exists and cannot be read: a damaged one, or one of a newer release. */
export interface Unreadable {
  /** The id that the answer names. */
  readonly id: string;
  readonly cause: unknown;
}

/** The entries of a list that can be read, in their order, and the others. */
export interface Readings<Value> {
  readonly found: readonly Value[];
  readonly unreadable: readonly Unreadable[];
}

/** A row of one kind with its parsed document. */
export interface ReadRow<Document> {
  readonly id: string;
  readonly document: Document;
}

/** The member of an answer that names the entries which cannot be read; without any there is none. */
export function namedUnreadable(unreadable: readonly Unreadable[]): { unreadable?: UnreadableEntry[] } {
  return unreadable.length === 0 ? {} : { unreadable: unreadable.map(({ id }) => unreadableEntry(id)) };
}

/** Changes the entries that could be read. */
export function mapFound<Value, Result>(
  { found, unreadable }: Readings<Value>,
  change: (value: Value) => Result,
): Readings<Result> {
  return { found: found.map(change), unreadable };
}

/** Leaves entries out that could be read. */
export function keepFound<Value>(
  { found, unreadable }: Readings<Value>,
  isKept: (value: Value) => boolean,
): Readings<Value> {
  return { found: found.filter(isKept), unreadable };
}

/** Puts the entries of several lists into one. An entry that several lists cannot read is named once. */
export function joined<Value>(readings: readonly Readings<Value>[]): Readings<Value> {
  const unreadable = readings.flatMap((each) => each.unreadable);
  return {
    found: readings.flatMap(({ found }) => found),
    unreadable: [...new Map(unreadable.map((each) => [each.id, each])).values()],
  };
}

/** Parses rows of one kind. */
export function readRows<Document>(
  schema: z.ZodType<Document>,
  rows: readonly ReadRow<unknown>[],
): Readings<ReadRow<Document>> {
  return readable(
    rows,
    ({ id }) => id,
    ({ id, document }) => ({ id, document: readStored(schema, document) }),
  );
}

/** Reads each item. An item that cannot be read does not keep the others from being read. */
export function readable<Item, Value>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  read: (item: Item) => Value,
): Readings<Value> {
  const found: Value[] = [];
  const unreadable: Unreadable[] = [];
  for (const item of items) {
    try {
      found.push(read(item));
    } catch (cause) {
      unreadable.push({ id: idOf(item), cause: unreadableCause(cause) });
    }
  }
  return { found, unreadable };
}

/** Like {@link readable}, for reads that wait for a store. All of them run at the same time. */
export async function readEach<Item, Value>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  read: (item: Item) => Promise<Value>,
): Promise<Readings<Value>> {
  const settled = await Promise.allSettled(items.map(read));
  return readable(
    [...items.entries()],
    ([, item]) => idOf(item),
    ([index]) => {
      const result = settled[index] as PromiseSettledResult<Value>;
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    },
  );
}

/**
 * Returns the cause why a document cannot be read.
 *
 * @throws any other error, such as that of a store that is down
 */
export function unreadableCause(error: unknown): unknown {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return error;
  throw error;
}
