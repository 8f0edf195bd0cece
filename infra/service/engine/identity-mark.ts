import { join } from 'node:path';
import type { SecretKeys } from '../../../gateway/services.ts';
import { keyedDigest } from '../../../schemas/base/digest.ts';
import type { Marks } from '../../../topics/ports/installation-marks.ts';
import type { Settings } from '../settings/settings.ts';
import { StartError } from '../settings/start-error.ts';

/** The name of the mark that holds the fingerprint. */
const NAME = 'identity-secret';

/**
 * Makes sure that the data was written with this identity secret. The store keeps a fingerprint of the first one that it
 * was started with: an HMAC under the secret, from which the secret cannot be told.
 *
 * @throws {StartError} when the fingerprint is of another secret.
 * @throws {EngineUnavailableError} when the store does not answer.
 */
export async function requireIdentity(marks: Marks, settings: Settings, secrets: SecretKeys): Promise<void> {
  const fingerprint = keyedDigest(secrets.identity, 'fingerprint').toString('hex');
  if ((await marks.once(NAME, fingerprint)) === fingerprint) return;
  const place =
    settings.identitySecret === null ? join(settings.dataFolder, 'identity-secret') : 'SVC_IDENTITY_SECRET';
  throw new StartError(
    `${place}: seen a secret other than the one that the data was written with, without which people cannot sign in; restore that one from a backup`,
  );
}
