import { keyedDigest } from '../../schemas/base/digest.ts';
import { canonicalJson } from '../../schemas/base/json.ts';
import { blobExpiry, mappingBlob, mappingName } from '../../schemas/imports/blobs.ts';
import type { Mapping } from '../../schemas/imports/configuration.ts';
import { endedRefusal, type ImportStatus, statusRefusal } from '../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { writeBlob } from '../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../services.ts';
import { type LoadedImport, loadConfiguration, refuse } from './load-import.ts';
import { mapColumns } from './map-columns.ts';
import type { ImportRequest } from './one-import.ts';
import { retryAfterReload } from './reload-import.ts';
import { sourceHeader } from './source-header.ts';

const MAPPING_NAME_BYTES = 16;

/**
 * Submits a mapping; the answer is the import's status. Header names stay in a blob: the command carries the positions of
 * columns and a keyed digest, from which the names cannot be guessed. The fold removes the blob of a
 * mapping that it refuses or replaces.
 *
 * @throws {ServiceError} with the refusal.
 */
export async function submitMapping({
  submit,
  services,
  workspace,
  load,
  body: mapping,
}: ImportRequest<unknown, Mapping>): Promise<ImportStatus> {
  const input = await retryAfterReload(
    () => loadMappable(load),
    (loaded) => storeMapping(services, workspace, loaded, mapping),
  );
  const { blob: _, ...digestInput } = input;
  // The request's own digest would be one over header names, which can be guessed.
  return await submit({
    topic: 'imports',
    key: workspace.installationId,
    type: 'map-import',
    input,
    digestInput,
  });
}

async function loadMappable(load: () => Promise<LoadedImport>): Promise<LoadedImport> {
  const loaded = await load();
  refuse(endedRefusal(loaded.effective));
  if (loaded.document.source === null || loaded.document.status === 'failed') {
    refuse(statusRefusal(loaded.effective, ['uploaded', 'needs_correction', 'ready', 'approved']));
  }
  return loaded;
}

/** Stores the mapping in its blob and returns its part of the command's input. */
async function storeMapping(
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  mapping: Mapping,
) {
  const { installationId } = workspace;
  const { importId } = loaded;
  const [{ schema }, header] = await Promise.all([
    loadConfiguration(services, workspace, loaded.document),
    sourceHeader(services, installationId, loaded),
  ]);
  const columns = mapColumns(mapping, schema.fields, header);
  const digest = mappingDigest(services, importId, mapping);
  const blob = mappingName(Buffer.from(services.entropy.bytes(MAPPING_NAME_BYTES)).toString('hex'));
  const input = { importId, revision: mapping.revision, columns, digest, blob };
  await writeBlob(
    services.blobs,
    mappingBlob(installationId, importId, input),
    [Buffer.from(JSON.stringify(mapping))],
    { expiresAt: blobExpiry(loaded.document.retainedUntil) },
  );
  return input;
}

/** The same for the same columns in whatever order they are listed. */
function mappingDigest({ secrets }: GatewayServices, importId: string, { columns }: Mapping): string {
  const content = columns.map(({ source, target }) => canonicalJson([target, source])).sort();
  return keyedDigest(secrets.identity, 'mapping', importId, ...content).toString('hex');
}
