import { createHash } from 'node:crypto';
import type { Batch } from './backend.ts';

/**
 * Computes a batch's id from its rows alone, as a customer could in any language: SHA-256 over compact JSON, of each row
 * and then of the batch.
 *
 * @param fields the keys of the schema's fields, in their order
 */
export function recomputeBatchId({ manifest, rows }: Batch, fields: readonly string[]): string {
  const { schemaId, schemaRevision, index, firstRow } = manifest;
  const rowIds = rows.map(({ row, values }) =>
    sha256(['svcimport.row.v1', schemaId, schemaRevision, row, fields.map((key) => values[key])]),
  );
  return sha256(['svcimport.batch-id.v1', schemaId, schemaRevision, index, firstRow, rowIds]);
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
