import { digestsEqual } from '../../schemas/base/digest.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import {
  importSessionTargetSchema,
  importsRootSchema,
  schemaSessionsDocumentSchema,
} from '../../schemas/imports/documents.ts';
import { type Authenticator, bearerSecret } from '../http/bearer.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import { principal } from '../principals.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { importsAggregate } from './load-import.ts';

/**
 * A browser session (`svc_import_…`). The look-up only points: the schema's own list of sessions says whether it holds now.
 * The preview's end bounds it too; that is the workspace's state, which the gateway answers with 410.
 */
export const sessionPrincipal: Authenticator<'session'> = async (request, { lookups, store, clock }) => {
  const secret = bearerSecret(request, 'import');
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const pointer = await lookups.get({ kind: 'import-session', digest });
  if (pointer === null) return null;
  const { installationId, schemaId } = importSessionTargetSchema.parse(pointer);
  const [workspace, imports] = await Promise.all([
    findWorkspace(store, installationId),
    readAggregate(store, importsAggregate(installationId), importsRootSchema, [
      { kind: 'schema-sessions', id: schemaId },
    ]),
  ]);
  const row = imports.row('schema-sessions', schemaId, schemaSessionsDocumentSchema);
  const session = row?.sessions.find((one) => digestsEqual(one.digest, digest));
  if (workspace === null || session === undefined || clock.now() >= session.endsAt) return null;
  const { digest: sessionDigest, imports: importIds, capabilityId: id, ...bound } = session;
  return principal('session', { ...bound, id, owned: { schemaId }, sessionDigest, importIds, workspace });
};
