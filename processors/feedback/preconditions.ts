import { refusal } from '../../schemas/base/errors.ts';
import { WORKSPACE_ERASED } from '../../schemas/workspaces/state.ts';
import { type Alive, NOT_YET_KNOWN } from '../runtime/fold/alive-workspace.ts';
import type { Scope } from '../runtime/fold/fold.ts';
import type { FeedbackFold } from './feedback-fold.ts';

/** The workspace of a person of the organization, who still removes messages after its end. */
export function ownedWorkspace({ root, actor }: Pick<Scope<FeedbackFold>, 'root' | 'actor'>): Alive {
  if (actor.kind !== 'user') return { refused: NOT_THE_OWNER };
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  return lifecycle.state === 'erased' ? { refused: WORKSPACE_ERASED } : { lifecycle };
}

const NOT_THE_OWNER = refusal('forbidden', {
  at: 'caller',
  seen: 'no person',
  expected: 'an owner or admin of the organization',
});

export const NO_WIDGET = refusal('not_found', {
  at: 'path.widgetId',
  seen: 'the id of no widget',
  expected: 'the id of a widget of this workspace',
});

export const NO_SUBMISSION = refusal('not_found', {
  at: 'path.submissionId',
  seen: 'the id of no submission',
  expected: 'the id of a submission that the widget has received',
});
