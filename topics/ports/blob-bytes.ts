import type { BlobAddress, BlobOptions, Blobs, ByteRange } from './blobs.ts';

/** A blob is not there, or shorter than it should be: removed meanwhile, or lost. */
export class MissingBlobError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingBlobError';
  }
}

/** Writes a whole blob in pieces. Leaves nothing behind, and rethrows, if a piece cannot be had or written. */
export async function writeBlob(
  blobs: Pick<Blobs, 'create'>,
  address: BlobAddress,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: BlobOptions,
): Promise<void> {
  const writer = blobs.create(address, options);
  try {
    for await (const piece of pieces) await writer.write(piece);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/**
 * Returns the pieces of a blob that its owner says is there, in order.
 *
 * @throws {MissingBlobError} if it is not there
 */
export async function openBlob(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
  range?: ByteRange,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces = await blobs.read(address, range);
  if (pieces === null) throw new MissingBlobError('reading a blob that is not there');
  return pieces;
}

/**
 * Returns the bytes of a blob that its owner says is there, or a range of them cut at its end.
 *
 * @throws {MissingBlobError} if it is not there
 */
export async function readBlob(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
  range?: ByteRange,
): Promise<Buffer> {
  return await collect(await openBlob(blobs, address, range));
}

/** Returns the bytes of a blob, or null if it is not there. */
export async function findBlob(blobs: Pick<Blobs, 'read'>, address: BlobAddress): Promise<Buffer | null> {
  const pieces = await blobs.read(address);
  return pieces === null ? null : await collect(pieces);
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}
