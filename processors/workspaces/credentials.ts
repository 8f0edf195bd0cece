import { type Refusal, refusal } from '../../schemas/base/errors.ts';
import type { CredentialDocument, WorkspaceRows } from '../../schemas/workspaces/documents.ts';
import { workspaceRefusal } from '../../schemas/workspaces/state.ts';
import type { CommandHandler, RowChange } from '../runtime/fold/fold.ts';
import { DONE, DONE_UNREMEMBERED, refused } from '../runtime/fold/results.ts';
import { endSecret, endSecrets, indexSecret } from './credential-index.ts';
import { type Existing, ifExisting } from './existing.ts';
import type { WorkspacesCommandType, WorkspacesFold } from './workspaces-fold.ts';

interface CredentialCommand {
  readonly input: { readonly credentialId: string };
}

/** Names the row of the credential that a command is about. */
const credentialRow = ({ input: { credentialId } }: CredentialCommand) => [
  { kind: 'credential', id: credentialId },
];

/** Adds a named credential. It gives access to everything that the first credential of the workspace does. */
export const createCredential: CommandHandler<WorkspacesFold, 'create-credential'> = {
  fold: ifExisting((scope) => {
    const { root, input, context, limits } = scope;
    const { credentialId, name, digest } = input;
    const stopped = changeRefusal(scope);
    if (stopped !== null) return refused(stopped);
    const extraMax = limits.workspace.extraCredentials;
    if (root.extraCredentialIds.length >= extraMax) return refused(tooMany(extraMax));
    return {
      outcome: madeSecret(input),
      root: { ...root, extraCredentialIds: [...root.extraCredentialIds, credentialId] },
      put: [credentialChange(credentialId, newCredential(name, input, context.now))],
      effects: [indexSecret(digest, { installationId: context.aggregate, credentialId })],
      remember: { entity: credentialEntity(credentialId) },
    };
  }),
};

/**
 * Gives a credential its next secret. The previous secret stays valid for the overlap. An earlier secret that is still in
 * its overlap ends now.
 */
export const rotateCredential: CommandHandler<WorkspacesFold, 'rotate-credential'> = {
  reads: credentialRow,
  fold: ifExisting((scope) => {
    const { row, input, context } = scope;
    const { credentialId, number, digest, lastFour, overlapMs } = input;
    const stopped = changeRefusal(scope);
    if (stopped !== null) return refused(stopped);
    const credential = row('credential', credentialId);
    if (credential === null || credential.revokedAt !== null) return refused(NO_CREDENTIAL);
    if (number !== credential.number + 1) return refused(ROTATED_MEANWHILE);
    const endsAt = context.now + overlapMs;
    const target = { installationId: context.aggregate, credentialId };
    const previous = overlapMs === 0 ? null : { digest: credential.digest, endsAt };
    return {
      outcome: madeSecret(input),
      put: [credentialChange(credentialId, { ...credential, digest, number, lastFour, previous })],
      effects: [
        ...(credential.previous === null ? [] : [endSecret(credential.previous.digest)]),
        previous === null ? endSecret(credential.digest) : indexSecret(credential.digest, target, endsAt),
        indexSecret(digest, target),
      ],
      remember: { entity: credentialEntity(credentialId) },
    };
  }),
};

/**
 * Ends a credential with all its secrets, at once and for good. A repeat changes nothing. A credential that cannot be read is
 * removed.
 */
export const revokeCredential: CommandHandler<WorkspacesFold, 'revoke-credential'> = {
  reads: credentialRow,
  admitsUnreadable: ['credential'],
  fold: ifExisting((scope) => {
    const { root, row, salvaged, input, context } = scope;
    const { credentialId } = input;
    const stopped = changeRefusal(scope);
    if (stopped !== null) return refused(stopped);
    const credential = row('credential', credentialId);
    const known = credential ?? salvaged('credential', credentialId);
    if (known === null) return refused(NO_CREDENTIAL);
    if (credential !== null && credential.revokedAt !== null) return { ...DONE, audit: false };
    return {
      ...DONE,
      root: {
        ...root,
        firstCredentialId: root.firstCredentialId === credentialId ? null : root.firstCredentialId,
        extraCredentialIds: root.extraCredentialIds.filter((id) => id !== credentialId),
      },
      ...(credential === null
        ? { remove: [{ kind: 'credential', id: credentialId }] }
        : {
            put: [credentialChange(credentialId, { ...credential, previous: null, revokedAt: context.now })],
          }),
      effects: endSecrets(known),
    };
  }),
};

/** Stores the time of a credential's last use, at most once an hour although several gateways report it. */
export const noteCredentialUse: CommandHandler<WorkspacesFold, 'credential-used'> = {
  reads: credentialRow,
  fold: ifExisting(
    ({ row, input: { credentialId }, context, limits }) => {
      const credential = row('credential', credentialId);
      if (credential === null || credential.revokedAt !== null) return DONE_UNREMEMBERED;
      const { lastUsedAt } = credential;
      if (lastUsedAt !== null && context.now < lastUsedAt + limits.workspace.lastUseMs) {
        return DONE_UNREMEMBERED;
      }
      const document = { ...credential, lastUsedAt: context.now };
      return { ...DONE_UNREMEMBERED, put: [credentialChange(credentialId, document)] };
    },
    () => DONE_UNREMEMBERED,
  ),
};

/** A credential with its first secret. `now`: Unix milliseconds. */
export function newCredential(
  name: string | null,
  { digest, number, lastFour }: Pick<CredentialDocument, 'digest' | 'number' | 'lastFour'>,
  now: number,
): CredentialDocument {
  return {
    name,
    digest,
    number,
    lastFour,
    previous: null,
    createdAt: now,
    revokedAt: null,
    lastUsedAt: null,
  };
}

function credentialChange(id: string, document: CredentialDocument): RowChange<WorkspaceRows> {
  return { kind: 'credential', id, document };
}

/** The entity that the outcomes of a credential's commands are remembered for. */
function credentialEntity(credentialId: string): string {
  return `credential/${credentialId}`;
}

/** Why an owner cannot change credentials now, or null. The workspace has to be attached and not ended; it may be paused. */
function changeRefusal({ root, context }: Existing<WorkspacesCommandType>): Refusal | null {
  return workspaceRefusal(root, context.now, 'allowed') ?? (root.attachment === null ? NOT_ATTACHED : null);
}

/** The outcome from which a repeated request derives its secret again. */
function madeSecret({
  credentialId,
  number,
  digest,
}: {
  readonly credentialId: string;
  readonly number: number;
  readonly digest: string;
}) {
  return { kind: 'done', result: { credentialId, number, digest } } as const;
}

function tooMany(extraMax: number): Refusal {
  return refusal('limit_reached', {
    at: 'workspace.credentials',
    seen: `${extraMax} extra credentials`,
    expected: 'fewer; revoke one first',
  });
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

const NOT_ATTACHED = refusal('state_conflict', {
  at: 'workspace.attachment',
  seen: 'none',
  expected: 'an organization that the workspace is attached to',
});
