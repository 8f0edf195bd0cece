import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { WORKSPACE_ERASED, workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { Scope } from '../runtime/fold.ts';
import type { FeedbackFold } from './feedback-fold.ts';

type WorkspaceScope = Pick<Scope<FeedbackFold>, 'root' | 'context'>;

type Alive = { readonly lifecycle: Lifecycle } | { readonly refused: Refusal };

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

/** The same for a person of the organization, who still removes messages of a workspace that has ended. */
export function ownedWorkspace({ root, actor }: Pick<Scope<FeedbackFold>, 'root' | 'actor'>): Alive {
  if (actor.kind !== 'user') return { refused: NOT_THE_OWNER };
  const { lifecycle } = root;
  if (lifecycle === null) return { refused: NOT_YET_KNOWN };
  return lifecycle.state === 'erased' ? { refused: WORKSPACE_ERASED } : { lifecycle };
}

const NOT_YET_KNOWN = refusal(
  'unavailable',
  'The workspace is being set up. Send the same request again.',
  1,
);

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
