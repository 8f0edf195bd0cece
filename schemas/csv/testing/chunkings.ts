/** Bytes in pieces, the way they may arrive. */
export type Chunking = readonly Uint8Array[];

/** Cuts bytes at the given offsets, in any order; pieces may be empty. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Chunking {
  const cuts = [0, ...[...offsets].sort((left, right) => left - right), bytes.length];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

/** One byte a piece. */
export function bytewise(bytes: Uint8Array): Chunking {
  return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
}

/** Every way to cut in two, and one byte a piece. */
export function everyChunking(bytes: Uint8Array): Chunking[] {
  const inTwo = Array.from({ length: bytes.length + 1 }, (_, offset) => cutAt(bytes, [offset]));
  return [...inTwo, bytewise(bytes)];
}

/**
 * Hands the pieces out in one piece of memory that is overwritten for each, as a reader with one buffer would: what has
 * to outlive a call must have been copied.
 */
export function* inReusedMemory(chunks: Chunking): Generator<Uint8Array> {
  const memory = Buffer.alloc(Math.max(0, ...chunks.map((chunk) => chunk.length)));
  for (const chunk of chunks) {
    memory.fill(0xff);
    memory.set(chunk);
    yield memory.subarray(0, chunk.length);
  }
}
