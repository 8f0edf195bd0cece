import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { Limits } from '../../schemas/limits.ts';
import type { CredentialDocument, WorkspaceDocument } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { FoldContext } from '../runtime/fold.ts';
import { refused } from '../runtime/results.ts';
import { endSecret, endSecrets, pointToCredential } from './credential-lookups.ts';
import { NOTED, type WorkspaceInput, type WorkspaceResult, type WorkspaceView } from './result.ts';

/**
 * Adds a named credential. It opens what the workspace's first one opens; its secret is known by its digest only (contract
 * "People").
 */
export function createCredential(
  { root }: WorkspaceView,
  input: WorkspaceInput<'create-credential'>,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const { credentialId, name, number, digest, lastFour } = input;
  const stopped = changeRefusal(root, context);
  if (stopped !== null) return refused(stopped);
  const extraMax = limits.workspace.extraCredentials;
  if (root.extraCredentialIds.length >= extraMax) {
    return refused(
      refusal('limit_reached', {
        at: 'workspace.credentials',
        seen: `${extraMax} extra credentials`,
        expected: 'fewer; revoke one first',
      }),
    );
  }
  const document: CredentialDocument = {
    name,
    digest,
    number,
    lastFour,
    previous: null,
    createdAt: context.now,
    revokedAt: null,
    lastUsedAt: null,
  };
  return {
    outcome: madeSecret(input),
    root: { ...root, extraCredentialIds: [...root.extraCredentialIds, credentialId] },
    put: [{ kind: 'credential', id: credentialId, document }],
    effects: [pointToCredential(digest, { installationId: context.aggregate, credentialId })],
    remember: { entity: credentialEntity(credentialId) },
  };
}

/**
 * Gives a credential its next secret. The one before goes on for the overlap and no longer; an earlier one that was still in
 * its overlap ends now.
 */
export function rotateCredential(
  view: WorkspaceView,
  input: WorkspaceInput<'rotate-credential'>,
  context: FoldContext,
): WorkspaceResult {
  const { credentialId, number, digest, lastFour, overlapMs } = input;
  const stopped = changeRefusal(view.root, context);
  if (stopped !== null) return refused(stopped);
  const credential = view.row('credential', credentialId);
  if (credential === null || credential.revokedAt !== null) return refused(NO_CREDENTIAL);
  if (number !== credential.number + 1) return refused(ROTATED_MEANWHILE);
  const endsAt = context.now + overlapMs;
  const target = { installationId: context.aggregate, credentialId };
  const previous = overlapMs === 0 ? null : { digest: credential.digest, endsAt };
  return {
    outcome: madeSecret(input),
    put: [
      {
        kind: 'credential',
        id: credentialId,
        document: { ...credential, digest, number, lastFour, previous },
      },
    ],
    effects: [
      ...(credential.previous === null ? [] : [endSecret(credential.previous.digest)]),
      previous === null ? endSecret(credential.digest) : pointToCredential(credential.digest, target, endsAt),
      pointToCredential(digest, target),
    ],
    remember: { entity: credentialEntity(credentialId) },
  };
}

/** Ends a credential with every secret of it, for good and at once. Twice is once. */
export function revokeCredential(
  view: WorkspaceView,
  { credentialId }: WorkspaceInput<'revoke-credential'>,
  context: FoldContext,
): WorkspaceResult {
  const { root } = view;
  const stopped = changeRefusal(root, context);
  if (stopped !== null) return refused(stopped);
  const credential = view.row('credential', credentialId);
  if (credential === null) return refused(NO_CREDENTIAL);
  const outcome = { kind: 'done', result: {} } as const;
  if (credential.revokedAt !== null) return { outcome, audit: false };
  return {
    outcome,
    root: {
      ...root,
      firstCredentialId: root.firstCredentialId === credentialId ? null : root.firstCredentialId,
      extraCredentialIds: root.extraCredentialIds.filter((id) => id !== credentialId),
    },
    put: [
      {
        kind: 'credential',
        id: credentialId,
        document: { ...credential, previous: null, revokedAt: context.now },
      },
    ],
    effects: endSecrets(credential),
  };
}

/** Notes when a credential was last used; several gateways report it, and an hour's accuracy is enough (contract B). */
export function noteCredentialUse(
  view: WorkspaceView,
  { credentialId }: WorkspaceInput<'credential-used'>,
  context: FoldContext,
  limits: Limits,
): WorkspaceResult {
  const credential = view.row('credential', credentialId);
  if (credential === null || credential.revokedAt !== null) return NOTED;
  const { lastUsedAt } = credential;
  if (lastUsedAt !== null && context.now < lastUsedAt + limits.workspace.lastUseMs) return NOTED;
  const document = { ...credential, lastUsedAt: context.now };
  return { ...NOTED, put: [{ kind: 'credential', id: credentialId, document }] };
}

/** What an outcome about a credential is remembered for. */
function credentialEntity(credentialId: string): string {
  return `credential/${credentialId}`;
}

const NO_CREDENTIAL = refusal('not_found', {
  at: 'path.credentialId',
  seen: 'the id of no credential',
  expected: 'the id of a credential of this workspace',
});

const ROTATED_MEANWHILE = refusal('state_conflict', {
  at: 'credential.number',
  seen: 'a credential that was rotated meanwhile',
  expected: 'the latest one; read the workspace and decide again',
});

/** An owner changes the credentials of a workspace that is attached and has not ended; a pause stops nothing of that. */
function changeRefusal(root: WorkspaceDocument, { now }: FoldContext): Refusal | null {
  return workspaceRefusal(root, now, 'allowed') ?? (root.attachment === null ? NOT_ATTACHED : null);
}

const NOT_ATTACHED = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'none',
  expected: 'an organization that the workspace is attached to',
});

/** What a repeat of the request needs to derive the secret again. */
function madeSecret({
  credentialId,
  number,
  digest,
}: Pick<WorkspaceInput<'rotate-credential'>, 'credentialId' | 'number' | 'digest'>) {
  return { kind: 'done', result: { credentialId, number, digest } } as const;
}
