import { randomId } from '../shared/random-id.ts';
import {
  type Api,
  type ImportStatus,
  onceMore,
  type Reservation,
  refusedBy,
  UPLOAD_UNAUTHORIZED,
} from './api.ts';

/** Returns the SHA-256 of bytes in hexadecimal. The browser computes it beside the page's thread. */
async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The upload of one file. However often it is sent, the service charges one import, because every reservation has the same
 * key, and gets the bytes once.
 */
export class Upload {
  readonly #api: Api;
  readonly #bytes: ArrayBuffer;
  /** Shown to the people who may see the file. */
  readonly #fileName: string;
  readonly #key = randomId();
  /** The import to which bytes were sent. */
  #importId = '';

  constructor(api: Api, bytes: ArrayBuffer, fileName: string) {
    this.#api = api;
    this.#bytes = bytes;
    this.#fileName = fileName;
  }

  /** Brings the file to the service, and tries twice if the connection is lost. Returns the import's id. @throws {Refused} */
  send(onProgress: (sent: number) => void): Promise<string> {
    return onceMore(() => this.#attempt(onProgress));
  }

  async #attempt(onProgress: (sent: number) => void): Promise<string> {
    if (await this.#hasArrived()) return this.#importId;
    const reservation = {
      version: 'svcimport.upload.v1',
      idempotencyKey: this.#key,
      ...(this.#fileName === '' ? {} : { fileName: this.#fileName }),
      byteLength: this.#bytes.byteLength,
      sha256: await sha256(this.#bytes),
    };
    const send = async (): Promise<string> => {
      const reserved = await this.#api.post<Reservation>('/imports', JSON.stringify(reservation));
      this.#importId = reserved.importId;
      await this.#api.upload(reserved, this.#bytes, onProgress);
      return reserved.importId;
    };
    return await send().catch((error: unknown) => {
      if (refusedBy(error).code !== UPLOAD_UNAUTHORIZED) throw error;
      // The same key gets the same import with another token.
      return send();
    });
  }

  /** True if the bytes of an attempt without an answer are there. */
  async #hasArrived(): Promise<boolean> {
    if (this.#importId === '') return false;
    const { status } = await this.#api.get<ImportStatus>(`/imports/${this.#importId}`);
    return status !== 'reserved';
  }
}
