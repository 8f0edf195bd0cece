import { keyedDigest } from '../../schemas/base/digest.ts';
import { normaliseEmail } from '../../schemas/people/email.ts';
import type { SecretKeys } from '../services.ts';

/**
 * The aggregate of the person with this e-mail address: 64 hexadecimal characters. The address cannot be derived from
 * them without the key (infra/docs/decisions/0019-derived-secrets.md).
 */
export function personKeyOf(keys: Pick<SecretKeys, 'identity'>, email: string): string {
  return keyedDigest(keys.identity, 'person', normaliseEmail(email)).toString('hex');
}
