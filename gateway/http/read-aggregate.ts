import type { z } from 'zod';
import { stateOf } from '../../schemas/base/aggregate-root.ts';
import type { AggregateRef, RowKey, Store } from '../../topics/ports/store.ts';

export interface AggregateReading<Root> {
  /** The product's root document; null while the aggregate does not exist. */
  readonly root: Root | null;
  /** A row's document, or null when there is none. */
  row<Document>(kind: string, id: string, schema: z.ZodType<Document>): Document | null;
}

/**
 * Reads an aggregate's root document and some of its rows as of one moment. A caller that has the answer to a command
 * finds its effect here.
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
  const state = snapshot.root === null ? null : stateOf(snapshot.root.document);
  return {
    root: state === null ? null : rootSchema.parse(state),
    row(kind, id, schema) {
      const found = snapshot.rows.find((row) => row.kind === kind && row.id === id);
      return found === undefined ? null : schema.parse(found.document);
    },
  };
}
