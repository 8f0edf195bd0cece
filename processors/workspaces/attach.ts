import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import { matchClaim } from '../../schemas/workspaces/claim-link.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { endLink } from './claim-link.ts';
import type { WorkspaceInput, WorkspaceResult } from './result.ts';

/**
 * Decides about an attachment that an organization has reserved, and tells the organization (design rule 7). The first
 * organization wins; the same one may ask again and gets the same answer.
 */
export function attachWorkspace(
  root: WorkspaceDocument | null,
  input: WorkspaceInput<'attach'>,
  context: FoldContext,
): WorkspaceResult {
  if (root === null) return released(LINK_ENDED, input, context);
  const stopped = workspaceRefusal(root, context.now, 'allowed');
  if (stopped !== null) return released(stopped, input, context);
  switch (matchClaim(root, input.claimDigest, context.now)) {
    case 'ended':
      return released(LINK_ENDED, input, context);
    case 'used':
      return root.attachment?.organizationId === input.organizationId
        ? attached(root, input, context)
        : released(ATTACHED_ELSEWHERE, input, context);
    case 'open':
      return input.confirmed ? attachFirst(root, input, context) : countWrongConfirm(root, input, context);
  }
}

const LINK_ENDED = refusal(
  'not_found',
  'code: this claim link does not exist or has ended; ask for a new one.',
);

const ATTACHED_ELSEWHERE = refusal('state_conflict', 'The workspace is attached to an organization already.');

function attachFirst(
  root: WorkspaceDocument,
  input: WorkspaceInput<'attach'>,
  context: FoldContext,
): WorkspaceResult {
  const { organizationId, userId, claimDigest } = input;
  // The look-up stays until its own end, so that a repeat with the same code finds its way here.
  return attached(
    {
      ...root,
      claimLink: null,
      attachment: { organizationId, attachedBy: userId, attachedAt: context.now, claimDigest },
    },
    input,
    context,
  );
}

function attached(
  root: WorkspaceDocument,
  { organizationId }: WorkspaceInput<'attach'>,
  context: FoldContext,
): WorkspaceResult {
  return {
    outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
    root,
    effects: [notifyOrganization('attachment-confirmed', organizationId, context)],
  };
}

function countWrongConfirm(
  root: WorkspaceDocument,
  input: WorkspaceInput<'attach'>,
  context: FoldContext,
): WorkspaceResult {
  const { claimLink } = root;
  if (claimLink === null) return released(LINK_ENDED, input, context);
  const attemptsLeft = claimLink.attemptsLeft - 1;
  if (attemptsLeft > 0) {
    const result = released(wrongConfirm(`${attemptsLeft} attempts are left`), input, context);
    return { ...result, root: { ...root, claimLink: { ...claimLink, attemptsLeft } } };
  }
  const result = released(wrongConfirm('the link has ended; ask for a new one'), input, context);
  return {
    ...result,
    root: { ...root, claimLink: null },
    effects: [...endLink(root), ...(result.effects ?? [])],
  };
}

function wrongConfirm(consequence: string): Refusal {
  return refusal('forbidden', `confirm: expected the code shown together with the link; ${consequence}.`);
}

/** Refuses, and gives the organization its reservation back. */
function released(
  reason: Refusal,
  { organizationId }: WorkspaceInput<'attach'>,
  context: FoldContext,
): WorkspaceResult {
  return {
    outcome: { kind: 'refused', refusal: reason },
    effects: [notifyOrganization('attachment-released', organizationId, context)],
  };
}

function notifyOrganization(
  type: 'attachment-confirmed' | 'attachment-released',
  organizationId: string,
  context: FoldContext,
): Effect {
  return {
    kind: 'command',
    topic: 'organizations',
    key: organizationId,
    type,
    input: { workspaceId: workspaceOf(context.aggregate) },
  };
}
