// Decompression of the LZ4 frame format (version 1.6.1) and its block format.

const MAGIC = 0x184d2204;
const VERSION_MASK = 0b1100_0000;
const VERSION = 0b0100_0000;
const BLOCK_CHECKSUM = 0b0001_0000;
const CONTENT_SIZE = 0b0000_1000;
const DICTIONARY_ID = 0b0000_0001;

/** Flag in the length of a block whose bytes are stored uncompressed. */
const STORED = 0x8000_0000;

const CONTENT_SIZE_BYTES = 8;
const CHECKSUM_BYTES = 4;
const MATCH_BYTES_MIN = 4;
/** A length of this value continues in the following bytes. */
const LENGTH_GOES_ON = 15;
const FIRST_BYTES = 64 * 1024;

/**
 * Unpacks one LZ4 frame, whose blocks may refer to earlier ones. Ignores the checksums: the broker verifies the
 * checksum of a batch before it stores it.
 *
 * @throws {Error} if the bytes are not such a frame, end too early, or unpack to more than `bytesMax`
 */
export function decompressLz4(packed: Buffer, bytesMax: number): Buffer {
  const output = new Output(bytesMax);
  const { blocksAt, checksumBytes } = readHeader(packed);
  for (let at = blocksAt; ; ) {
    const length = readLength(packed, at);
    if (length === 0) return output.bytes();
    const start = at + 4;
    const end = start + (length & ~STORED);
    if (end + checksumBytes > packed.length) throw refusal('a block ends behind the last byte');
    if ((length & STORED) === 0) unpackBlock(packed.subarray(start, end), output);
    else output.append(packed, start, end);
    at = end + checksumBytes;
  }
}

function readHeader(packed: Buffer): { blocksAt: number; checksumBytes: number } {
  const flags = packed[4];
  if (flags === undefined || packed.readUInt32LE(0) !== MAGIC) throw refusal('it is not a frame');
  if ((flags & VERSION_MASK) !== VERSION) throw refusal('the version is unknown');
  if ((flags & DICTIONARY_ID) !== 0) throw refusal('it needs a dictionary');
  // Magic, flags, block descriptor, optional content size, and a checksum of one byte.
  const blocksAt = 4 + 2 + ((flags & CONTENT_SIZE) === 0 ? 0 : CONTENT_SIZE_BYTES) + 1;
  return { blocksAt, checksumBytes: (flags & BLOCK_CHECKSUM) === 0 ? 0 : CHECKSUM_BYTES };
}

function readLength(packed: Buffer, at: number): number {
  if (at + 4 > packed.length) throw refusal('the end mark is missing');
  return packed.readUInt32LE(at);
}

/** Unpacks one block: a sequence of pairs, each of literal bytes and a stretch of earlier output to repeat. */
function unpackBlock(block: Buffer, output: Output): void {
  const input = new Input(block);
  while (!input.isAtEnd()) {
    const token = input.byte();
    const literals = input.length(token >> 4);
    output.append(block, input.at, input.skip(literals));
    // The last pair of a block has no stretch to repeat.
    if (input.isAtEnd()) return;
    const distance = input.byte() | (input.byte() << 8);
    output.repeat(distance, input.length(token & LENGTH_GOES_ON) + MATCH_BYTES_MIN);
  }
}

class Input {
  at = 0;
  readonly #block: Buffer;

  constructor(block: Buffer) {
    this.#block = block;
  }

  isAtEnd(): boolean {
    return this.at >= this.#block.length;
  }

  byte(): number {
    const value = this.#block[this.at];
    if (value === undefined) throw refusal('a block ends too early');
    this.at += 1;
    return value;
  }

  /** Reads the rest of a length that starts with `first` in the token. */
  length(first: number): number {
    if (first < LENGTH_GOES_ON) return first;
    let length = first;
    for (let more = 255; more === 255; length += more) more = this.byte();
    return length;
  }

  /** Advances by `bytes` and returns the new position. */
  skip(bytes: number): number {
    this.at += bytes;
    if (this.at > this.#block.length) throw refusal('a block ends too early');
    return this.at;
  }
}

/** An output buffer that grows and can repeat its own bytes. */
class Output {
  readonly #bytesMax: number;
  #buffer: Buffer = Buffer.alloc(FIRST_BYTES);
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  append(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    source.copy(this.#buffer, this.#length, start, end);
    this.#length += end - start;
  }

  /** Repeats `count` bytes from `distance` back. The stretch may overlap its copy, as in a run of one byte. */
  repeat(distance: number, count: number): void {
    if (distance === 0 || distance > this.#length) throw refusal('it repeats bytes from before its start');
    this.#reserve(count);
    let left = count;
    while (left > 0) {
      const step = Math.min(left, distance);
      this.#buffer.copyWithin(this.#length, this.#length - distance, this.#length - distance + step);
      this.#length += step;
      left -= step;
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed > this.#bytesMax) throw refusal(`it unpacks to more than ${this.#bytesMax} bytes`);
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.min(this.#bytesMax, Math.max(needed, this.#buffer.length * 2)));
    this.bytes().copy(larger);
    this.#buffer = larger;
  }
}

function refusal(reason: string): Error {
  return new Error(`unpacking LZ4: ${reason}`);
}
