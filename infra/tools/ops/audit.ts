import { z } from 'zod';
import { firstOrganizationId } from '../../../gateway/people/set-up-code.ts';
import {
  auditLogId,
  type EntryDocument,
  MACHINE_OPERATOR,
  type MACHINE_READS,
} from '../../../schemas/audit/documents.ts';
import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { idSchema, isId, REQUEST_ID_BYTES, requestIdFrom } from '../../../schemas/base/ids.ts';
import { PRODUCTS } from '../../../schemas/products.ts';
import type { TableName } from '../../../topics/catalogue.ts';
import type { AggregateRef } from '../../../topics/ports/store.ts';
import { entropy, type Machine, type Reader } from './engine.ts';
import { readable } from './rows.ts';

/**
 * Records in the audit logs that the operator reads private data of an aggregate, before it is shown: in those of the
 * organizations that the aggregate belongs to, and in that of the operators.
 */
export async function recordMachineRead(
  machine: Machine,
  action: (typeof MACHINE_READS)[number],
  aggregate: AggregateRef,
): Promise<void> {
  const owners = await ownersOf(machine.engine.store, aggregate);
  for (const organizationId of new Set([...owners, firstOrganizationId(machine.secrets)]))
    await recordIn(machine, organizationId, action, aggregate.id);
}

const PRODUCT_TABLES: ReadonlySet<TableName> = new Set(PRODUCTS.map(({ topic }) => topic));

const organizationId = idSchema('organization').optional().catch(undefined);

/** The places at which roots name the organizations that they belong to, also those that this release cannot read otherwise. */
const ownedRootSchema = z.object({
  organizationId,
  organizationIds: z.array(idSchema('organization')).catch([]),
  attachment: z.object({ organizationId }).optional().catch(undefined),
});

/** Returns the organizations that an aggregate belongs to. */
async function ownersOf(store: Reader['store'], { table, id }: AggregateRef): Promise<readonly string[]> {
  const [first = ''] = id.split('/');
  if (isOrganization(first)) return [first];
  const named = PRODUCT_TABLES.has(table) ? 'workspaces' : table;
  const { root } = await store.read({ table: named, id }, []);
  const state = readable(runtimeRootSchema, root?.document)?.state;
  const owned = readable(ownedRootSchema, state ?? {});
  const all = [owned?.organizationId, owned?.attachment?.organizationId, ...(owned?.organizationIds ?? [])];
  return all.filter((each) => each !== undefined);
}

function isOrganization(id: string): boolean {
  return idSchema('organization').safeParse(id).success;
}

async function recordIn(
  { submit }: Machine,
  organizationId: string,
  action: (typeof MACHINE_READS)[number],
  aggregate: string,
): Promise<void> {
  const at = Date.now();
  const requestId = requestIdFrom(entropy.bytes(REQUEST_ID_BYTES));
  const entry: EntryDocument = {
    at,
    actor: { kind: 'operator', id: MACHINE_OPERATOR },
    action,
    target: isId(aggregate) ? aggregate : null,
    requestId,
    detail: {},
  };
  await submit({
    topic: 'audit',
    key: auditLogId(organizationId, at),
    type: 'record',
    // The id of an entry consists of its time and a part of this key, which therefore has to be a digest.
    idempotencyKey: digestOf([action, requestId]),
    digestInput: entry,
    actor: { kind: 'system', id: 'gateway' },
    input: entry,
  });
}
