/** Rows of the first part; each further part holds four times as many as the one before. */
const FIRST_PART_KEYS = 1_024;
const GROWTH = 4;

/** With these, one row in some ten thousands is taken for one that was added: a batch asks for hundreds. */
const BITS_A_KEY = 20;
const PROBES = 10;

/** A part of the filter, for a number of rows that is known from the start. */
interface Part {
  readonly words: Uint32Array;
  readonly capacity: number;
  size: number;
}

/**
 * A growing Bloom filter of row keys (Almeida and others, "Scalable Bloom Filters", 2007), in less than three bytes
 * for each key. For most absent keys it knows that they were never added. It is made for many queries a command: it
 * allocates no objects, and derives its bits from two hashes (Kirsch and Mitzenmacher, 2006).
 */
export class KeyFilter {
  readonly #parts: Part[] = [];
  #size = 0;

  /** Rows that have been added, each counted once. */
  get size(): number {
    return this.#size;
  }

  /** Adds a row. Adding a row that the filter may already have changes nothing. */
  add(kind: string, id: string): void {
    let hash = hashOf(kind, id);
    const step = mixed(hash);
    if (this.#hasAll(hash, step)) return;
    const part = this.#partWithRoom();
    const { words } = part;
    part.size += 1;
    this.#size += 1;
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = hash % (words.length * 32);
      words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
      hash = (hash + step) >>> 0;
    }
  }

  /** False: the row was never added. True says little. */
  mayHave(kind: string, id: string): boolean {
    if (this.#size === 0) return false;
    const hash = hashOf(kind, id);
    return this.#hasAll(hash, mixed(hash));
  }

  #hasAll(hash: number, step: number): boolean {
    for (const { words } of this.#parts) {
      if (hasBits(words, hash, step)) return true;
    }
    return false;
  }

  #partWithRoom(): Part {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.size < last.capacity) return last;
    const capacity = last === undefined ? FIRST_PART_KEYS : last.capacity * GROWTH;
    const part = { words: new Uint32Array((capacity * BITS_A_KEY) / 32), capacity, size: 0 };
    this.#parts.push(part);
    return part;
  }
}

function hasBits(words: Uint32Array, first: number, step: number): boolean {
  let hash = first;
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = hash % (words.length * 32);
    if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    hash = (hash + step) >>> 0;
  }
  return true;
}

/** FNV-1a over the code units of both, with 32 bits; its last bits are mixed, as it leaves them too alike. */
function hashOf(kind: string, id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < kind.length; index += 1) {
    hash = Math.imul(hash ^ kind.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ 0x2f, 0x01000193);
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Another hash of the same, with the finish of MurmurHash3: odd, so that no probe meets the one before. */
function mixed(hash: number): number {
  let rest = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  rest = Math.imul(rest ^ (rest >>> 13), 0xc2b2ae35);
  return ((rest ^ (rest >>> 16)) | 1) >>> 0;
}
