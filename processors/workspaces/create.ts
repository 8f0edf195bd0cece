import { refusal } from '../../schemas/base/errors.ts';
import type { WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { effectiveState } from '../../schemas/workspaces/state.ts';
import type { CommandHandler } from '../runtime/fold/fold.ts';
import { refused } from '../runtime/fold/results.ts';
import { indexSecret } from './credential-index.ts';
import { newCredential } from './credentials.ts';
import { lifecycleEffects } from './lifecycle.ts';
import type { WorkspacesFold } from './workspaces-fold.ts';

/**
 * Creates a preview with its first credential. The aggregate's id derives from the provision token, so every creation with
 * a token reaches the same aggregate. A creation with the same input is a replay; no other one creates a workspace.
 */
export const create: CommandHandler<WorkspacesFold, 'create'> = {
  fold({ root, input, context, limits }) {
    if (root !== null) return refused(TOKEN_SPENT);
    const { aggregate: installationId, now } = context;
    const { name, cohort, products, provisionDigest, creator } = input;
    const { credentialId, number, digest } = input.credential;
    const expiresAt = now + limits.workspace.previewMs;
    const created: WorkspaceDocument = {
      name,
      cohort,
      products,
      state: 'preview',
      plan: 'preview',
      createdAt: now,
      expiresAt,
      claim: null,
      provisionDigest,
      ...(creator !== undefined && { creator }),
      claimLink: null,
      attachment: null,
      firstCredentialId: credentialId,
      extraCredentialIds: [],
    };
    return {
      outcome: { kind: 'done', result: { createdAt: now, expiresAt, credentialId, number, digest } },
      root: created,
      put: [{ kind: 'credential', id: credentialId, document: newCredential(null, input.credential, now) }],
      effects: [
        // The entry outlives the preview, so that the gateway can distinguish an expired workspace from an unknown
        // credential.
        indexSecret(digest, { installationId, credentialId }),
        ...lifecycleEffects(created, context),
      ],
      remember: { entity: installationId },
    };
  },
  /** Answers a repeat while the workspace is an unattached preview: until then its only owner has the token. */
  replay({ root, context }) {
    const unattached = root !== null && root.state !== 'erased' && root.attachment === null;
    return unattached && effectiveState(root, context.now) === 'preview' ? null : refused(TOKEN_SPENT);
  },
};

const TOKEN_SPENT = refusal('state_conflict', {
  at: 'body.provisionToken',
  seen: 'the token of a workspace that is no longer an unattached preview',
  expected: 'a new token for a new workspace',
});
