import { type Refusal, ServiceError, serviceError } from '../../schemas/base/errors.ts';
import type { ImportConfiguration } from '../../schemas/imports/configuration.ts';
import type { ImportDocument, PartitionDocument } from '../../schemas/imports/documents.ts';
import { importProduct } from '../../schemas/imports/product.ts';
import { partitionRowPrefix, schemaRevisionRowId } from '../../schemas/imports/row-ids.ts';
import {
  type EffectiveImport,
  ERASED,
  effectiveImport,
  importStatusAnswer,
} from '../../schemas/imports/status.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { productReader } from '../http/records/product-reader.ts';
import { joined, type Readings, readable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';

export type ImportReader = Pick<GatewayServices, 'store' | 'clock'>;

/** An import as it is now. */
export interface LoadedImport {
  readonly importId: string;
  readonly document: ImportDocument;
  readonly effective: EffectiveImport;
  /** The capabilities of its schema that have not ended: the backends that can pull it. */
  readonly capabilities: number;
}

/** The reads of installations' imports. */
export const importsReader = productReader(importProduct);

/** The owners of an import: its schema, and the browser session that made it. Both outlive an erasure. */
export type ImportOwner = Pick<ImportDocument, 'schemaId' | 'session'>;

/**
 * Reads one import of a workspace.
 *
 * @param isOwn true for imports that the caller may see; if absent, it may see all imports of the workspace
 * @throws {ServiceError} `not_found` if the caller may see no such import, `erased` if it was erased
 * @throws the cause why the import cannot be read
 */
export async function loadImport(
  services: ImportReader,
  workspace: WorkspaceView,
  importId: string,
  isOwn: (owner: ImportOwner) => boolean = () => true,
): Promise<LoadedImport> {
  const { found, unreadable } = await loadImports(services, workspace, [importId]);
  for (const { cause } of unreadable) throw cause;
  const [loaded] = found;
  const owner =
    loaded?.document ??
    (await importsReader.row(services.store, workspace.installationId, 'erased-import', importId));
  if (owner === null || !isOwn(owner))
    throw serviceError('not_found', {
      at: 'path.importId',
      seen: 'the id of no import',
      expected: 'the id of an import of this caller',
    });
  if (loaded === undefined) throw new ServiceError(ERASED);
  return loaded;
}

/**
 * Reads imports of a workspace, in the order asked for; those that do not exist are left out. An import cannot be read without
 * its schema.
 */
export async function loadImports(
  { store, clock }: ImportReader,
  workspace: Pick<WorkspaceView, 'installationId' | 'expiresAt'>,
  importIds: readonly string[],
): Promise<Readings<LoadedImport>> {
  const { installationId } = workspace;
  const imports = await importsReader.rows(store, installationId, 'import', importIds);
  const schemaIds = [...new Set(imports.found.map(({ document }) => document.schemaId))];
  const keys = schemaIds.map((id) => ({ kind: 'schema' as const, id }));
  const { row } = await importsReader.read(store, installationId, keys);
  const now = clock.now();
  const loaded = readable(
    imports.found,
    ({ id }) => id,
    ({ id: importId, document }): LoadedImport => {
      const schema = row('schema', document.schemaId);
      if (schema === null) throw new Error('reading an import whose schema is not there');
      const context = { lifecycle: workspace, currentRevision: schema.revision, now };
      const capabilities = schema.capabilities.filter(({ endsAt }) => endsAt > now).length;
      return { importId, document, effective: effectiveImport(document, context), capabilities };
    },
  );
  return joined([loaded, { ...imports, found: [] }]);
}

/** The configuration that an import was made for. */
export async function loadConfiguration(
  { store }: ImportReader,
  { installationId }: WorkspaceView,
  { schemaId, schemaRevision }: Pick<ImportDocument, 'schemaId' | 'schemaRevision'>,
): Promise<ImportConfiguration> {
  const id = schemaRevisionRowId(schemaId, schemaRevision);
  const revision = await importsReader.row(store, installationId, 'schema-revision', id);
  if (revision === null) throw new Error('reading a schema revision that is not there');
  return revision.configuration;
}

/**
 * The partitions of an import's validation in their order; none while there is no validation, or no split yet.
 *
 * @throws the cause why one of them cannot be read
 */
export async function loadPartitions(
  { store }: ImportReader,
  { installationId }: WorkspaceView,
  { importId, effective }: LoadedImport,
): Promise<PartitionDocument[]> {
  const { validation } = effective;
  if (validation === null || validation.split === null) return [];
  const { found, unreadable } = await importsReader.list(store, installationId, 'partition', {
    prefix: partitionRowPrefix(importId, validation.attempt),
    limit: validation.split.partitions,
  });
  // A part of a file is no entry of a list: without it, the rows behind it would have wrong numbers.
  for (const { cause } of unreadable) throw cause;
  return found.map(({ document }) => document);
}

/** ImportStatus of an import as it is now. */
export function statusAnswer(
  { limits }: Pick<GatewayServices, 'limits'>,
  { importId, document, effective }: LoadedImport,
) {
  return importStatusAnswer(importId, document, effective, limits);
}

/** Throws a refusal, if it is one. */
export function refuse(refusal: Refusal | null): void {
  if (refusal !== null) throw new ServiceError(refusal);
}
