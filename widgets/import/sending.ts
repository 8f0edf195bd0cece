import type { CountedChange } from '../../schemas/imports/changed-texts.ts';
import { randomId } from '../shared/random-id.ts';
import {
  type Api,
  type ImportStatus,
  onceMore,
  type Reservation,
  refusedBy,
  UPLOAD_UNAUTHORIZED,
} from './api.ts';
import { jsonList, type Mapping } from './mapping.ts';

/** Returns the SHA-256 of bytes in hexadecimal. The browser computes it beside the page's thread. */
async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A file to be sent. */
export interface FileToSend {
  /** Shown to the people who may see the file. */
  readonly name: string;
  readonly bytes: ArrayBuffer;
  /** The changes that were made to the file of the person. */
  readonly changes: readonly CountedChange[];
  /** The columns that were chosen before the file is sent. */
  readonly chosen?: ChosenColumns | undefined;
}

/** The names of the columns of a file, and where they go. */
export interface ChosenColumns {
  readonly headers: readonly string[];
  readonly mapping: Mapping;
}

/**
 * Keeps or forgets the key of a file in the storage of the tab, by the digest of the file. Within one session, the page that is
 * loaded again gets the same import for the same file.
 */
function keepKey(digest: string, key: string | null): string | null {
  const place = `svcimport-${digest}`;
  try {
    if (key === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, sessionStorage.getItem(place) ?? key);
    return sessionStorage.getItem(place);
  } catch {
    // A browser that stores nothing keeps the key with the page.
    return key;
  }
}

/**
 * The upload of one file. However often it is sent, the service charges one import, because every reservation has the same
 * key, and gets the bytes once.
 */
export class Upload {
  readonly #api: Api;
  readonly #file: FileToSend;
  readonly #made = randomId();
  #digest = '';
  /** The import to which bytes were sent. */
  #importId = '';

  constructor(api: Api, file: FileToSend) {
    this.#api = api;
    this.#file = file;
  }

  /** Brings the file to the service, and tries twice if the connection is lost. Returns the import's id. @throws {Refused} */
  async send(onProgress: (sent: number) => void): Promise<string> {
    this.#digest = await sha256(this.#file.bytes);
    try {
      const importId = await onceMore(() => this.#attempt(onProgress));
      keepKey(this.#digest, null);
      return importId;
    } catch (error) {
      // The import may have ended: the next try is another one.
      if (!refusedBy(error).isPassing) keepKey(this.#digest, null);
      throw error;
    }
  }

  async #attempt(onProgress: (sent: number) => void): Promise<string> {
    if (await this.#hasArrived()) return this.#importId;
    const { name, bytes, changes } = this.#file;
    const reservation = JSON.stringify({
      version: 'svcimport.upload.v1',
      idempotencyKey: keepKey(this.#digest, this.#made),
      ...(name === '' ? {} : { fileName: name }),
      byteLength: bytes.byteLength,
      sha256: this.#digest,
    });
    const named = changes.length === 0 ? '' : `,"changes":${jsonList(changes)}`;
    const json = reservation.replace(/}$/, () => `${named}}`);
    const send = async (): Promise<string> => {
      const reserved = await this.#api.post<Reservation>('/imports', json);
      this.#importId = reserved.importId;
      await this.#api.upload(reserved, bytes, onProgress);
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
