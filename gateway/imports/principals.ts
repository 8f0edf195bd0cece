// An index entry alone proves nothing: the documents below decide if a credential is valid. The end of a preview also
// ends its credentials. That is the state of the workspace, for which the gateway answers 410.
import { digestsEqual } from '../../schemas/base/digest.ts';
import { importCredentials } from '../../schemas/imports/credentials.ts';
import type { ImportSession } from '../../schemas/imports/documents.ts';
import { type Authenticator, bearerTarget } from '../http/callers/bearer.ts';
import type { IncomingHeaders } from '../http/routing/route.ts';
import { type PrincipalOf, principal } from '../principals.ts';
import type { GatewayServices } from '../services.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { importsReader } from './load-import.ts';

/** Authenticates the customer's backend (`svc_capability_…`). */
export async function capabilityPrincipal(
  request: IncomingHeaders,
  services: GatewayServices,
): Promise<PrincipalOf<'capability'> | null> {
  const { store, clock } = services;
  const found = await bearerTarget(request, services, importCredentials.capability);
  if (found === null) return null;
  const { installationId, capabilityId: id } = found.target;
  const [workspace, capability] = await Promise.all([
    findWorkspace(store, installationId),
    importsReader.row(store, installationId, 'capability', id),
  ]);
  if (workspace === null || capability === null || !digestsEqual(capability.digest, found.digest))
    return null;
  if (capability.revokedAt !== null || clock.now() >= capability.endsAt) return null;
  return principal('capability', { id, owned: { schemaId: capability.schemaId }, workspace });
}

/** Authenticates the browser session of a page (`svc_import_…`). */
export const sessionPrincipal: Authenticator<'session'> = async (request, services) => {
  const found = await bearerTarget(request, services, importCredentials.session);
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

/**
 * Authenticates the right to send one import's bytes (`svc_upload_…`): the token that the import handed out last. It ends
 * with the browser session that it was handed out to. Of an import that a person reserved, only the console sends the bytes.
 */
export const uploadPrincipal: Authenticator<'upload'> = async (request, services) => {
  const { store, clock, hosts } = services;
  const found = await bearerTarget(request, services, importCredentials.upload);
  if (found === null) return null;
  const { installationId, importId } = found.target;
  const [workspace, document] = await Promise.all([
    findWorkspace(store, installationId),
    importsReader.row(store, installationId, 'import', importId),
  ]);
  if (workspace === null || document === null) return null;
  const { uploadToken, session, schemaId, createdBy } = document;
  if (!digestsEqual(uploadToken.digest, found.digest) || clock.now() >= uploadToken.endsAt) return null;
  const madeBy = session?.digest ?? null;
  const hasEnded =
    madeBy !== null && (await findActiveSession(services, { installationId, schemaId }, madeBy)) === null;
  if (hasEnded) return null;
  return principal('upload', {
    id: importId,
    owned: { importId },
    origin: createdBy.kind === 'user' ? new URL(hosts.console).origin : (session?.origin ?? null),
    workspace,
  });
};

/** The session of a schema with this digest, if it holds now. */
async function findActiveSession(
  { store, clock }: Pick<GatewayServices, 'store' | 'clock'>,
  { installationId, schemaId }: { readonly installationId: string; readonly schemaId: string },
  digest: string,
): Promise<ImportSession | null> {
  const row = await importsReader.row(store, installationId, 'schema-sessions', schemaId);
  const session = row?.sessions.find((each) => digestsEqual(each.digest, digest));
  return session === undefined || clock.now() >= session.endsAt ? null : session;
}
