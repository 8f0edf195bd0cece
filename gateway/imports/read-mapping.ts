import { readStored } from '../../schemas/base/stored.ts';
import { mappingBlob } from '../../schemas/imports/blobs.ts';
import { type Mapping, mappingSchema } from '../../schemas/imports/configuration.ts';
import type { MappingDocument } from '../../schemas/imports/documents.ts';
import { mappingRowId } from '../../schemas/imports/row-ids.ts';
import { readBlob } from '../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../services.ts';
import { importsReader, type LoadedImport } from './load-import.ts';

/** The import's mapping with its header names, which are private; null before the first one. */
export async function readMapping(
  services: Pick<GatewayServices, 'store' | 'blobs'>,
  installationId: string,
  loaded: LoadedImport,
): Promise<Mapping | null> {
  const columns = await readColumns(services, installationId, loaded);
  if (columns === null) return null;
  const { mappingRevision } = loaded.document;
  const address = mappingBlob(installationId, loaded.importId, { ...columns, revision: mappingRevision });
  const bytes = await readBlob(services.blobs, address);
  return readStored(mappingSchema, JSON.parse(bytes.toString('utf8')));
}

/** The mapping as positions of columns; null before the first one. */
export async function readColumns(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
  { importId, document }: LoadedImport,
): Promise<MappingDocument | null> {
  const id = mappingRowId(importId, document.mappingRevision);
  return await importsReader.row(store, installationId, 'mapping', id);
}
