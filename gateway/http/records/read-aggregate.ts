import type { z } from 'zod';
import { stateOf } from '../../../schemas/base/aggregate-root.ts';
import { freezeDeeply } from '../../../schemas/base/freeze.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import type { AggregateRef, RowKey, Store } from '../../../topics/ports/store.ts';
import { type Readings, type ReadRow, readable } from './readings.ts';

export interface AggregateReading<Root> {
  /** The product's root document; null while the aggregate does not exist. */
  readonly root: Root | null;
  /** A row's document, or null when there is none. */
  row<Document>(kind: string, id: string, schema: z.ZodType<Document>): Document | null;
  /** Rows of one kind in the order of their ids, without those that do not exist. */
  rows<Document>(
    kind: string,
    ids: readonly string[],
    schema: z.ZodType<Document>,
  ): Readings<ReadRow<Document>>;
}

/**
 * Reads an aggregate's root document and some of its rows as of one moment. A caller that has the answer to a command
 * finds its effect here. Documents are shared with other requests: they must not be changed.
 *
 * @throws {EngineUnavailableError} while the store is down.
 */
export async function readAggregate<Root>(
  store: Pick<Store, 'read'>,
  aggregate: AggregateRef,
  rootSchema: z.ZodType<Root>,
  rows: readonly RowKey[] = [],
): Promise<AggregateReading<Root>> {
  const snapshot = await store.read(aggregate, rows);
  const find = (kind: string, id: string) => snapshot.rows.find((row) => row.kind === kind && row.id === id);
  return {
    root: snapshot.root === null ? null : parsedOnce(snapshot.root.document, rootSchema, parseRoot),
    row(kind, id, schema) {
      const found = find(kind, id);
      return found === undefined ? null : parsedOnce(found.document, schema, parseRow);
    },
    rows(kind, ids, schema) {
      const found = ids.map((id) => find(kind, id)).filter((row) => row !== undefined);
      return readable(
        found,
        ({ id }) => id,
        ({ id, document }) => ({ id, document: parsedOnce(document, schema, parseRow) }),
      );
    },
  };
}

/**
 * The parsed form of documents, by the document. The embedded engine returns the same object until the row is written again, so
 * that a workspace is parsed once and not with every request; a document that is read again leaves nothing behind.
 */
const parsed = new WeakMap<JsonObject, { readonly schema: z.ZodType; readonly value: unknown }>();

function parsedOnce<Value, Result>(
  document: JsonObject,
  schema: z.ZodType<Value>,
  parse: (document: JsonObject, schema: z.ZodType<Value>) => Result,
): Result {
  const before = parsed.get(document);
  if (before?.schema === schema) return before.value as Result;
  const value = parse(document, schema);
  // Tests freeze the documents of the store: what is shared here must then not be changed either.
  if (Object.isFrozen(document)) freezeDeeply(value);
  parsed.set(document, { schema, value });
  return value;
}

function parseRoot<Root>(document: JsonObject, schema: z.ZodType<Root>): Root | null {
  const state = stateOf(document);
  return state === null ? null : readStored(schema, state);
}

function parseRow<Document>(document: JsonObject, schema: z.ZodType<Document>): Document {
  return readStored(schema, document);
}
