import { auditLogId, type EntryDocument } from '../../../schemas/audit/documents.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { isId } from '../../../schemas/base/ids.ts';
import type { PrincipalKind } from '../../principals.ts';
import type { Answer, Route, RouteContext } from '../routing/route.ts';

type ReadContext = Pick<
  RouteContext<PrincipalKind, unknown, unknown, unknown>,
  'requestId' | 'span' | 'principal' | 'params' | 'workspace' | 'services'
>;

/**
 * Records that a person reads private data, before the answer is sent. The entry holds the ids of the path and no data.
 *
 * @throws {ServiceError} `unavailable` if the service does not know that the entry is stored. Then no data is answered.
 */
export async function recordRead(
  { recordsRead, name }: Route,
  { requestId, span, principal, params, workspace, services }: ReadContext,
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
    // The id of an entry consists of its time and a part of this key, which therefore has to be a digest.
    idempotencyKey: digestOf([name, requestId]),
    digestInput: entry,
    requestId,
    span,
    // The entry names the reader. Its own recording is no action of that person.
    actor: { kind: 'system', id: 'gateway' },
    input: entry,
  });
}

function idsOf(params: unknown): Record<string, string> {
  const ids = Object.entries(params ?? {}).filter(([, value]) => typeof value === 'string' && isId(value));
  return Object.fromEntries(ids);
}
