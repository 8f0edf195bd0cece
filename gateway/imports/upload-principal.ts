import { digestsEqual } from '../../schemas/base/digest.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import {
  type ImportDocument,
  importDocumentSchema,
  importsRootSchema,
  schemaSessionsDocumentSchema,
  uploadTokenTargetSchema,
} from '../../schemas/imports/documents.ts';
import { type Authenticator, bearerSecret } from '../http/bearer.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices } from '../http/services.ts';
import { principal } from '../principals.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { importsAggregate } from './load-import.ts';

/**
 * The right to send one import's bytes (`svc_upload_…`): the token that the import says was handed out last. It ends with
 * the browser session that it was handed out to.
 */
export const uploadPrincipal: Authenticator<'upload'> = async (request, services) => {
  const { lookups, store, clock } = services;
  const secret = bearerSecret(request, 'upload');
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const pointer = await lookups.get({ kind: 'upload-token', digest });
  if (pointer === null) return null;
  const { installationId, importId } = uploadTokenTargetSchema.parse(pointer);
  const [workspace, imports] = await Promise.all([
    findWorkspace(store, installationId),
    readAggregate(store, importsAggregate(installationId), importsRootSchema, [
      { kind: 'import', id: importId },
    ]),
  ]);
  const document = imports.row('import', importId, importDocumentSchema);
  if (workspace === null || document === null) return null;
  const { uploadToken, session } = document;
  if (!digestsEqual(uploadToken.digest, digest) || clock.now() >= uploadToken.endsAt) return null;
  if (!(await isSessionActive(services, installationId, document))) return null;
  const origin = session?.origin ?? null;
  return principal('upload', { id: importId, owned: { importId }, origin, workspace });
};

/** Whether the session that made an import holds now; an agent's import has none that could end. */
async function isSessionActive(
  { store, clock }: Pick<GatewayServices, 'store' | 'clock'>,
  installationId: string,
  { schemaId, session }: ImportDocument,
): Promise<boolean> {
  if (session === null) return true;
  const imports = await readAggregate(store, importsAggregate(installationId), importsRootSchema, [
    { kind: 'schema-sessions', id: schemaId },
  ]);
  const row = imports.row('schema-sessions', schemaId, schemaSessionsDocumentSchema);
  const active = row?.sessions.find(({ digest }) => digestsEqual(digest, session.digest));
  return active !== undefined && clock.now() < active.endsAt;
}
