import { refusal } from '../../schemas/base/errors.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { effectiveState, workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { endLink } from './claim-link.ts';
import { lifecycleEffects } from './lifecycle.ts';
import type { WorkspaceResult } from './result.ts';

/** Stops what brings data in or hands it out, until it is resumed (contract B). Twice is once. */
export function pauseWorkspace(root: WorkspaceDocument, context: FoldContext): WorkspaceResult {
  return changeClaimed(root, 'paused', context);
}

/** Ends a pause. Twice is once. */
export function resumeWorkspace(root: WorkspaceDocument, context: FoldContext): WorkspaceResult {
  return changeClaimed(root, 'active', context);
}

/**
 * Ends collection and the access of agents for good; what there is stays with the owner until it is erased
 * (specification 3). Also of a preview that has ended. Twice is once.
 */
export function disconnectWorkspace(root: WorkspaceDocument, context: FoldContext): WorkspaceResult {
  const disconnected: WorkspaceDocument = {
    ...root,
    state: 'disconnected',
    provisionDigest: null,
    claimLink: null,
  };
  if (root.state === 'disconnected') return UNCHANGED;
  return {
    ...DONE,
    root: disconnected,
    effects: [...endLink(root), ...lifecycleEffects(disconnected, context)],
  };
}

const DONE = { outcome: { kind: 'done', result: {} } } as const satisfies WorkspaceResult;

/** It was so already: there is nothing for the audit log to tell. */
const UNCHANGED = { ...DONE, audit: false } as const satisfies WorkspaceResult;

function changeClaimed(
  root: WorkspaceDocument,
  state: 'active' | 'paused',
  context: FoldContext,
): WorkspaceResult {
  const ended = workspaceRefusal(root, context.now, 'allowed');
  if (ended !== null) return refused(ended);
  if (effectiveState(root, context.now) === 'preview') return refused(STILL_PREVIEW);
  if (root.state === state) return UNCHANGED;
  const changed: WorkspaceDocument = { ...root, state };
  return { ...DONE, root: changed, effects: lifecycleEffects(changed, context) };
}

const STILL_PREVIEW = refusal('state_conflict', {
  at: 'workspace.state',
  seen: 'preview',
  expected: 'a workspace that was claimed',
});
