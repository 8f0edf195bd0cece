import type { SubjectCohort } from '../../schemas/activate/documents.ts';
import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { Scope } from '../runtime/fold.ts';
import type { ActivateFold } from './activate-fold.ts';

/** The parts of a workspace's scope that these checks read. */
type WorkspaceScope = Pick<Scope<ActivateFold>, 'root' | 'context'>;

export type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

/**
 * The workspace's copy, unless the workspace refuses what is asked. The gateway has looked at the workspace itself; this
 * catches what changed on the way.
 */
export function aliveWorkspace({ root, context }: WorkspaceScope, whenPaused: 'refused' | 'allowed'): Alive {
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  const refused = workspaceRefusal(lifecycle, context.now, whenPaused);
  return refused === null ? { lifecycle } : { refused };
}

/** The same for commands about a subject: a real one takes a claimed workspace. */
export function aliveForSubject(
  scope: WorkspaceScope & { readonly input: { readonly cohort: SubjectCohort } },
): Alive {
  const alive = aliveWorkspace(scope, 'refused');
  if ('refused' in alive) return alive;
  const needsClaim = scope.input.cohort === 'live' && alive.lifecycle.plan === 'preview';
  return needsClaim ? { refused: CLAIM_REQUIRED } : alive;
}

export const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

const CLAIM_REQUIRED = refusal('claim_required', {
  at: 'body.cohort',
  seen: 'live in a preview',
  expected: 'test or a claimed workspace; a preview knows synthetic subjects only',
});

export const NO_CHECKLIST = refusal('not_found', {
  at: 'path.checklistId',
  seen: 'the id of no checklist',
  expected: 'the id of a checklist of this workspace',
});
