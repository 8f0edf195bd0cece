import { z } from 'zod';
import { readStored } from '../../../schemas/base/stored.ts';
import type { AggregateRef, Row, Store } from '../../../topics/ports/store.ts';

/** Rows that are read at once. */
const PAGE_ROWS = 500;

/** Returns the rows of one kind in the order of their ids, `max` at most. */
export async function listAll(
  store: Pick<Store, 'list'>,
  aggregate: AggregateRef,
  kind: string,
  max = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const limit = Math.min(PAGE_ROWS, max - rows.length);
    const last = rows.at(-1);
    const page =
      limit === 0
        ? []
        : await store.list(aggregate, kind, { limit, ...(last === undefined ? {} : { after: last.id }) });
    rows.push(...page);
    if (page.length < limit || limit === 0) return rows;
  }
}

/** Reads a stored document; null if this release cannot read it, which must not keep a verb from the documents beside it. */
export function readable<Value>(schema: z.ZodType<Value>, document: unknown): Value | null {
  try {
    return readStored(schema, document);
  } catch (error) {
    if (error instanceof z.ZodError) return null;
    throw error;
  }
}
