/**
 * Returns the name by which the service knows one of your users: the HMAC-SHA256 of your user id, keyed with a secret of your backend, as
 * 64 hexadecimal characters. Derive it from the user of your own session, never from a request. Another secret makes every
 * user a new subject, so keep it for good.
 */
export async function subjectDigest(secret: string, userId: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return hexOf(await crypto.subtle.sign('HMAC', key, encoder.encode(userId)));
}

/** Returns bytes as lower-case hexadecimal. */
export function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
