// The part of a git index that names a second file, the shared index (https://git-scm.com/docs/index-format, "Split index").

const EXTENSION = 'link';
/** Name and size of an extension. */
const HEADER_BYTES = 8;
const WORD_BYTES = 8;
const WORD_BITS = 64;
/** A word that describes a run: one bit for its value, 32 for its words, and above them the number of literal words. */
const RUN_MASK = 0xffff_ffffn;
const LITERALS_SHIFT = 33n;

interface SharedIndex {
  /** The hash of the file, which is the end of its name. */
  readonly hash: string;
  /** True for the position of an entry that the index has removed. */
  readonly isRemoved: (position: number) => boolean;
}

/**
 * Returns the shared index that an index builds on, or null if it has all entries itself.
 *
 * @param from the end of its entries, where the extensions begin
 */
export function sharedIndexOf(index: Buffer, from: number, hashBytes: number): SharedIndex | null {
  for (let at = from; at + HEADER_BYTES <= index.length - hashBytes; ) {
    const name = index.toString('latin1', at, at + EXTENSION.length);
    const start = at + HEADER_BYTES;
    at = start + index.readUInt32BE(at + EXTENSION.length);
    if (name !== EXTENSION) continue;
    const removed = [...rangesOf(index.subarray(start + hashBytes, at))];
    return {
      hash: index.toString('hex', start, start + hashBytes),
      isRemoved: (position) => removed.some(([first, end]) => first <= position && position < end),
    };
  }
  return null;
}

/** Yields the positions of a bitmap as ranges. Git compresses it: runs of equal words, each followed by literal words (EWAH). */
function* rangesOf(bitmap: Buffer): Generator<readonly [first: number, end: number], void> {
  if (bitmap.length < HEADER_BYTES) return;
  const end = Math.min(bitmap.length, HEADER_BYTES + bitmap.readUInt32BE(4) * WORD_BYTES) - WORD_BYTES;
  let position = 0;
  for (let at = HEADER_BYTES; at <= end; ) {
    const marker = bitmap.readBigUInt64BE(at);
    at += WORD_BYTES;
    const run = Number((marker >> 1n) & RUN_MASK) * WORD_BITS;
    if ((marker & 1n) === 1n) yield [position, position + run];
    position += run;
    for (let literals = marker >> LITERALS_SHIFT; literals > 0n && at <= end; literals -= 1n) {
      const word = bitmap.readBigUInt64BE(at);
      for (let bit = 0; bit < WORD_BITS; bit += 1)
        if (((word >> BigInt(bit)) & 1n) === 1n) yield [position + bit, position + bit + 1];
      at += WORD_BYTES;
      position += WORD_BITS;
    }
  }
}
