/** True if this page may compute digests: browsers offer WebCrypto over HTTPS and on localhost only. */
export function canDigest(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}
