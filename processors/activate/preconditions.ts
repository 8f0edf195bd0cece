import type { SubjectCohort } from '../../schemas/activate/documents.ts';
import { refusal } from '../../schemas/base/errors.ts';
import { type Alive, aliveWorkspace } from '../runtime/fold/alive-workspace.ts';
import type { Scope } from '../runtime/fold/fold.ts';
import type { ActivateFold } from './activate-fold.ts';

/** The workspace of a command about a subject: a real one takes a claimed workspace. */
export function aliveForSubject(
  scope: Pick<Scope<ActivateFold>, 'root' | 'context'> & {
    readonly input: { readonly cohort: SubjectCohort };
  },
): Alive {
  const alive = aliveWorkspace(scope, 'refused');
  if ('refused' in alive) return alive;
  const needsClaim = scope.input.cohort === 'live' && alive.lifecycle.plan === 'preview';
  return needsClaim ? { refused: CLAIM_REQUIRED } : alive;
}

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
