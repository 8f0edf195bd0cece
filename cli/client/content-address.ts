import { SvcError } from './error.ts';
import type { CellValue } from './row-types.ts';
import { hexOf } from './subject-digest.ts';

/** A batch as the service answers it. */
export interface BatchAnswer {
  readonly importId: string;
  readonly index: number;
  readonly batchId: string;
  readonly manifest: {
    readonly schemaId: string;
    readonly schemaRevision: number;
    readonly index: number;
    readonly firstRow: number;
    readonly rowCount: number;
    readonly rowIds: readonly string[];
  };
  readonly rows: readonly {
    readonly rowId: string;
    readonly row: number;
    readonly values: Readonly<Record<string, CellValue>>;
  }[];
  readonly nextIndex: number | null;
}

/**
 * Computes every id of a batch from its content, and compares it.
 *
 * @throws {SvcError} `batch_mismatch`, with the places that differ and none of their values
 */
export async function verifyBatch({ importId, index, batchId, manifest, rows }: BatchAnswer): Promise<void> {
  const { schemaId, schemaRevision, firstRow, rowIds } = manifest;
  const computed = await Promise.all(
    rows.map(({ row, values }) =>
      digestOf(['svcimport.row.v1', schemaId, schemaRevision, row, Object.values(values)]),
    ),
  );
  const whole = await digestOf([
    'svcimport.batch-id.v1',
    schemaId,
    schemaRevision,
    index,
    firstRow,
    computed,
  ]);
  const differing = [
    manifest.index !== index && 'index',
    rowIds.length !== rows.length && 'rowIds',
    whole !== batchId && 'batchId',
    ...rows.map(({ rowId }, at) => (rowId !== computed[at] || rowId !== rowIds[at]) && `rows[${at}]`),
  ].filter(Boolean);
  if (differing.length === 0) return;
  const places = `${differing.slice(0, SHOWN_MAX).join(', ')} (${differing.length} in all)`;
  throw new SvcError(
    'batch_mismatch',
    `Batch ${index} of import ${importId} differs from its ids: ${places}.`,
  );
}

const SHOWN_MAX = 5;

/** The ids are SHA-256 over compact JSON (RFC 8785). Texts and whole numbers have that form in every JSON. */
async function digestOf(value: unknown): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value))));
}
