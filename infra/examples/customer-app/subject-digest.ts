import { createHmac } from 'node:crypto';

/**
 * How the onboarding service knows one of your users: HMAC-SHA256 of your internal user id, keyed with a secret of your
 * backend, as 64 lower-case hexadecimal characters. Derive it here, from the user that your own session names; never take
 * it from a request. Another secret makes strangers of all your users, so keep this one.
 */
export function subjectDigest(secret: string, userId: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex');
}
