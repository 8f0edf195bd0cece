import { canonicalJson } from '../../../schemas/base/json.ts';
import { readRows } from '../../../schemas/csv/cells.ts';
import { packArtifact } from '../../../schemas/imports/artifact.ts';
import type { ColumnMapping } from '../../../schemas/imports/configuration.ts';
import type { AnyField } from '../../../schemas/imports/fields/field-type.ts';
import { FIELD_TYPES, type FieldTypes } from '../../../schemas/imports/fields/registry.ts';
import {
  type ErrorCount,
  type RowError,
  type RowErrorCode,
  rowErrorCodes,
} from '../../../schemas/imports/file-faults.ts';
import { ackDigest, batchId, rowIdOfText } from '../../../schemas/imports/identity.ts';
import { encodeRowErrors, type KeptErrors, type OmittedErrors } from '../../../schemas/imports/row-errors.ts';
import type { PartitionRange } from '../../../schemas/imports/work-items.ts';
import { countErrors } from './error-counts.ts';
import { type FieldReader, needsCells, type RowRules, validateRow } from './validate-row.ts';

/**
 * Row errors of one partition that are kept in full. Beyond them, only the first error of each row is: a partition has up
 * to 100 rows of 100 fields. All errors are counted, and named by column and code.
 */
export const PARTITION_ERRORS_KEPT = 1000;

/** A byte range of a file, and the plan by which its rows are validated. */
export interface PartitionInput extends PartitionPlan {
  readonly bytes: Uint8Array;
  readonly range: PartitionRange;
}

/** The schema and mapping by which the rows of all partitions of a file are validated. */
export interface PartitionPlan {
  readonly headerColumns: number;
  readonly fields: readonly AnyField[];
  /** Every index is a column of the header. A field that is not named here is empty in every row. */
  readonly columns: readonly ColumnMapping[];
  readonly schemaId: string;
  readonly schemaRevision: number;
}

export interface PartitionResult extends KeptErrors {
  readonly valid: number;
  readonly invalid: number;
  readonly blank: number;
  /** All errors by column and code: whole records first, then in schema-field order. */
  readonly errorCounts: readonly ErrorCount[];
  /**
   * UTF-8 JSON: an array with one entry a row, which is the array of canonical values in schema-field order, or null for
   * an invalid row.
   */
  readonly artifact: Uint8Array<ArrayBuffer>;
  /** The identity of the batch; null unless every row is valid. */
  readonly batchId: string | null;
  /** The digest that acknowledges the whole batch; null unless every row is valid. */
  readonly ackDigest: string | null;
}

/**
 * Validates every row of a partition. The result depends on the input alone, so any process can compute it again.
 *
 * @param types the field types; tests may pass others than those of the service
 * @throws {Error} if the bytes are not the range that the split cut, or if the mapping names a column that the header
 *   lacks: defects or damaged bytes, never a customer's mistake
 */
export async function validatePartition(
  input: PartitionInput,
  types: FieldTypes = FIELD_TYPES,
): Promise<PartitionResult> {
  const { range, fields } = input;
  const origin = { offset: range.start, line: range.firstLine };
  const { rows, blank } = readRows(input.bytes, origin, (record) => needsCells(record, input.headerColumns));
  if (rows.length !== range.rows || blank !== range.blank) {
    throw new Error(`reading a partition of ${range.rows} rows: seen ${rows.length}`);
  }
  const rules = rulesOf(input, types);
  const errors: RowError[] = [];
  const kept = new ErrorSelection();
  const texts: (string | null)[] = [];
  for (const [index, row] of rows.entries()) {
    const result = validateRow(row, range.firstRow + index, rules);
    texts.push(result.kind === 'valid' ? canonicalJson(result.values) : null);
    if (result.kind === 'valid') continue;
    errors.push(...result.errors);
    kept.add(result.errors);
  }
  const valid = texts.filter((text) => text !== null);
  return {
    valid: valid.length,
    invalid: texts.length - valid.length,
    blank,
    errors: kept.errors,
    omitted: kept.omitted,
    errorCounts: countErrors(errors, fields, rules.codes),
    artifact: new TextEncoder().encode(`[${texts.map((text) => text ?? 'null').join(',')}]`),
    ...(valid.length === texts.length ? identify(input, valid) : { batchId: null, ackDigest: null }),
  };
}

/** The result of a partition, ready to be stored. */
export interface PackedPartition extends Omit<PartitionResult, 'errors' | 'omitted'> {
  /** The artifact as {@link packArtifact} returns it. */
  readonly artifact: Uint8Array<ArrayBuffer>;
  /** The row errors as {@link encodeRowErrors} returns them; null where every row is valid. */
  readonly rowErrors: Uint8Array<ArrayBuffer> | null;
}

/** Validates like {@link validatePartition}, and packs artifact and errors. Runs in a thread, so the event loop stays free. */
export async function validateAndPack(input: PartitionInput): Promise<PackedPartition> {
  const { errors, omitted, ...result } = await validatePartition(input);
  const rowErrors = errors.length === 0 ? null : encodeRowErrors({ errors, omitted });
  return { ...result, artifact: packArtifact(result.artifact), rowErrors };
}

/** Selects the errors that are kept in full: the first {@link PARTITION_ERRORS_KEPT}, then the first one of each row. */
class ErrorSelection implements KeptErrors {
  readonly errors: RowError[] = [];
  readonly omitted: OmittedErrors[] = [];

  /** Takes all errors of the next invalid row. */
  add(errors: readonly RowError[]): void {
    const count = Math.max(1, PARTITION_ERRORS_KEPT - this.errors.length);
    this.errors.push(...errors.slice(0, count));
    const [first, ...others] = errors.slice(count);
    if (first === undefined) return;
    this.omitted.push({
      row: first.row,
      errors: [first, ...others].map(({ column, code }) => [column, code]),
    });
  }
}

/** @param rows the canonical JSON of each row's values: the text that its id is made from, and its part of the artifact */
function identify({ schemaId, schemaRevision, range }: PartitionInput, rows: readonly string[]) {
  const rowIds = rows.map((text, index) =>
    rowIdOfText(schemaId, schemaRevision, range.firstRow + index, text),
  );
  return {
    batchId: batchId(schemaId, schemaRevision, range.index, range.firstRow, rowIds),
    ackDigest: ackDigest(rowIds),
  };
}

/**
 * Resolves the reader and the column of each field once for all rows. The codes of field types are row error codes, whose
 * list comes from the registry. The type checker cannot follow this for the registry of a test, hence the casts.
 */
function rulesOf({ fields, columns, headerColumns }: PartitionInput, types: FieldTypes): RowRules {
  const sources = new Map<string, number>();
  for (const { target, index } of columns) {
    if (index === null || index >= headerColumns)
      throw new Error('validating with a mapping of another header');
    sources.set(target, index);
  }
  return {
    headerColumns,
    sources: fields.map((field) => sources.get(field.key) ?? null),
    fields: fields.map((field) => ({ key: field.key, read: types.reader(field) as FieldReader['read'] })),
    codes: rowErrorCodes(types) as readonly RowErrorCode[],
  };
}
