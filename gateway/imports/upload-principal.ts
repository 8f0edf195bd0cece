import { digestsEqual } from '../../schemas/base/digest.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import {
  importDocumentSchema,
  importsRootSchema,
  uploadTokenTargetSchema,
} from '../../schemas/imports/documents.ts';
import { type Authenticator, bearerSecret } from '../bearer.ts';
import { readAggregate } from '../read-aggregate.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { importsAggregate } from './load-import.ts';

/** The right to send one import's bytes (`svc_upload_…`): the token that the import says was handed out last. */
export const uploadPrincipal: Authenticator<'upload'> = async (request, { lookups, store, clock }) => {
  const secret = bearerSecret(request, 'upload');
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const pointer = await lookups.get({ kind: 'upload-token', digest });
  if (pointer === null) return null;
  const { installationId, importId, number } = uploadTokenTargetSchema.parse(pointer);
  const [workspace, imports] = await Promise.all([
    findWorkspace(store, installationId),
    readAggregate(store, importsAggregate(installationId), importsRootSchema, [
      { kind: 'import', id: importId },
    ]),
  ]);
  const token = imports.row('import', importId, importDocumentSchema)?.uploadToken;
  if (workspace === null || token === undefined || !digestsEqual(token.digest, digest)) return null;
  return clock.now() < token.endsAt ? { kind: 'upload', importId, number, workspace } : null;
};
