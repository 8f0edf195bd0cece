import { blobExpiry, fileNameBlob } from '../../schemas/imports/blobs.ts';
import { endedRefusal } from '../../schemas/imports/status.ts';
import { findBlob, writeBlob } from '../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../services.ts';
import type { LoadedImport } from './load-import.ts';

/** Keeps the name of a reserved import's file. A repeat of the reservation replaces it. */
export async function storeFileName(
  { blobs, clock, limits }: Pick<GatewayServices, 'blobs' | 'clock' | 'limits'>,
  installationId: string,
  importId: string,
  fileName: string,
): Promise<void> {
  const expiresAt = blobExpiry(clock.now() + limits.imports.retentionMs);
  await writeBlob(blobs, fileNameBlob(installationId, importId), [Buffer.from(fileName)], { expiresAt });
}

/** Returns the name of an import's file, which is private; null where its sender gave none, and once the import has ended. */
export async function readFileName(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  installationId: string,
  { importId, effective }: LoadedImport,
): Promise<string | null> {
  if (endedRefusal(effective) !== null) return null;
  const bytes = await findBlob(blobs, fileNameBlob(installationId, importId));
  return bytes?.toString('utf8') ?? null;
}
