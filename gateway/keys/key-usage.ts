import { monthDocumentSchema, usageRootSchema, usedOf } from '../../schemas/usage/documents.ts';
import type { AggregateRef } from '../../topics/ports/store.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { readEach } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';

/** The aggregate that counts the calls of a key, or of an organization's live keys. */
export function usageAggregate(id: string): AggregateRef {
  return { table: 'usage', id };
}

/** When a key was last used, to the minute; null: not yet, as far as it has been published. */
export async function readLastUse(
  store: Pick<GatewayServices['store'], 'read'>,
  keyId: string,
): Promise<number | null> {
  const { root } = await readAggregate(store, usageAggregate(keyId), usageRootSchema);
  return root?.kind === 'key' ? root.lastUsedAt : null;
}

/** Calls of a key in a UTC month (`YYYY-MM`) that reached a counter, as far as they have been published. */
export async function readMonthUse(
  store: Pick<GatewayServices['store'], 'read'>,
  keyId: string,
  month: string,
): Promise<number> {
  const { row } = await readAggregate(store, usageAggregate(keyId), usageRootSchema, [
    { kind: 'month', id: month },
  ]);
  const document = row('month', month, monthDocumentSchema);
  return document === null ? 0 : usedOf(document);
}

/** Like {@link readLastUse}, for the answer to a change that is done: null if the counts of the key cannot be read. */
export async function lastUseIfReadable(
  store: Pick<GatewayServices['store'], 'read'>,
  keyId: string,
): Promise<number | null> {
  const { found } = await readEach([keyId], String, (id) => readLastUse(store, id));
  return found[0] ?? null;
}
