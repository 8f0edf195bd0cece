import { refusal } from '../../schemas/base/errors.ts';
import { workspaceOf } from '../../schemas/base/ids.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { endLink } from './claim-link.ts';
import { lifecycleEffects } from './lifecycle.ts';
import { notifyOrganization, released } from './organization-notices.ts';
import type { WorkspaceInput, WorkspaceResult } from './result.ts';

/**
 * Decides about a claim for which the organization has reserved a place (design rule 7): the preview becomes a workspace on
 * the Free plan without an end, keeps its ids and credentials, and its provision token has done its work (contract B).
 * The organization that it is attached to may ask again and gets the same answer.
 */
export function claimWorkspace(
  root: WorkspaceDocument,
  input: WorkspaceInput<'claim'>,
  context: FoldContext,
): WorkspaceResult {
  const refused =
    workspaceRefusal(root, context.now, 'allowed') ??
    (root.attachment?.organizationId === input.organizationId ? null : NOT_ATTACHED);
  if (refused !== null) return released('claim-released', refused, input, context);
  if (root.claim === null) return claimFirst(root, input, context);
  return { ...confirmed(input, context), audit: false };
}

const NOT_ATTACHED = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'a workspace that is not attached to this organization',
  expected: 'an attached one; attach it with its claim link first',
});

function claimFirst(
  root: WorkspaceDocument,
  input: WorkspaceInput<'claim'>,
  context: FoldContext,
): WorkspaceResult {
  const claimed: WorkspaceDocument = {
    ...root,
    state: 'active',
    plan: 'free',
    expiresAt: null,
    provisionDigest: null,
    claimLink: null,
    claim: { claimedBy: input.userId, claimedAt: context.now, evidence: input.evidence },
  };
  const { outcome, effects = [] } = confirmed(input, context);
  return {
    outcome,
    root: claimed,
    effects: [...effects, ...endLink(root), ...lifecycleEffects(claimed, context)],
  };
}

function confirmed({ organizationId }: WorkspaceInput<'claim'>, context: FoldContext): WorkspaceResult {
  return {
    outcome: { kind: 'done', result: { workspaceId: workspaceOf(context.aggregate) } },
    effects: [notifyOrganization('claim-confirmed', organizationId, context)],
  };
}
