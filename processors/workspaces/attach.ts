import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import { matchClaim } from '../../schemas/workspaces/claim-link.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { endLink } from './claim-link.ts';
import { notifyOrganization, released } from './organization-notices.ts';
import type { WorkspaceInput, WorkspaceResult } from './result.ts';

/**
 * Decides about an attachment that an organization has reserved, and tells the organization (design rule 7). The first
 * organization wins; the same one may ask again and gets the same answer.
 */
export function attachWorkspace(
  root: WorkspaceDocument,
  input: WorkspaceInput<'attach'>,
  context: FoldContext,
): WorkspaceResult {
  const stopped = workspaceRefusal(root, context.now, 'allowed');
  if (stopped !== null) return released('attachment-released', stopped, input, context);
  switch (matchClaim(root, input.claimDigest, context.now)) {
    case 'ended':
      return released('attachment-released', LINK_ENDED, input, context);
    case 'used':
      return root.attachment?.organizationId === input.organizationId
        ? { ...attached(root, input, context), audit: false }
        : released('attachment-released', ATTACHED_ELSEWHERE, input, context);
    case 'open':
      return input.confirmed ? attachFirst(root, input, context) : countWrongConfirm(root, input, context);
  }
}

/** The refusal for a code that leads nowhere any more. */
export const LINK_ENDED = refusal('not_found', {
  at: 'body.code',
  seen: 'a claim link that does not exist or has ended',
  expected: 'an open one; ask for a new link',
});

const ATTACHED_ELSEWHERE = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'a workspace that is attached to an organization',
  expected: 'one that is not',
});

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
  if (claimLink === null) return released('attachment-released', LINK_ENDED, input, context);
  const attemptsLeft = claimLink.attemptsLeft - 1;
  if (attemptsLeft > 0) {
    const result = released(
      'attachment-released',
      wrongConfirm(`${attemptsLeft} attempts are left`),
      input,
      context,
    );
    return { ...result, root: { ...root, claimLink: { ...claimLink, attemptsLeft } } };
  }
  const result = released(
    'attachment-released',
    wrongConfirm('the link has ended; ask for a new one'),
    input,
    context,
  );
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
