import { HEADER_PREFIX_BYTES, readHeader } from '../../schemas/csv/header.ts';
import { sourceBlob } from '../../schemas/imports/blobs.ts';
import type { GatewayServices } from '../services.ts';
import { requireBytes } from './blob-bytes.ts';
import type { LoadedImport } from './load-import.ts';

/**
 * The header names of an import's file, which are private; null when nothing was uploaded yet, or when the header cannot
 * be read and the split is going to fail the import.
 */
export async function sourceHeader(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  installationId: string,
  { importId, document }: LoadedImport,
): Promise<readonly string[] | null> {
  if (document.source === null) return null;
  const address = sourceBlob(installationId, importId, document.source.name);
  const header = await readHeader(await requireBytes(blobs, address, { start: 0, end: HEADER_PREFIX_BYTES }));
  return header.kind === 'header' ? header.names : null;
}
