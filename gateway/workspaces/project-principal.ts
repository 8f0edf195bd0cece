import { digestsEqual } from '../../schemas/base/digest.ts';
import {
  type CredentialDocument,
  credentialDocumentSchema,
  credentialTargetSchema,
  workspaceRootSchema,
} from '../../schemas/workspaces/documents.ts';
import { type Authenticator, bearerTarget } from '../http/callers/bearer.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import { principal } from '../principals.ts';
import { workspaceAggregate, workspaceView } from './load-workspace.ts';

const PROJECT = { secret: 'project', indexKind: 'credential', target: credentialTargetSchema } as const;

/**
 * Authenticates a project credential (`svc_project_…`). The index entry leads to the workspace. The credential's row decides
 * if the secret is valid now.
 */
export const projectPrincipal: Authenticator<'project'> = async (request, services) => {
  const { store, clock } = services;
  const found = await bearerTarget(request, services, PROJECT);
  if (found === null) return null;
  const { installationId, credentialId } = found.target;
  const aggregate = workspaceAggregate(installationId);
  const rows = [{ kind: 'credential', id: credentialId }];
  const { root, row } = await readAggregate(store, aggregate, workspaceRootSchema, rows);
  const credential = row('credential', credentialId, credentialDocumentSchema);
  if (root === null || root.state === 'erased' || credential === null) return null;
  if (!holds(credential, found.digest, clock.now())) return null;
  return principal('project', { id: credentialId, workspace: workspaceView(installationId, root) });
};

/** True if a credential has this secret now, or had it before a rotation whose overlap has not ended. */
function holds({ digest, previous, revokedAt }: CredentialDocument, presented: string, now: number): boolean {
  if (revokedAt !== null) return false;
  if (digestsEqual(digest, presented)) return true;
  return previous !== null && now < previous.endsAt && digestsEqual(previous.digest, presented);
}
