import type { BlobAddress, Blobs, ByteRange } from '../../topics/ports/blobs.ts';

/** A blob's bytes, or a range of them cut at its end; null when it is not there. */
export async function readBytes(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
  range?: ByteRange,
): Promise<Buffer | null> {
  const pieces = await blobs.read(address, range);
  if (pieces === null) return null;
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

/**
 * The pieces of a blob that its owner says is there, in order.
 *
 * @throws {Error} if it is not there
 */
export async function openBytes(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces = await blobs.read(address);
  if (pieces === null) throw new Error('reading a blob that is not there');
  return pieces;
}

/**
 * The bytes of a blob that its owner says is there.
 *
 * @throws {Error} when it is not: no owner outlives its bytes.
 */
export async function requireBytes(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
  range?: ByteRange,
): Promise<Buffer> {
  const bytes = await readBytes(blobs, address, range);
  if (bytes === null) throw new Error('reading a blob that is not there');
  return bytes;
}
