import type { z } from 'zod';
import { readRows } from '../../schemas/csv/cells.ts';
import { readHeader } from '../../schemas/csv/header.ts';
import { RECORD_BYTES_MAX } from '../../schemas/csv/limits.ts';
import { isBlank, RecordScanner, type ScannedRecord, type ScanOrigin } from '../../schemas/csv/scanner.ts';
import { sourceBlob } from '../../schemas/imports/blobs.ts';
import type { sourceSampleSchema } from '../../schemas/imports/row-http.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { openBlob, readBlob } from '../../topics/ports/blob-bytes.ts';
import type { GatewayServices } from '../services.ts';
import type { LoadedImport } from './load-import.ts';

type SourceSample = z.infer<typeof sourceSampleSchema>;

const SAMPLE_ROWS_MAX = 20;

/** Bytes from the header row on that are scanned for the sample: records that are too large leave room for fewer rows. */
const SAMPLE_BYTES_MAX = (1 + SAMPLE_ROWS_MAX) * RECORD_BYTES_MAX;

/**
 * The header and the first rows of an import's file as they stand there. Nothing is shown of a file whose header cannot be
 * read, which can only be one from before the upload failed such files.
 */
export async function sampleSource(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  { installationId }: WorkspaceView,
  { importId, document }: LoadedImport,
): Promise<SourceSample> {
  if (document.source === null) throw new Error('sampling an import without a source');
  const address = sourceBlob(installationId, importId, document.source.name);
  const header = await readHeader(await openBlob(blobs, address));
  if (header.kind === 'fault') return { headers: [], sample: [] };
  const headers = [...header.names];
  const { start, line } = header.record;
  const bytes = await readBlob(blobs, address, { start, end: start + SAMPLE_BYTES_MAX });
  const isWhole = start + bytes.length === document.byteLength;
  const [, first, ...others] = firstRecords(bytes, { offset: start, line }, isWhole);
  if (first === undefined) return { headers, sample: [] };
  const range = bytes.subarray(first.start - start, (others.at(-1) ?? first).end - start);
  const { rows } = readRows(range, { offset: first.start, line: first.line });
  return { headers, sample: rows.map(({ cells }) => (cells === null ? null : [...cells])) };
}

/**
 * Returns the records of the header and the sample. Records behind a fault of the file are left out.
 *
 * @param isWhole true if the file ends with these bytes, so that the last record needs no line end
 */
function firstRecords(bytes: Uint8Array, origin: ScanOrigin, isWhole: boolean): ScannedRecord[] {
  const records: ScannedRecord[] = [];
  const scanner = new RecordScanner((record) => {
    if (!isBlank(record) && records.length <= SAMPLE_ROWS_MAX) records.push(record);
  }, origin);
  const fault = scanner.write(bytes);
  if (fault === null && isWhole) scanner.finish();
  return records;
}
