import { activateCredentials } from '../../schemas/activate/credentials.ts';
import { activeSessions } from '../../schemas/activate/progress.ts';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { type Authenticator, bearerTarget } from '../http/callers/bearer.ts';
import { principal } from '../principals.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { activateReader } from './checklist-reading.ts';

/**
 * A progress token (`svc_progress_…`). The look-up only points: the subject's own list of sessions says whether it holds
 * now. A pause and the preview's end are the workspace's state, which the gateway answers with 403 and 410.
 */
export const progressPrincipal: Authenticator<'progress'> = async (request, services) => {
  const { store, clock } = services;
  const found = await bearerTarget(request, services, activateCredentials.progress);
  if (found === null) return null;
  const { installationId, checklistId, enrollment } = found.target;
  const [workspace, stored] = await Promise.all([
    findWorkspace(store, installationId),
    activateReader.row(store, installationId, 'sessions', enrollment),
  ]);
  if (workspace === null || stored === null) return null;
  const session = activeSessions(stored, clock.now()).find((one) => digestsEqual(one.digest, found.digest));
  if (session === undefined) return null;
  const { origin } = session;
  return principal('progress', { id: enrollment, owned: { checklistId }, origin, workspace });
};
