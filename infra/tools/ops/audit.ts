import { readAggregate } from '../../../gateway/http/records/read-aggregate.ts';
import { firstOrganizationId } from '../../../gateway/people/set-up-code.ts';
import {
  auditLogId,
  type EntryDocument,
  MACHINE_OPERATOR,
  type MACHINE_READS,
} from '../../../schemas/audit/documents.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { isId, REQUEST_ID_BYTES, requestIdFrom } from '../../../schemas/base/ids.ts';
import { workspaceRootSchema } from '../../../schemas/workspaces/documents.ts';
import { entropy, type Machine } from './engine.ts';

/**
 * Records in the audit log that the operator reads private data of an aggregate, before it is shown. The log is that of the
 * organization that the workspace belongs to, else that of the operators.
 */
export async function recordMachineRead(
  { engine, secrets, submit }: Machine,
  action: (typeof MACHINE_READS)[number],
  aggregate: string,
): Promise<void> {
  const workspace = await readAggregate(
    engine.store,
    { table: 'workspaces', id: aggregate },
    workspaceRootSchema,
  );
  const owner = workspace.root?.state === 'erased' ? null : workspace.root?.attachment?.organizationId;
  const organizationId = owner ?? firstOrganizationId(secrets);
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
