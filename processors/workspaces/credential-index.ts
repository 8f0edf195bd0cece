import type { CredentialDocument } from '../../schemas/workspaces/documents.ts';
import type { Effect } from '../runtime/fold/fold.ts';

/**
 * Writes the index entry from a secret to its credential. The entry does not say that the secret is valid: the credential's
 * row decides that.
 */
export function indexSecret(
  digest: string,
  target: { readonly installationId: string; readonly credentialId: string },
  expiresAt: number | null = null,
): Effect {
  return { kind: 'index', entry: { kind: 'credential', digest, target, expiresAt } };
}

/** Removes the index entries of a credential, as far as it can be read: those of its secret and of the previous secret. */
export function endSecrets({ digest, previous }: Partial<CredentialDocument>): Effect[] {
  return [digest, previous?.digest].filter((each) => each !== undefined).map(endSecret);
}

/** Removes the index entry of one secret. */
export function endSecret(digest: string): Effect {
  return { kind: 'index', entry: { kind: 'credential', digest, target: null, expiresAt: null } };
}
