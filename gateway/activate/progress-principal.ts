import {
  EMPTY_ACTIVATE_ROOT,
  progressTargetSchema,
  sessionsDocumentSchema,
} from '../../schemas/activate/documents.ts';
import { activeSessions } from '../../schemas/activate/progress.ts';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { type Authenticator, bearerSecret } from '../bearer.ts';
import { findWorkspace } from '../workspaces/load-workspace.ts';
import { readActivate } from './checklist-reading.ts';

/**
 * A progress token (`svc_progress_…`). The look-up only points: the subject's own list of sessions says whether it holds
 * now. A pause ends every session; while it lasts, the state of the workspace is what a page is told (403), so the list
 * counts as it stood before. The preview's end is the workspace's state, too.
 */
export const progressPrincipal: Authenticator<'progress'> = async (request, { lookups, store, clock }) => {
  const secret = bearerSecret(request, 'progress');
  if (secret === null) return null;
  const digest = secretDigest(secret);
  const pointer = await lookups.get({ kind: 'progress-token', digest });
  if (pointer === null) return null;
  const { installationId, checklistId, enrollment } = progressTargetSchema.parse(pointer);
  const [workspace, { root, row }] = await Promise.all([
    findWorkspace(store, installationId),
    readActivate({ store }, installationId, [{ kind: 'sessions', id: enrollment }]),
  ]);
  const stored = row('sessions', enrollment, sessionsDocumentSchema);
  if (workspace === null || stored === null) return null;
  const { pauses } = workspace.state === 'paused' ? stored : (root ?? EMPTY_ACTIVATE_ROOT);
  const session = activeSessions(stored, { pauses }, clock.now()).find((one) =>
    digestsEqual(one.digest, digest),
  );
  if (session === undefined) return null;
  return { kind: 'progress', checklistId, enrollment, origin: session.origin, workspace };
};
