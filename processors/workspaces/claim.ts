import { refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { CommandHandler, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { endLink } from './claim-link.ts';
import { type Existing, ifExisting } from './existing.ts';
import { lifecycleEffects } from './lifecycle.ts';
import { notifyOrganization, refuseAndRelease } from './organization-notices.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

type ClaimResult = FoldResult<WorkspacesFold, 'claim'>;

/**
 * Decides about a claim for which the organization has reserved a place
 * (infra/docs/decisions/0009-follow-ups-with-reservation.md). The preview becomes a workspace on the Free plan without an
 * end. Its ids and credentials stay; its provision token ends. A repeat by the same organization gets the same answer.
 */
export const claim: CommandHandler<WorkspacesFold, 'claim'> = {
  fold: ifExisting(
    (scope) => {
      const { root, input, context } = scope;
      const reason =
        workspaceRefusal(root, context.now, 'allowed') ??
        (root.attachment?.organizationId === input.organizationId ? null : NOT_ATTACHED);
      if (reason !== null) return refuseAndRelease(scope, 'claim-released', reason);
      return root.claim === null ? claimFirst(scope) : { ...confirmed(scope), audit: false };
    },
    (scope, reason) => refuseAndRelease(scope, 'claim-released', reason),
  ),
};

const NOT_ATTACHED = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'a workspace that is not attached to this organization',
  expected: 'an attached one; attach it with its claim link first',
});

function claimFirst(scope: Existing<'claim'>): ClaimResult {
  const { root, input, context } = scope;
  const { creator: _creator, ...kept } = root;
  const claimed: WorkspaceDocument = {
    ...kept,
    state: 'active',
    plan: 'free',
    expiresAt: null,
    provisionDigest: null,
    claimLink: null,
    claim: { claimedBy: input.userId, claimedAt: context.now, evidence: input.evidence },
  };
  const { outcome, effects = [] } = confirmed(scope);
  return {
    outcome,
    root: claimed,
    effects: [...effects, ...endLink(root), ...lifecycleEffects(claimed, context)],
  };
}

function confirmed({ input, context }: Scope<WorkspacesFold, 'claim'>): ClaimResult {
  return {
    outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
    effects: [notifyOrganization('claim-confirmed', input.organizationId, context)],
  };
}
