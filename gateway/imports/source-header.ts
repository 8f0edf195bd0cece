import { readHeader } from '../../schemas/csv/header.ts';
import { sourceBlob } from '../../schemas/imports/blobs.ts';
import { openBlob } from '../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../services.ts';
import type { LoadedImport } from './load-import.ts';

/**
 * The header names of an import's file, which are private; null if nothing was uploaded yet. Null also for a file whose
 * header cannot be read: the upload fails such a file, except one from before uploads were checked for that.
 */
export async function sourceHeader(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  installationId: string,
  { importId, document }: LoadedImport,
): Promise<readonly string[] | null> {
  if (document.source === null) return null;
  const address = sourceBlob(installationId, importId, document.source.name);
  const header = await readHeader(await openBlob(blobs, address));
  return header.kind === 'header' ? header.names : null;
}
