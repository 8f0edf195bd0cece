const DATABASE = 'svcimport';
const STORE = 'kept';
/** The time for which a file is kept. */
const KEPT_MS = 86_400_000;
const IV_BYTES = 12;
const KEY_BITS = 256;

/** Encrypted bytes. */
interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

/** The name under which the tab has the id and the key of a kept file. */
function placeOf(schemaId: string): string {
  return `svcimport-kept-${schemaId}`;
}

/**
 * A file that is kept in the browser while its tab is open, encrypted with a key that only the tab has. Each method rejects where the
 * browser stores nothing.
 */
export class KeptFile {
  readonly #schemaId: string;
  readonly #id: string;
  readonly #key: CryptoKey;
  /** The state that waits for the one before it. */
  #next: string | null = null;
  #isBusy = false;
  #isOver = false;

  private constructor(schemaId: string, id: string, key: CryptoKey) {
    this.#schemaId = schemaId;
    this.#id = id;
    this.#key = key;
  }

  /** Starts to keep a file in the place of the one before, and removes those whose time is over. */
  static async start(schemaId: string, bytes: readonly ArrayBuffer[]): Promise<KeptFile> {
    await removeKept(schemaId);
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: KEY_BITS }, true, [
      'encrypt',
      'decrypt',
    ]);
    // The time at which it is removed, and what tells tabs apart.
    const id = `${Date.now() + KEPT_MS}-${hex(crypto.getRandomValues(new Uint8Array(IV_BYTES)))}`;
    const kept = new KeptFile(schemaId, id, key);
    await kept.#put('file', bytes);
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key));
    sessionStorage.setItem(placeOf(schemaId), `${id} ${hex(raw)}`);
    return kept;
  }

  /** Reads the file that this tab keeps for a schema, with its last state, or resolves with null. */
  static async read(schemaId: string): Promise<{
    readonly kept: KeptFile;
    readonly bytes: readonly ArrayBuffer[];
    readonly state: string;
  } | null> {
    const [id, raw] = sessionStorage.getItem(placeOf(schemaId))?.split(' ') ?? [];
    if (id === undefined || raw === undefined) return null;
    const key = await crypto.subtle.importKey('raw', fromHex(raw), 'AES-GCM', true, ['encrypt', 'decrypt']);
    const kept = new KeptFile(schemaId, id, key);
    const [bytes, state] = [await kept.#get('file'), await kept.#get('state')];
    if (bytes === null || state?.[0] === undefined) return null;
    return { kept, bytes, state: new TextDecoder().decode(state[0]) };
  }

  /** Keeps the last of several states. */
  keep(state: string): void {
    this.#next = state;
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#write().finally(() => {
      this.#isBusy = false;
    });
  }

  /** Ends the keeping, and removes everything. */
  async remove(): Promise<void> {
    this.#isOver = true;
    await removeKept(this.#schemaId);
  }

  async #write(): Promise<void> {
    while (this.#next !== null && !this.#isOver) {
      const state = this.#next;
      this.#next = null;
      try {
        await this.#put('state', [new TextEncoder().encode(state).buffer]);
      } catch {
        // A browser without room keeps what it has.
        return;
      }
    }
  }

  async #put(kind: string, parts: readonly ArrayBuffer[]): Promise<void> {
    const sealed = await Promise.all(
      parts.map(async (bytes): Promise<Sealed> => {
        const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
        return { iv, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, this.#key, bytes) };
      }),
    );
    if (this.#isOver) return;
    await inStore('readwrite', (store) => store.put(sealed, `${this.#id} ${kind}`));
  }

  async #get(kind: string): Promise<ArrayBuffer[] | null> {
    if (isOver(this.#id)) return null;
    const sealed: readonly Sealed[] =
      (await inStore('readonly', (store) => store.get(`${this.#id} ${kind}`))) ?? [];
    return await Promise.all(
      sealed.map(({ iv, bytes }) => crypto.subtle.decrypt({ name: 'AES-GCM', iv }, this.#key, bytes)),
    );
  }
}

/** Removes what this tab keeps for a schema, and what any tab has kept for too long. */
export async function removeKept(schemaId: string): Promise<void> {
  const [id] = sessionStorage.getItem(placeOf(schemaId))?.split(' ') ?? [];
  sessionStorage.removeItem(placeOf(schemaId));
  const keys = await inStore('readonly', (store) => store.getAllKeys());
  for (const name of keys.map(String))
    if (name.split(' ')[0] === id || isOver(name)) await inStore('readwrite', (store) => store.delete(name));
}

/** True for the id of a file, or the name of an entry of it, whose time is over. */
function isOver(id: string): boolean {
  return Number.parseInt(id, 10) < Date.now();
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await answerOf(opening);
  try {
    return await answerOf(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array((text.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)));
}
