import type { CredentialDocument } from '../../schemas/workspaces/documents.ts';
import type { Effect } from '../runtime/fold.ts';

/** The pointer from a secret to its credential. It says nothing about whether the secret still holds (design rule 6). */
export function pointToCredential(
  digest: string,
  target: { readonly installationId: string; readonly credentialId: string },
  expiresAt: number | null = null,
): Effect {
  return { kind: 'lookup', lookup: { kind: 'credential', digest, target: { ...target }, expiresAt } };
}

/** Ends the pointers of a credential: of its secret and of the one before. */
export function endSecrets({ digest, previous }: Pick<CredentialDocument, 'digest' | 'previous'>): Effect[] {
  const digests = previous === null ? [digest] : [digest, previous.digest];
  return digests.map(endSecret);
}

/** Ends the pointer of one secret. */
export function endSecret(digest: string): Effect {
  return { kind: 'lookup', lookup: { kind: 'credential', digest, target: null, expiresAt: null } };
}
