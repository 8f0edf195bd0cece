// A look-up of a secret only points: the documents below say whether a credential holds now. The preview's end bounds each
// of them, too; that is the workspace's state, which the gateway answers with 410.
import { digestsEqual } from '../../schemas/base/digest.ts';
import {
  capabilityTargetSchema,
  type ImportSession,
  importSessionTargetSchema,
  uploadTokenTargetSchema,
} from '../../schemas/imports/documents.ts';
import { type Authenticator, bearerTarget } from '../http/bearer.ts';
import type { GatewayServices } from '../http/services.ts';
import { principal } from '../principals.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { readImportsRow } from './load-import.ts';

const CAPABILITY = { secret: 'capability', lookup: 'capability', target: capabilityTargetSchema } as const;

/** Authenticates the customer's backend (`svc_capability_…`). */
export const capabilityPrincipal: Authenticator<'capability'> = async (request, services) => {
  const { store, clock } = services;
  const found = await bearerTarget(request, services, CAPABILITY);
  if (found === null) return null;
  const { installationId, capabilityId: id } = found.target;
  const [workspace, capability] = await Promise.all([
    findWorkspace(store, installationId),
    readImportsRow(store, installationId, 'capability', id),
  ]);
  if (workspace === null || capability === null || !digestsEqual(capability.digest, found.digest))
    return null;
  if (capability.revokedAt !== null || clock.now() >= capability.endsAt) return null;
  return principal('capability', { id, owned: { schemaId: capability.schemaId }, workspace });
};

const SESSION = { secret: 'import', lookup: 'import-session', target: importSessionTargetSchema } as const;

/** Authenticates the browser session of a page (`svc_import_…`). */
export const sessionPrincipal: Authenticator<'session'> = async (request, services) => {
  const found = await bearerTarget(request, services, SESSION);
  if (found === null) return null;
  const { installationId, schemaId } = found.target;
  const [workspace, session] = await Promise.all([
    findWorkspace(services.store, installationId),
    findActiveSession(services, found.target, found.digest),
  ]);
  if (workspace === null || session === null) return null;
  const { digest: sessionDigest, imports: importIds, capabilityId: id, ...bound } = session;
  return principal('session', { ...bound, id, owned: { schemaId }, sessionDigest, importIds, workspace });
};

const UPLOAD = { secret: 'upload', lookup: 'upload-token', target: uploadTokenTargetSchema } as const;

/**
 * Authenticates the right to send one import's bytes (`svc_upload_…`): the token that the import handed out last. It ends
 * with the browser session that it was handed out to.
 */
export const uploadPrincipal: Authenticator<'upload'> = async (request, services) => {
  const { store, clock } = services;
  const found = await bearerTarget(request, services, UPLOAD);
  if (found === null) return null;
  const { installationId, importId } = found.target;
  const [workspace, document] = await Promise.all([
    findWorkspace(store, installationId),
    readImportsRow(store, installationId, 'import', importId),
  ]);
  if (workspace === null || document === null) return null;
  const { uploadToken, session, schemaId } = document;
  if (!digestsEqual(uploadToken.digest, found.digest) || clock.now() >= uploadToken.endsAt) return null;
  const madeBy = session?.digest ?? null;
  const hasEnded =
    madeBy !== null && (await findActiveSession(services, { installationId, schemaId }, madeBy)) === null;
  if (hasEnded) return null;
  return principal('upload', {
    id: importId,
    owned: { importId },
    origin: session?.origin ?? null,
    workspace,
  });
};

/** The session of a schema with this digest, if it holds now. */
async function findActiveSession(
  { store, clock }: Pick<GatewayServices, 'store' | 'clock'>,
  { installationId, schemaId }: { readonly installationId: string; readonly schemaId: string },
  digest: string,
): Promise<ImportSession | null> {
  const row = await readImportsRow(store, installationId, 'schema-sessions', schemaId);
  const session = row?.sessions.find((each) => digestsEqual(each.digest, digest));
  return session === undefined || clock.now() >= session.endsAt ? null : session;
}
