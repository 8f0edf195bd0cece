import { rejectedRowsCsv, rejectedRowsHeader } from '../../schemas/imports/rejected-rows.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../services.ts';
import { type LoadedImport, loadPartitions } from './load-import.ts';
import { readPreview } from './preview.ts';
import { sourceHeader } from './source-header.ts';

/** Returns the rejected rows of an import for correction in a spreadsheet. */
export async function rejectedRowsFile(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
): Promise<string> {
  const { installationId } = workspace;
  const [partitions, header] = await Promise.all([
    loadPartitions(services, workspace, loaded),
    sourceHeader(services, installationId, loaded),
  ]);
  const parts = [rejectedRowsHeader(header ?? [])];
  for (const partition of partitions.filter(({ outcome }) => outcome !== null && outcome.invalid > 0)) {
    const rows = await readPreview(services, installationId, loaded, partition);
    const rejected = rows.filter(({ values }) => values === null);
    parts.push(
      rejectedRowsCsv(rejected.map((row) => ({ ...row, source: row.cells, moreErrors: row.omitted.length }))),
    );
  }
  return parts.join('');
}
