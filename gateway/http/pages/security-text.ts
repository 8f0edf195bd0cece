import { DAY_MS } from '../../../schemas/base/time.ts';
import type { Hosts } from '../../services.ts';

/** The address at which finders of a vulnerability look for whom to tell (RFC 9116). */
export const SECURITY_PATH = '/.well-known/security.txt';

/** The time for which the text counts. RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;

/**
 * Returns a text about whom to report a vulnerability to (RFC 9116).
 *
 * @param contacts URIs, the preferred one first
 * @param now Unix milliseconds
 */
export function securityText(
  contacts: readonly string[],
  { base }: Pick<Hosts, 'base'>,
  now: number,
): string {
  const expires = new Date(Math.floor((now + VALID_MS) / DAY_MS) * DAY_MS).toISOString();
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${base}${SECURITY_PATH}`,
    `Policy: ${base}/docs/security`,
  ];
  return `${lines.join('\n')}\n`;
}
