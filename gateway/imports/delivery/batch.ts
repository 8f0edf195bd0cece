import { artifactBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportConfiguration } from '../../../schemas/imports/configuration.ts';
import { importsRootSchema, partitionDocumentSchema } from '../../../schemas/imports/documents.ts';
import { batchId, type CanonicalValue, rowId } from '../../../schemas/imports/identity.ts';
import { partitionRowId } from '../../../schemas/imports/row-ids.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { readAggregate } from '../../http/read-aggregate.ts';
import type { GatewayServices } from '../../http/services.ts';
import { namedValues, readArtifact } from '../artifacts.ts';
import { importsAggregate, type LoadedImport, loadConfiguration } from '../load-import.ts';

/**
 * Builds a batch from its stored values. Its ids are computed anew and compared with what was validated: bytes that are
 * not those never leave the service.
 *
 * @throws {Error} when they differ, or when the batch is not there.
 */
export async function loadBatch(
  services: GatewayServices,
  workspace: WorkspaceView,
  { importId, document, effective }: LoadedImport,
  index: number,
) {
  const attempt = effective.validation?.attempt;
  if (attempt === undefined) throw new Error('reading a batch of an import that is not validated');
  const { installationId } = workspace;
  const [partition, configuration, entries] = await Promise.all([
    readPartition(services, installationId, partitionRowId(importId, attempt, index)),
    loadConfiguration(services, workspace, document),
    readArtifact(services.blobs, artifactBlob(installationId, importId, attempt, index)),
  ]);
  const { schemaId, schemaRevision } = document;
  const { firstRow } = partition.range;
  const rows = entries.map((values, position) => {
    if (values === null) throw new Error('reading a batch with an invalid row');
    return rowOf(configuration, { schemaId, schemaRevision, row: firstRow + position, values });
  });
  const rowIds = rows.map((row) => row.rowId);
  const id = batchId(schemaId, schemaRevision, index, firstRow, rowIds);
  if (id !== partition.outcome?.batchId) throw new Error('reading a batch whose identity is another one');
  const manifest = { schemaId, schemaRevision, index, firstRow, rowCount: rows.length, rowIds };
  return { batchId: id, manifest, rows };
}

interface BatchRow {
  readonly schemaId: string;
  readonly schemaRevision: number;
  readonly row: number;
  readonly values: readonly CanonicalValue[];
}

function rowOf(configuration: ImportConfiguration, { schemaId, schemaRevision, row, values }: BatchRow) {
  const { fields } = configuration.schema;
  return { rowId: rowId(schemaId, schemaRevision, row, values), row, values: namedValues(fields, values) };
}

async function readPartition({ store }: GatewayServices, installationId: string, id: string) {
  const reading = await readAggregate(store, importsAggregate(installationId), importsRootSchema, [
    { kind: 'partition', id },
  ]);
  const partition = reading.row('partition', id, partitionDocumentSchema);
  if (partition === null) throw new Error('reading a partition that is not there');
  return partition;
}
