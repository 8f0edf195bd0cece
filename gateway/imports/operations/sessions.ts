import { isoTime } from '../../../schemas/base/time.ts';
import {
  mintedSessionSchema,
  mintRequestSchema,
  SESSION_VERSION,
  sessionSchema,
} from '../../../schemas/imports/delivery-http.ts';
import { capabilityEnd } from '../../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { creationSecret } from '../../http/records/derive.ts';
import { json } from '../../http/routing/audience.ts';
import type { GatewayServices } from '../../services.ts';
import { importBackend, importPage } from '../audiences.ts';
import { loadConfiguration, loadImports, statusAnswer } from '../load-import.ts';

/** Every request makes another session, unless it repeats an `Idempotency-Key`: then it returns the same token. */
export const mintSessionRoute = importBackend.post('/sessions/:workspaceId/:schemaId', {
  name: 'mintImportSession',
  summary: "Mint a session for a signed-in user's browser",
  description:
    'Creates a session with which the browser of one signed-in user imports on a page of the customer. Call it from your backend and give the token to that user only.',
  whenPaused: 'refused',
  rate: 'none',
  body: json(mintRequestSchema),
  idempotencyHeader: true,
  success: { status: 201, schema: mintedSessionSchema, description: 'The session with its token' },
  errors: ['origin_not_allowed', 'limit_reached', 'gone'],
  async handle({ principal, idempotencyKey, services, submit }) {
    const { id: capabilityId, owned, workspace } = principal;
    const { schemaId } = owned;
    const { installationId } = workspace;
    const caller = { capabilityId, schemaId };
    const scope = ['mintImportSession', installationId, schemaId, capabilityId];
    const token = creationSecret(services, 'import', idempotencyKey, scope);
    const input = { ...caller, digest: token.digest };
    const { digest, schemaRevision, origin, delegateApproval, expiresAt } = await submit({
      topic: 'imports',
      key: installationId,
      type: 'mint-session',
      input,
      digestInput: caller,
    });
    return {
      body: {
        ...sessionBounds(services, workspace, schemaId),
        schemaRevision,
        sessionToken: token.again(digest),
        origin,
        ingestOrigin: services.hosts.ingest,
        expiresAt: isoTime(expiresAt),
        approvalDelegated: delegateApproval,
      },
    };
  },
});

export const readSessionRoute = importPage.get('', {
  name: 'readImportSession',
  summary: 'Read the session, its fields and its imports',
  description: 'Returns the limits of the session, the fields of its schema and its imports.',
  success: { status: 200, schema: sessionSchema, description: 'The session' },
  async handle({ principal, services }) {
    const { workspace, owned, schemaRevision, origin, delegateApproval, endsAt, importIds } = principal;
    const { schemaId } = owned;
    const [configuration, imports] = await Promise.all([
      loadConfiguration(services, workspace, { schemaId, schemaRevision }),
      loadImports(services, workspace, [...importIds].reverse()),
    ]);
    return {
      unreadable: imports.unreadable,
      body: {
        ...sessionBounds(services, workspace, schemaId),
        schemaRevision,
        fields: configuration.schema.fields,
        origin,
        expiresAt: isoTime(capabilityEnd({ endsAt }, workspace)),
        approvalDelegated: delegateApproval,
        imports: imports.found.map((loaded) => statusAnswer(services, loaded)),
      },
    };
  },
});

/** The schema of a session, and the plan's limits for a file. */
function sessionBounds({ limits }: GatewayServices, { workspaceId, plan }: WorkspaceView, schemaId: string) {
  const { importFileBytes, importRows } = limits.plans[plan];
  return { version: SESSION_VERSION, workspaceId, schemaId, maxBytes: importFileBytes, maxRows: importRows };
}
