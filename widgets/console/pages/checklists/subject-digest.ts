const ENCODER = new TextEncoder();

/**
 * HMAC-SHA256 of a user id, keyed with the secret of the customer's backend, both as UTF-8: 64 lower-case hexadecimal
 * characters, which name the subject in every request. WebCrypto computes it here; neither value leaves the page.
 *
 * @throws {DOMException} for an empty secret, with which no key can be made
 */
export async function subjectDigest(secret: string, userId: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', ENCODER.encode(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, ENCODER.encode(userId));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A pasted digest in the form that requests take, or null if it is none. */
export function digestFrom(text: string): string | null {
  const digest = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(digest) ? digest : null;
}
