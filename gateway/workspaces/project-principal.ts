import { digestsEqual } from '../../schemas/base/digest.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import {
  credentialDocumentSchema,
  credentialTargetSchema,
  workspaceDocumentSchema,
} from '../../schemas/workspaces/documents.ts';
import { type Authenticator, bearerSecret } from '../bearer.ts';
import { readAggregate } from '../read-aggregate.ts';
import { workspaceAggregate, workspaceView } from './load-workspace.ts';

/**
 * The project credential (`svc_project_…`). The look-up only points: the workspace has to say now that the credential is
 * one of its own and not revoked (design rule 6).
 */
export const projectPrincipal: Authenticator<'project'> = async (request, { lookups, store }) => {
  const secret = bearerSecret(request, 'project');
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const target = await lookups.get({ kind: 'credential', digest });
  if (target === null) return null;
  const { installationId, credentialId } = credentialTargetSchema.parse(target);
  const aggregate = workspaceAggregate(installationId);
  const rows = [{ kind: 'credential', id: credentialId }];
  const { root, row } = await readAggregate(store, aggregate, workspaceDocumentSchema, rows);
  const credential = row('credential', credentialId, credentialDocumentSchema);
  if (root === null || credential === null || credential.revokedAt !== null) return null;
  if (!digestsEqual(credential.digest, digest)) return null;
  return { kind: 'project', credentialId, workspace: workspaceView(installationId, root) };
};
