import type { BlobAddress, Blobs, ByteRange } from '../../topics/ports/blobs.ts';

/** A blob is not there, or shorter than it should be: removed meanwhile, or lost. */
class MissingBlobError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingBlobError';
  }
}

/**
 * The bytes of a blob in memory.
 *
 * @throws {MissingBlobError} when it is not there or shorter than the range.
 */
export async function readBlob(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
  range: ByteRange,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await openBlob(blobs, address, range)) pieces.push(piece);
  const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  if (bytes.length !== range.end - range.start)
    throw new MissingBlobError('reading a range that the blob does not have');
  return bytes;
}

/**
 * The bytes of a blob in pieces.
 *
 * @throws {MissingBlobError} when it is not there.
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

/** Writes a whole blob; leaves nothing behind when that fails. */
export async function writeBlob(
  blobs: Pick<Blobs, 'create'>,
  address: BlobAddress,
  bytes: Uint8Array,
  expiresAt: number,
): Promise<void> {
  const writer = blobs.create(address, { expiresAt, patient: true });
  try {
    await writer.write(bytes);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
