import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import { matchClaim } from '../../schemas/workspaces/claim-link.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { CommandHandler, FoldResult, Scope } from '../runtime/fold/fold.ts';
import { endLink } from './claim-link.ts';
import { type Existing, ifExisting } from './existing.ts';
import { notifyOrganization, refuseAndRelease } from './organization-notices.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

type AttachResult = FoldResult<WorkspacesFold, 'attach'>;

/**
 * Decides about an attachment that an organization has reserved (infra/docs/decisions/0009-follow-ups-with-reservation.md).
 * The first organization wins. A repeat by the same organization gets the same answer.
 */
export const attach: CommandHandler<WorkspacesFold, 'attach'> = {
  fold: ifExisting(
    (scope) => {
      const { root, input, context } = scope;
      const stopped = workspaceRefusal(root, context.now, 'allowed');
      if (stopped !== null) return released(scope, stopped);
      switch (matchClaim(root, input.claimDigest, context.now)) {
        case 'ended':
          return released(scope, LINK_ENDED);
        case 'used':
          return root.attachment?.organizationId === input.organizationId
            ? { ...attached(scope, root), audit: false }
            : released(scope, ATTACHED_ELSEWHERE);
        case 'open':
          return input.confirmed ? attachFirst(scope) : countWrongConfirm(scope);
      }
    },
    (scope) => released(scope, LINK_ENDED),
  ),
};

const LINK_ENDED = refusal('not_found', {
  at: 'body.code',
  seen: 'a claim link that does not exist or has expired',
  expected: 'an open one; ask for a new link',
});

const ATTACHED_ELSEWHERE = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'a workspace that is attached to an organization',
  expected: 'one that is not',
});

function released(scope: Scope<WorkspacesFold, 'attach'>, reason: Refusal): AttachResult {
  return refuseAndRelease(scope, 'attachment-released', reason);
}

function attachFirst(scope: Existing<'attach'>): AttachResult {
  const { root, input, context } = scope;
  const { organizationId, userId, claimDigest } = input;
  // The index entry of the code stays until its own end, so that a repeat with the same code finds this workspace.
  return attached(scope, {
    ...root,
    claimLink: null,
    attachment: { organizationId, attachedBy: userId, attachedAt: context.now, claimDigest },
  });
}

function attached(
  { input, context }: Scope<WorkspacesFold, 'attach'>,
  root: WorkspaceDocument,
): AttachResult {
  return {
    outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
    root,
    effects: [notifyOrganization('attachment-confirmed', input.organizationId, context)],
  };
}

function countWrongConfirm(scope: Existing<'attach'>): AttachResult {
  const { root } = scope;
  const { claimLink } = root;
  if (claimLink === null) return released(scope, LINK_ENDED);
  const attemptsLeft = claimLink.attemptsLeft - 1;
  if (attemptsLeft > 0) {
    const result = released(scope, wrongConfirm(`${attemptsLeft} attempts are left`));
    return { ...result, root: { ...root, claimLink: { ...claimLink, attemptsLeft } } };
  }
  const result = released(scope, wrongConfirm('the link has expired; ask for a new one'));
  return {
    ...result,
    root: { ...root, claimLink: null },
    effects: [...endLink(root), ...(result.effects ?? [])],
  };
}

function wrongConfirm(consequence: string): Refusal {
  return refusal('forbidden', {
    at: 'body.confirm',
    seen: 'another code',
    expected: `the code shown together with the link; ${consequence}`,
  });
}
