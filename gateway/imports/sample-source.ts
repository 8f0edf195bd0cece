import type { z } from 'zod';
import { readRows } from '../../schemas/csv/cells.ts';
import { HEADER_PREFIX_BYTES, readHeader } from '../../schemas/csv/header.ts';
import { RECORD_BYTES_MAX } from '../../schemas/csv/limits.ts';
import { isBlank, RecordScanner, type ScannedRecord } from '../../schemas/csv/scanner.ts';
import { sourceBlob } from '../../schemas/imports/blobs.ts';
import type { sourceSampleSchema } from '../../schemas/imports/http.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { GatewayServices } from '../services.ts';
import { requireBytes } from './blob-bytes.ts';
import type { LoadedImport } from './load-import.ts';

type SourceSample = z.infer<typeof sourceSampleSchema>;

const SAMPLE_ROWS_MAX = 20;

/** The start of a file that is looked at: records that are too large leave room for fewer rows. */
const SAMPLE_BYTES_MAX = HEADER_PREFIX_BYTES + SAMPLE_ROWS_MAX * RECORD_BYTES_MAX;

/**
 * The header and the first rows of an import's file as they stand there. Of a file whose header cannot be read nothing is
 * shown: the split is going to say why.
 */
export async function sampleSource(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  { installationId }: WorkspaceView,
  { importId, document }: LoadedImport,
): Promise<SourceSample> {
  if (document.source === null) throw new Error('sampling an import without a source');
  const address = sourceBlob(installationId, importId, document.source.name);
  const bytes = await requireBytes(blobs, address, { start: 0, end: SAMPLE_BYTES_MAX });
  const header = await readHeader(bytes);
  if (header.kind === 'fault') return { headers: [], sample: [] };
  const [, first, ...others] = firstRecords(bytes, document.byteLength);
  if (first === undefined) return { headers: [...header.names], sample: [] };
  const range = bytes.subarray(first.start, (others.at(-1) ?? first).end);
  const { rows } = readRows(range, { offset: first.start, line: first.line });
  const sample = rows.map(({ cells }) => (cells === null ? null : [...cells]));
  return { headers: [...header.names], sample };
}

/** The header's record and those of the sample; what comes behind a fault of the file is left out. */
function firstRecords(bytes: Uint8Array, byteLength: number): ScannedRecord[] {
  const records: ScannedRecord[] = [];
  const scanner = new RecordScanner((record) => {
    if (!isBlank(record) && records.length <= SAMPLE_ROWS_MAX) records.push(record);
  });
  const fault = scanner.write(bytes);
  if (fault === null && bytes.length === byteLength) scanner.finish();
  return records;
}
