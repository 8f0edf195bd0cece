import { refusal } from '../../schemas/base/errors.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { effectiveState, workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { CommandHandler, FoldResult } from '../runtime/fold/fold.ts';
import { DONE, refused } from '../runtime/fold/results.ts';
import { endLink } from './claim-link.ts';
import { type Existing, ifExisting } from './existing.ts';
import { lifecycleEffects } from './lifecycle.ts';
import { recordedForOwner } from './organization-notices.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

/** Stops requests that bring data in or hand it out, until the workspace is resumed. A repeat changes nothing. */
export const pause: CommandHandler<WorkspacesFold, 'pause'> = {
  admitsUnreadable: [],
  fold: ifExisting((scope) => changeClaimed(scope, 'paused')),
};

/** Ends a pause. A repeat changes nothing. */
export const resume: CommandHandler<WorkspacesFold, 'resume'> = {
  admitsUnreadable: [],
  fold: ifExisting((scope) => changeClaimed(scope, 'active')),
};

/** Ends a preview now, for the operator. A repeat changes nothing. */
export const expire: CommandHandler<WorkspacesFold, 'expire'> = {
  fold: ifExisting(({ root, actor, context }) => {
    const state = effectiveState(root, context.now);
    if (state === 'expired') return UNCHANGED;
    const ended = workspaceRefusal(root, context.now, 'allowed');
    if (ended !== null) return refused(ended);
    if (state !== 'preview') return refused(NO_PREVIEW);
    const expired: WorkspaceDocument = { ...root, expiresAt: context.now };
    const effects = lifecycleEffects(expired, context);
    return { ...DONE, root: expired, effects, ...recordedForOwner(root, actor) };
  }),
};

/**
 * Ends collection and the access of agents for good, also of an expired preview. The owner keeps the content until its
 * erasure. A repeat changes nothing.
 */
export const disconnect: CommandHandler<WorkspacesFold, 'disconnect'> = {
  admitsUnreadable: [],
  fold: ifExisting(({ root, context }) => {
    if (root.state === 'disconnected') return UNCHANGED;
    const disconnected: WorkspaceDocument = {
      ...root,
      state: 'disconnected',
      provisionDigest: null,
      claimLink: null,
    };
    return {
      ...DONE,
      root: disconnected,
      effects: [...endLink(root), ...lifecycleEffects(disconnected, context)],
    };
  }),
};

/** The workspace is in this state already: the audit log gets no entry. */
const UNCHANGED = { ...DONE, audit: false } as const;

function changeClaimed(
  { root, context }: Existing<'pause' | 'resume'>,
  state: 'active' | 'paused',
): FoldResult<WorkspacesFold, 'pause' | 'resume'> {
  const ended = workspaceRefusal(root, context.now, 'allowed');
  if (ended !== null) return refused(ended);
  if (effectiveState(root, context.now) === 'preview') return refused(STILL_PREVIEW);
  if (root.state === state) return UNCHANGED;
  const changed: WorkspaceDocument = { ...root, state };
  return { ...DONE, root: changed, effects: lifecycleEffects(changed, context) };
}

const NO_PREVIEW = refusal('state_conflict', {
  at: 'workspace.state',
  seen: 'one that was claimed',
  expected: 'preview',
});

const STILL_PREVIEW = refusal('state_conflict', {
  at: 'workspace.state',
  seen: 'preview',
  expected: 'a workspace that was claimed',
});
