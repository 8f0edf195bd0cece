import { createHmac } from 'node:crypto';
import { digestsEqual } from '../../schemas/base/digest.ts';
import { MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';

/**
 * The maximum difference between a signature's time and the clock, in either direction. A captured signature is soon
 * worthless.
 */
export const SIGNATURE_TOLERANCE_MS = 5 * MINUTE_MS;

/**
 * `t=` Unix seconds, then one or more signatures. A provider that rotates its secret sends a `v1=` for each, and a provider that
 * introduces a scheme sends another `v` beside it. HTTP libraries put a blank behind a comma.
 */
const HEADER = /^t=([0-9]{1,12})((?:, ?v[0-9]{1,3}=[!-+\--~]{1,512}){1,8})$/;
const SIGNATURE = /^v1=([0-9a-f]{64})$/;

/**
 * True if a `Svc-Signature` header signs these bytes: HMAC-SHA256, keyed with the shared secret, over the digits of the time, a
 * dot and the body as it came. The comparison takes the same time wherever they differ.
 */
export function isSigned(header: string, body: Uint8Array, secret: string, now: number): boolean {
  const match = HEADER.exec(header);
  if (match === null) return false;
  const [, seconds = '', signatures = ''] = match;
  if (Math.abs(now - Number(seconds) * SECOND_MS) > SIGNATURE_TOLERANCE_MS) return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return signatures
    .split(/, ?/)
    .some((signature) => digestsEqual(SIGNATURE.exec(signature)?.[1] ?? '', expected));
}
