import { createHash } from 'node:crypto';
import { digestsEqual } from '../../../schemas/base/digest.ts';
import { serviceError } from '../../../schemas/base/errors.ts';
import { UploadCheck } from '../../../schemas/csv/upload-check.ts';
import { blobExpiry, sourceBlob } from '../../../schemas/imports/blobs.ts';
import type { FileFault } from '../../../schemas/imports/file-faults.ts';
import { writeBlob } from '../../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../../services.ts';

/** The upload that was announced, and the name of the blob that it goes to. */
export interface AnnouncedSource {
  readonly installationId: string;
  readonly importId: string;
  readonly source: string;
  readonly byteLength: number;
  readonly sha256: string;
}

/**
 * Writes an upload to its blob while it arrives, with backpressure: memory holds one piece and the header row.
 * Returns the fault of a file that is not UTF-8 or has no usable header, or null. An upload that differs from the
 * announced bytes leaves nothing behind.
 *
 * @param beforeWriting resolves when the first bytes may be written. If it throws, nothing is written, and the error
 *   is rethrown.
 * @throws {ServiceError} `payload_too_large` at the first byte too many; `upload_conflict` for fewer or other bytes
 */
export async function receiveSource(
  { blobs, clock, limits }: Pick<GatewayServices, 'blobs' | 'clock' | 'limits'>,
  stream: AsyncIterable<Uint8Array>,
  { installationId, importId, source, byteLength, sha256 }: AnnouncedSource,
  beforeWriting: () => Promise<void>,
): Promise<FileFault | null> {
  const digest = createHash('sha256');
  const check = new UploadCheck();
  let received = 0;
  let fault: FileFault | null = null;
  async function* checked() {
    for await (const piece of stream) {
      received += piece.length;
      if (received > byteLength) {
        throw serviceError('payload_too_large', {
          at: 'body',
          seen: 'more bytes than announced',
          expected: `${byteLength} bytes`,
        });
      }
      if (received === piece.length) await beforeWriting();
      digest.update(piece);
      check.write(piece);
      yield piece;
    }
    if (received < byteLength) {
      throw serviceError('upload_conflict', {
        at: 'body',
        seen: `${received} bytes`,
        expected: `the announced ${byteLength}`,
      });
    }
    if (!digestsEqual(digest.digest('hex'), sha256)) {
      throw serviceError('upload_conflict', {
        at: 'body',
        seen: 'bytes with another SHA-256',
        expected: 'bytes with the announced SHA-256',
      });
    }
    const header = check.finish();
    fault = header.kind === 'fault' ? header.fault : null;
  }
  const expiresAt = blobExpiry(clock.now() + limits.imports.retentionMs);
  await writeBlob(blobs, sourceBlob(installationId, importId, source), checked(), { expiresAt });
  return fault;
}
