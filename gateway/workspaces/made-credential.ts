import type { z } from 'zod';
import type { ResultOf } from '../../schemas/base/command.ts';
import { lastFour, secretDigest } from '../../schemas/base/secrets.ts';
import type { workspacesCommands } from '../../schemas/workspaces/commands.ts';
import type { madeCredentialSchema } from '../../schemas/workspaces/http.ts';
import { type DerivedFault, deriveAgain, deriveSecret } from '../http/records/derive.ts';
import type { SecretKeys } from '../services.ts';

/** The secret of a credential with this number, as commands carry it: its digest and last four characters. */
export function derivedCredential(keys: SecretKeys, credentialId: string, number: number) {
  const secret = deriveSecret(keys, 'project', credentialId, number);
  return { credentialId, number, digest: secretDigest(secret), lastFour: lastFour(secret) };
}

type MadeSecret = ResultOf<typeof workspacesCommands, 'create-credential' | 'rotate-credential'>;

/**
 * The answer with a new secret, from the result of its command. A repeat gets the same secret.
 *
 * @throws {ServiceError} `gone` if the service's key has been replaced since the secret was derived.
 */
export function madeCredential(
  keys: SecretKeys,
  { credentialId, number, digest }: MadeSecret,
  fault: DerivedFault = {},
): z.infer<typeof madeCredentialSchema> {
  return { credentialId, credential: deriveAgain(keys, 'project', credentialId, number, digest, fault) };
}
