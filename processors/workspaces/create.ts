import { refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import type { Lifecycle } from '../../schemas/workspaces/lifecycle.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import { type Effect, type FoldContext, refused } from '../runtime/fold.ts';
import type { WorkspaceInput, WorkspaceResult } from './result.ts';

/**
 * Makes a preview with its first credential. The aggregate's id derives from the provision token, so the second creation
 * with a token comes here too: as a replay when its input is the same, and never as another workspace.
 */
export function createWorkspace(
  root: WorkspaceDocument | null,
  input: WorkspaceInput<'create'>,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  if (root !== null) return refused(TOKEN_SPENT);
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
    claimedAt: null,
    provisionDigest,
    claimLink: null,
    attachment: null,
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
        document: { digest, number, lastFour, createdAt: context.now, revokedAt: null, lastUsedAt: null },
      },
    ],
    effects: [
      {
        kind: 'lookup',
        lookup: {
          kind: 'credential',
          digest,
          target: { installationId: context.aggregate, credentialId },
          // It outlives the preview, so that an ended one is told apart from a credential that never was.
          expiresAt: null,
        },
      },
      ...lifecycleEffects(created, context),
    ],
    remember: { entity: context.aggregate },
  };
}

/**
 * A creation that is repeated with the same token and input. It holds while the workspace is an unattached preview:
 * then whoever has the token is still its only owner.
 */
export function replayCreation(root: WorkspaceDocument | null, context: FoldContext): WorkspaceResult | null {
  const unattached = root !== null && root.attachment === null;
  return unattached && effectiveState(root, context.now) === 'preview' ? null : refused(TOKEN_SPENT);
}

const TOKEN_SPENT = refusal(
  'state_conflict',
  'The workspace of this provisionToken is no longer an unattached preview; a new workspace takes a new token.',
);

/** Tells every product what it must know of its workspace (design rule 7). */
function lifecycleEffects(workspace: WorkspaceDocument, context: FoldContext): Effect[] {
  const lifecycle: Lifecycle = {
    version: context.sequence,
    state: workspace.state,
    plan: workspace.plan,
    expiresAt: workspace.expiresAt,
    products: workspace.products,
  };
  return LIFECYCLE_TOPICS.map((topic) => ({
    kind: 'command',
    topic,
    key: context.aggregate,
    type: 'lifecycle',
    input: lifecycle,
  }));
}

/** The topics of the products that keep a copy of the lifecycle. */
const LIFECYCLE_TOPICS = ['imports'] as const;
