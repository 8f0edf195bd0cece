import { outcomeRowId, RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { AggregateRef } from '../../../topics/ports/store.ts';
import type { GatewayServices } from '../../services.ts';

/** True if an aggregate remembers an outcome of this operation under the key of a client. */
export async function isRemembered(
  { store }: Pick<GatewayServices, 'store'>,
  aggregate: AggregateRef,
  operation: string,
  idempotencyKey: string,
): Promise<boolean> {
  const row = { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, idempotencyKey) };
  return (await store.read(aggregate, [row])).rows.length > 0;
}
