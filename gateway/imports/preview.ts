import { readRows } from '../../schemas/csv/cells.ts';
import { artifactBlob, errorsBlob, sourceBlob } from '../../schemas/imports/blobs.ts';
import type { PartitionDocument } from '../../schemas/imports/documents.ts';
import type { RowError } from '../../schemas/imports/file-faults.ts';
import type { CanonicalValue } from '../../schemas/imports/identity.ts';
import type { KeptErrors, OmittedErrors } from '../../schemas/imports/row-errors.ts';
import { endedRefusal, statusRefusal } from '../../schemas/imports/status.ts';
import { readBlob } from '../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../services.ts';
import { readArtifact, readRowErrors } from './artifacts.ts';
import { type LoadedImport, refuse } from './load-import.ts';
import { retryAfterReload } from './reload-import.ts';

/** One row as an owner or the person who sent it may see it. */
export interface PreviewRow {
  readonly row: number;
  readonly line: number;
  /** Null for a record too large to be decoded. */
  readonly cells: readonly string[] | null;
  /** In schema-field order; null for an invalid row. */
  readonly values: readonly CanonicalValue[] | null;
  /** Those that were kept in full: one at least for an invalid row. */
  readonly errors: readonly RowError[];
  /** The row's other errors. */
  readonly omitted: OmittedErrors['errors'];
}

/**
 * Works with an import whose rows can be looked at.
 *
 * @throws {ServiceError} 410 when its private bytes are gone, 409 while it is not validated.
 */
export async function preview<Result>(
  load: () => Promise<LoadedImport>,
  work: (loaded: LoadedImport) => Promise<Result>,
): Promise<Result> {
  const loadPreviewed = async () => {
    const loaded = await load();
    const { effective } = loaded;
    refuse(
      endedRefusal(effective) ??
        statusRefusal(effective, ['ready', 'needs_correction', 'approved', 'delivered']),
    );
    return loaded;
  };
  return await retryAfterReload(loadPreviewed, work);
}

/** The row errors of one partition, in file order. @throws {Error} if the import is not validated */
export async function readKeptErrors(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  installationId: string,
  { importId, effective }: LoadedImport,
  { range }: PartitionDocument,
): Promise<KeptErrors> {
  const attempt = effective.validation?.attempt;
  if (attempt === undefined) throw new Error('reading the errors of an import that is not validated');
  return await readRowErrors(blobs, errorsBlob(installationId, importId, attempt, range.index));
}

/** Every row of one partition: the cells from the source, what became of them from the validation. */
export async function readPreview(
  services: Pick<GatewayServices, 'blobs'>,
  installationId: string,
  loaded: LoadedImport,
  partition: PartitionDocument,
): Promise<PreviewRow[]> {
  const { blobs } = services;
  const { importId, document, effective } = loaded;
  const attempt = effective.validation?.attempt;
  if (attempt === undefined || document.source === null) {
    throw new Error('previewing an import that is not validated');
  }
  const { range } = partition;
  const { index, firstRow, start, firstLine } = range;
  const [bytes, entries, kept] = await Promise.all([
    readBlob(blobs, sourceBlob(installationId, importId, document.source.name), range),
    readArtifact(blobs, artifactBlob(installationId, importId, attempt, index)),
    readKeptErrors(services, installationId, loaded, partition),
  ]);
  const errors = Map.groupBy(kept.errors, ({ row }) => row);
  const omitted = new Map(kept.omitted.map((entry) => [entry.row, entry.errors]));
  const { rows } = readRows(bytes, { offset: start, line: firstLine });
  return rows.map(({ record, cells }, position) => {
    const row = firstRow + position;
    const values = entries[position];
    if (values === undefined) throw new Error('previewing a row that was not validated');
    return {
      row,
      line: record.line,
      cells,
      values,
      errors: errors.get(row) ?? [],
      omitted: omitted.get(row) ?? [],
    };
  });
}
