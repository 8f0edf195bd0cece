import { keyedDigest } from '../../schemas/base/digest.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import type { SecretKeys } from '../http/services.ts';

/**
 * The aggregate of the person with this e-mail address (design rules 10 and 11): 64 hexadecimal characters, and nothing
 * from which the address could be found without the key.
 */
export function personKeyOf(keys: Pick<SecretKeys, 'identity'>, email: string): string {
  return keyedDigest(keys.identity, 'person', normaliseEmail(email)).toString('hex');
}
