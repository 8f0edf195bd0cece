import { digestsEqual } from '../../schemas/base/digest.ts';
import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { Effect, FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import type { WorkspaceInput, WorkspaceResult } from './result.ts';

/** Opens the link with which a person attaches the preview, and ends the one before it. */
export function openClaimLink(
  root: WorkspaceDocument,
  input: WorkspaceInput<'claim-link'>,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const ended = workspaceRefusal(root, context.now, 'allowed');
  if (ended !== null) return refused(ended);
  if (root.provisionDigest === null || !digestsEqual(root.provisionDigest, input.provisionDigest)) {
    return refused(
      refusal('forbidden', {
        at: 'body.provisionToken',
        seen: 'another token',
        expected: 'the token that this workspace was created with',
      }),
    );
  }
  if (root.attachment !== null) {
    return refused(
      refusal('state_conflict', {
        at: 'workspace.attachment',
        seen: 'a workspace that is attached to an organization',
        expected: 'one that is not',
      }),
    );
  }
  const expiresAt = Math.min(
    context.now + limits.workspace.claimLinkMs,
    root.expiresAt ?? Number.MAX_SAFE_INTEGER,
  );
  return {
    outcome: { kind: 'done', result: { digest: input.claimDigest, expiresAt } },
    root: {
      ...root,
      claimLink: { digest: input.claimDigest, expiresAt, attemptsLeft: limits.workspace.confirmAttempts },
    },
    effects: [
      ...endLink(root),
      {
        kind: 'lookup',
        lookup: {
          kind: 'claim-code',
          digest: input.claimDigest,
          target: { installationId: context.aggregate },
          expiresAt,
        },
      },
    ],
  };
}

/** Ends the look-up of the link that is open, if one is. */
export function endLink({ claimLink }: WorkspaceDocument): Effect[] {
  if (claimLink === null) return [];
  const { digest, expiresAt } = claimLink;
  return [{ kind: 'lookup', lookup: { kind: 'claim-code', digest, target: null, expiresAt } }];
}

/** Ends the look-up of the link that a workspace was attached with: until then, repeats find their way with it. */
export function endUsedLink(
  { claimDigest, attachedAt }: NonNullable<WorkspaceDocument['attachment']>,
  limits: Limits,
): Effect {
  const expiresAt = attachedAt + limits.workspace.claimLinkMs;
  return { kind: 'lookup', lookup: { kind: 'claim-code', digest: claimDigest, target: null, expiresAt } };
}
