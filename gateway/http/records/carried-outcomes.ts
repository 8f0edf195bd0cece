// Reads: outcomes in the store.
import { type CarriedResult, carriedOutcomes } from '../../../schemas/base/carried.ts';
import {
  type Outcome,
  outcomeRowId,
  RUNTIME_KINDS,
  storedOutcomeSchema,
} from '../../../schemas/base/outcome.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import type { AggregateRef, Store } from '../../../topics/ports/store.ts';
import { outcomeUnknown } from './submit.ts';

/** The name of the outcome of a carried command in its aggregate. */
export interface CarriedKey {
  readonly operation: string;
  readonly key: string;
  readonly inputDigest: string;
}

/**
 * Returns the outcomes of the commands that one record carried, in their order. Reads those that are only stored under their
 * keys: a waiter without a reply gets the others from the ring (infra/docs/decisions/0026-replies-are-hints.md).
 *
 * @throws {ServiceError} `unavailable` if an outcome is not there any more
 */
export async function readCarriedOutcomes(
  store: Pick<Store, 'read'>,
  aggregate: AggregateRef,
  result: CarriedResult,
  keys: readonly CarriedKey[],
): Promise<readonly Outcome[]> {
  const outcomes = carriedOutcomes(result);
  const missing = keys.filter((_, index) => outcomes[index] === null);
  if (missing.length > 0) {
    const rows = missing.map((key) => ({ kind: RUNTIME_KINDS.outcome, id: rowIdOf(key) }));
    const snapshot = await store.read(aggregate, rows);
    const stored = new Map(
      snapshot.rows.map(({ id, document }) => [id, readStored(storedOutcomeSchema, document)]),
    );
    for (const [index, key] of keys.entries()) {
      const found = outcomes[index] === null ? stored.get(rowIdOf(key)) : undefined;
      if (found?.inputDigest === key.inputDigest) outcomes[index] = found.outcome;
    }
  }
  return keys.map((_, index) => {
    const outcome = outcomes[index];
    if (outcome == null) throw outcomeUnknown();
    return outcome;
  });
}

function rowIdOf({ operation, key }: CarriedKey): string {
  return outcomeRowId(operation, key);
}
