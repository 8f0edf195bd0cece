import { auditLogId, type EntryDocument } from '../../schemas/audit/documents.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { isId } from '../../schemas/base/ids.ts';
import type { Answer, Route, RouteContext } from '../http/route.ts';
import type { PrincipalKind } from '../principals.ts';

type ReadContext = Pick<
  RouteContext<PrincipalKind, unknown, unknown, unknown>,
  'requestId' | 'principal' | 'params' | 'workspace' | 'services'
>;

/**
 * Records that a person reads private data, before the answer leaves. It holds the ids of the path, and nothing that is read.
 *
 * @throws {ServiceError} `unavailable` if the entry is not known to be stored: then nothing is answered.
 */
export async function recordRead(
  { recordsRead, name }: Route,
  { requestId, principal, params, workspace, services }: ReadContext,
  { attachment, readInstallationId }: Answer,
): Promise<void> {
  const { id, organizationId } = principal;
  if (recordsRead === undefined || id === null || organizationId === null) return;
  if (recordsRead.only === 'attachment' && attachment === undefined) return;
  const at = services.clock.now();
  const entry: EntryDocument = {
    at,
    actor: { kind: 'user', id },
    action: recordsRead.action,
    target: readInstallationId ?? workspace?.installationId ?? null,
    requestId,
    detail: idsOf(params),
  };
  await services.submit({
    topic: 'audit',
    key: auditLogId(organizationId, at),
    type: 'record',
    operation: 'record-read',
    // The id of an entry begins with its time and the key, which has to be a digest there.
    idempotencyKey: digestOf([name, requestId]),
    digestInput: entry,
    requestId,
    // The entry says who reads; writing it is no action of that person.
    actor: { kind: 'system', id: 'gateway' },
    input: entry,
  });
}

function idsOf(params: unknown): Record<string, string> {
  const ids = Object.entries(params ?? {}).filter(([, value]) => typeof value === 'string' && isId(value));
  return Object.fromEntries(ids);
}
