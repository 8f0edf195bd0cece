import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { WorkspaceDocument, WorkspaceRoot } from '../../schemas/workspaces/documents.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { pointToCredential } from './credential-lookups.ts';
import { lifecycleEffects } from './lifecycle.ts';
import type { WorkspaceInput, WorkspaceResult } from './result.ts';

/**
 * Makes a preview with its first credential. The aggregate's id derives from the provision token, so the second creation
 * with a token comes to the same one: as a replay when its input is the same, and never as another workspace.
 */
export function createWorkspace(
  input: WorkspaceInput<'create'>,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const { name, cohort, products, provisionDigest } = input;
  const { credentialId, number, digest, lastFour } = input.credential;
  const created: WorkspaceDocument = {
    name,
    cohort,
    products,
    state: 'preview',
    plan: 'preview',
    createdAt: context.now,
    expiresAt: context.now + limits.workspace.previewMs,
    claim: null,
    provisionDigest,
    claimLink: null,
    attachment: null,
    firstCredentialId: credentialId,
    extraCredentialIds: [],
  };
  return {
    outcome: {
      kind: 'done',
      result: { createdAt: created.createdAt, expiresAt: created.expiresAt, credentialId, number, digest },
    },
    root: created,
    put: [
      {
        kind: 'credential',
        id: credentialId,
        document: {
          name: null,
          digest,
          number,
          lastFour,
          previous: null,
          createdAt: context.now,
          revokedAt: null,
          lastUsedAt: null,
        },
      },
    ],
    effects: [
      // It outlives the preview, so that an ended one is told apart from a credential that never was.
      pointToCredential(digest, { installationId: context.aggregate, credentialId }),
      ...lifecycleEffects(created, context),
    ],
    remember: { entity: context.aggregate },
  };
}

/**
 * A creation that is repeated with the same token and input. It holds while the workspace is an unattached preview:
 * then whoever has the token is still its only owner.
 */
export function replayCreation(root: WorkspaceRoot | null, context: FoldContext): WorkspaceResult | null {
  const unattached = root !== null && root.state !== 'erased' && root.attachment === null;
  return unattached && effectiveState(root, context.now) === 'preview' ? null : refused(TOKEN_SPENT);
}

/** The refusal of another creation with a token that made a workspace. */
export const TOKEN_SPENT = refusal('state_conflict', {
  at: 'body.provisionToken',
  seen: 'the token of a workspace that is no longer an unattached preview',
  expected: 'a new token for a new workspace',
});
