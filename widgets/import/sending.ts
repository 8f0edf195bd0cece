import { type Api, Refused, type Reservation } from './api.ts';

/** Returns the SHA-256 of bytes in hexadecimal. The browser computes it beside the page's thread. */
export async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Reserves an import and sends its bytes. If the connection is lost, it does so once more with the same key, which gives
 * the same import and is not charged again. Returns the import's id.
 *
 * @throws {Refused}
 */
export async function sendFile(
  api: Api,
  bytes: ArrayBuffer,
  onProgress: (sent: number) => void,
): Promise<string> {
  const reservation = JSON.stringify({
    version: 'svcimport.upload.v1',
    idempotencyKey: crypto.randomUUID(),
    byteLength: bytes.byteLength,
    sha256: await sha256(bytes),
  });
  const attempt = async (): Promise<string> => {
    const reserved = await api.post<Reservation>('/imports', reservation);
    await api.upload(reserved, bytes, onProgress);
    return reserved.importId;
  };
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Refused && error.isPassing)) throw error;
    return await attempt();
  }
}
