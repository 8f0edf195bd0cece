import { z } from 'zod';
import { jsonObjectSchema } from '../schemas/base/json.ts';
import type { AggregateRef, RowKey, Store } from '../topics/ports/store.ts';

export interface AggregateReading<Root> {
  /** The product's root document; null while the aggregate does not exist. */
  readonly root: Root | null;
  /** A row's document, or null when there is none. */
  row<Document>(kind: string, id: string, schema: z.ZodType<Document>): Document | null;
}

/**
 * Reads an aggregate's root document and some of its rows as of one moment. Whoever was answered by a command finds its
 * effect here.
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
  const state = snapshot.root === null ? null : storedRootSchema.parse(snapshot.root.document).state;
  return {
    root: state === null ? null : rootSchema.parse(state),
    row(kind, id, schema) {
      const found = snapshot.rows.find((row) => row.kind === kind && row.id === id);
      return found === undefined ? null : schema.parse(found.document);
    },
  };
}

/** The part of a stored root that is the product's; the rest is the runtime's. */
const storedRootSchema = z.object({ state: jsonObjectSchema.nullable() });
