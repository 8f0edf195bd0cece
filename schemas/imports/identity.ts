import { digestOf, sha256Hex } from '../base/digest.ts';
import { canonicalJson } from '../base/json.ts';

/** A value of a validated row as it is delivered (infra/docs/reference/imports.md#schemas). */
export type CanonicalValue = string | boolean | null;

/**
 * The id of one row: SHA-256, as lower-case hexadecimal, over the UTF-8 bytes of the compact JSON array
 * `["svcimport.row.v1", schemaId, schemaRevision, row, values]`, written as RFC 8785 says.
 *
 * The row's number is part of it, so two equal rows stay two; the import is not, so the unchanged rows of a corrected
 * file keep their ids. The id can be guessed for rows of few possible values: it is as private as the row.
 *
 * @param row 1-based number over the data records, blank lines not counted
 * @param values in schema-field order, one for every field
 */
export function rowId(
  schemaId: string,
  schemaRevision: number,
  row: number,
  values: readonly CanonicalValue[],
): string {
  return rowIdOfText(schemaId, schemaRevision, row, canonicalJson(values));
}

/** As {@link rowId}, where the canonical JSON of the values is there already. */
export function rowIdOfText(
  schemaId: string,
  schemaRevision: number,
  row: number,
  valuesText: string,
): string {
  return sha256Hex(`["svcimport.row.v1",${canonicalJson(schemaId)},${schemaRevision},${row},${valuesText}]`);
}

/**
 * The id of one batch: SHA-256 over `["svcimport.batch-id.v1", schemaId, schemaRevision, index, firstRow, rowIds]`,
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
  /** In batch order. */
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
 * SHA-256 over the canonical JSON array of the row ids in ascending order: what an acknowledgment of a whole batch comes
 * down to, in whatever order its ids were sent. Repeats are not removed, so a list with repeats has another digest.
 */
export function ackDigest(rowIds: readonly string[]): string {
  return digestOf([...rowIds].sort());
}
