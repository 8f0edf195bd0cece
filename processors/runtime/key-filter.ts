/** Keys of the first part; each further part holds four times as many as the one before. */
const FIRST_PART_KEYS = 1_024;
const GROWTH = 4;

/** With these, one key in some hundreds that were never added is taken for one that was. */
const BITS_A_KEY = 12;
const PROBES = 6;

/** A part of the filter, for a number of keys that is known from the start. */
interface Part {
  readonly words: Uint32Array;
  readonly capacity: number;
  size: number;
}

/**
 * A Bloom filter that grows (Almeida and others, "Scalable Bloom Filters", 2007): it knows for certain of most keys that
 * they were never added, in one and a half bytes for each that was.
 */
export class KeyFilter {
  readonly #parts: Part[] = [];
  #size = 0;

  /** How many keys have been added; one that was added twice may count twice. */
  get size(): number {
    return this.#size;
  }

  add(key: string): void {
    const part = this.#partWithRoom();
    part.size += 1;
    this.#size += 1;
    visitBits(part, key, (word, bit) => {
      part.words[word] = (part.words[word] ?? 0) | bit;
      return true;
    });
  }

  /** False: the key was never added. True says little. */
  mayHave(key: string): boolean {
    return this.#parts.some((part) =>
      visitBits(part, key, (word, bit) => ((part.words[word] ?? 0) & bit) !== 0),
    );
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

/** Visits the bits that stand for a key for as long as the visitor says yes, and returns whether it always did. */
function visitBits({ words }: Part, key: string, visit: (word: number, bit: number) => boolean): boolean {
  let [first, second] = hashes(key);
  for (let probe = 0; probe < PROBES; probe += 1) {
    const position = first % (words.length * 32);
    if (!visit(position >>> 5, 1 << (position & 31))) return false;
    // Two hashes stand in for any number of them (Kirsch and Mitzenmacher, 2006).
    first = (first + second) >>> 0;
    second = (second + probe) >>> 0;
  }
  return true;
}

/** Two hashes of 32 bits: FNV-1a over the code units, and the same with its bits mixed once more (MurmurHash3's finish). */
function hashes(key: string): [number, number] {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return [(hash ^ (hash >>> 15)) >>> 0, ((mixed ^ (mixed >>> 16)) | 1) >>> 0];
}
