/**
 * Returns the name by which the service knows one of your users: the HMAC-SHA256 of your user id, keyed with a secret of your backend, as
 * 64 hexadecimal characters. Derive it from the user of your own session, never from a request. Another secret makes every
 * user a new subject, so keep it for good. A number is the same user as its digits.
 *
 * @throws {TypeError} if the secret or the id is empty or missing: all users without an id would be one subject
 */
export async function subjectDigest(secret: string, userId: string | number | bigint): Promise<string> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('subjectDigest: the secret is empty.');
  const isText = typeof userId === 'string' && userId !== '';
  if (!isText && typeof userId !== 'bigint' && !Number.isFinite(userId)) {
    const seen = userId === '' ? 'an empty string' : typeof userId;
    throw new TypeError(`subjectDigest: seen ${seen} as the id of a user, expected a text or a number.`);
  }
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return hexOf(await crypto.subtle.sign('HMAC', key, encoder.encode(String(userId))));
}

/** Returns bytes as lower-case hexadecimal. */
export function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
