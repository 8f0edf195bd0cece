import { digestOf, sha256Hex } from '../base/digest.ts';
import { canonicalJson } from '../base/json.ts';

/** A value of a validated row as it is delivered (infra/docs/reference/imports.md#schemas). */
export type CanonicalValue = string | boolean | null;

/**
 * Computes the id of one row: SHA-256, as lower-case hexadecimal, over the UTF-8 bytes of the compact JSON array
 * `["svcimport.row.v1", schemaId, schemaRevision, row, values]`, written as RFC 8785 requires. The row's number is
 * part of it, so two equal rows have two ids. The import is not, so unchanged rows of a corrected file keep their
 * ids. The id of a row with few possible values can be guessed, so it is as private as the row.
 *
 * @param row 1-based number among the data records, without blank lines
 * @param values one for every field, in the order of the schema's fields
 */
export function rowId(
  schemaId: string,
  schemaRevision: number,
  row: number,
  values: readonly CanonicalValue[],
): string {
  return rowIdOfText(schemaId, schemaRevision, row, canonicalJson(values));
}

/** Computes {@link rowId} from the canonical JSON of the values. */
export function rowIdOfText(
  schemaId: string,
  schemaRevision: number,
  row: number,
  valuesText: string,
): string {
  return sha256Hex(`["svcimport.row.v1",${canonicalJson(schemaId)},${schemaRevision},${row},${valuesText}]`);
}

/**
 * Computes the id of one batch: SHA-256 over `["svcimport.batch-id.v1", schemaId, schemaRevision, index, firstRow, rowIds]`,
 * serialised like a row.
 *
 * @param index 0-based number of the batch
 * @param firstRow the number of its first row
 * @param rowIds in row order
 */
export function batchId(
  schemaId: string,
  schemaRevision: number,
  index: number,
  firstRow: number,
  rowIds: readonly string[],
): string {
  return digestOf(['svcimport.batch-id.v1', schemaId, schemaRevision, index, firstRow, rowIds]);
}

/** The subject of an approval. */
export interface ValidatedImport {
  readonly importId: string;
  readonly sourceSha256: string;
  readonly schemaId: string;
  readonly schemaRevision: number;
  readonly mappingRevision: number;
  /** In the order of the batches. */
  readonly batchIds: readonly string[];
}

/**
 * SHA-256 over the canonical JSON of what was validated, with `version` `svcimport.validation.v1`
 * (infra/docs/reference/imports.md#ids).
 */
export function validationDigest(validated: ValidatedImport): string {
  const { importId, sourceSha256, schemaId, schemaRevision, mappingRevision, batchIds } = validated;
  return digestOf({
    version: 'svcimport.validation.v1',
    importId,
    sourceSha256,
    schemaId,
    schemaRevision,
    mappingRevision,
    batchIds,
  });
}

/**
 * Computes the digest by which a whole batch is acknowledged: SHA-256 over the canonical JSON array of the row ids in
 * ascending order, so that the order of the sent ids does not matter. Repeats are not removed, so a list with repeats has
 * another digest.
 */
export function ackDigest(rowIds: readonly string[]): string {
  return digestOf([...rowIds].sort());
}
