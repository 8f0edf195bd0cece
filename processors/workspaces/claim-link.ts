import { digestsEqual } from '../../schemas/base/digest.ts';
import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { CommandHandler, Effect } from '../runtime/fold/fold.ts';
import { refused } from '../runtime/fold/results.ts';
import { ifExisting } from './existing.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

/** Opens the link with which a person attaches the preview, and ends the previous link. */
export const openClaimLink: CommandHandler<WorkspacesFold, 'claim-link'> = {
  fold: ifExisting(({ root, input, context, limits }) => {
    const { provisionDigest, claimDigest } = input;
    const ended = workspaceRefusal(root, context.now, 'allowed');
    if (ended !== null) return refused(ended);
    if (root.provisionDigest === null) return refused(CLAIMED);
    if (!digestsEqual(root.provisionDigest, provisionDigest)) return refused(OTHER_TOKEN);
    if (root.attachment !== null) return refused(ATTACHED);
    const expiresAt = Math.min(
      context.now + limits.workspace.claimLinkMs,
      root.expiresAt ?? Number.MAX_SAFE_INTEGER,
    );
    return {
      outcome: { kind: 'done', result: { digest: claimDigest, expiresAt } },
      root: {
        ...root,
        claimLink: { digest: claimDigest, expiresAt, attemptsLeft: limits.workspace.confirmAttempts },
      },
      effects: [...endLink(root), indexCode(claimDigest, { installationId: context.aggregate }, expiresAt)],
    };
  }),
};

const OTHER_TOKEN = refusal('forbidden', {
  at: 'body.provisionToken',
  seen: 'another token',
  expected: 'the token that this workspace was created with',
});

/** A claim ends the token. */
const CLAIMED = refusal('forbidden', {
  at: 'workspace.claimedAt',
  seen: 'a workspace that a person has claimed',
  expected: 'one that has no owner',
});

const ATTACHED = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'a workspace that is attached to an organization',
  expected: 'one that is not',
});

/** Removes the index entry of the open link, if there is one. */
export function endLink({ claimLink }: Pick<WorkspaceDocument, 'claimLink'>): Effect[] {
  if (claimLink === null) return [];
  return [indexCode(claimLink.digest, null, claimLink.expiresAt)];
}

/** Removes the index entry of the link that attached a workspace. Repeats of the attachment need it until the erasure. */
export function endUsedLink(
  { claimDigest, attachedAt }: NonNullable<WorkspaceDocument['attachment']>,
  limits: Limits,
): Effect {
  return indexCode(claimDigest, null, attachedAt + limits.workspace.claimLinkMs);
}

function indexCode(
  digest: string,
  target: { readonly installationId: string } | null,
  expiresAt: number,
): Effect {
  return { kind: 'index', entry: { kind: 'claim-code', digest, target, expiresAt } };
}
