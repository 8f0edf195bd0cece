import { artifactBlob } from '../../../schemas/imports/blobs.ts';
import type { ImportConfiguration } from '../../../schemas/imports/configuration.ts';
import { batchId, type CanonicalValue, rowId } from '../../../schemas/imports/identity.ts';
import { partitionRowId } from '../../../schemas/imports/row-ids.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../../http/services.ts';
import { namedValues, readArtifact } from '../artifacts.ts';
import { type LoadedImport, loadConfiguration, readImportsRow } from '../load-import.ts';

/**
 * Builds a batch from its stored values. Its ids are computed again and compared with the validated ones: other
 * bytes never leave the service.
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
    readImportsRow(services.store, installationId, 'partition', partitionRowId(importId, attempt, index)),
    loadConfiguration(services, workspace, document),
    readArtifact(services.blobs, artifactBlob(installationId, importId, attempt, index)),
  ]);
  if (partition === null) throw new Error('reading a partition that is not there');
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
