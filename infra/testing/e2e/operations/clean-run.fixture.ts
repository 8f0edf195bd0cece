import { splitFile } from '../../../../processors/imports/splitting/split.ts';
import {
  type PartitionInput,
  validatePartition,
} from '../../../../processors/imports/validation/validate-partition.ts';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { importConfigurationSchema, mappingSchema } from '../../../../schemas/imports/configuration.ts';
import { FIELD_TYPES } from '../../../../schemas/imports/fields/registry.ts';
import type { CanonicalValue } from '../../../../schemas/imports/identity.ts';
import { COLUMNS } from '../../../demo/data/columns.ts';
import { readDataJson } from '../../../demo/files.ts';

/** The result of a file whose validation is not disturbed. */
export interface CleanRun {
  readonly rows: {
    readonly total: number;
    readonly valid: number;
    readonly invalid: number;
    readonly blank: number;
  };
  /** Bytes that one validation is charged. */
  readonly artifactBytes: number;
  /** In their order; null where a row is invalid. */
  readonly batchIds: readonly (string | null)[];
  /** The values of every row by field, in batches; null for an invalid row. */
  readonly batches: readonly (readonly (Readonly<Record<string, CanonicalValue>> | null)[])[];
}

/** Splits and validates a file of the demo in this process, under the id that its schema has got, at revision 1. */
export async function runClean(bytes: Uint8Array, schemaId: string): Promise<CleanRun> {
  const { fields } = importConfigurationSchema.parse(readDataJson('schema.json')).schema;
  const headers = Object.keys(COLUMNS);
  const mapping = mappingSchema.parse(readDataJson('mapping.json'));
  const columns = mapping.columns.map(({ source, target }) => ({ target, index: headers.indexOf(source) }));
  const { split, results } = await validateWhole(bytes, { fields, columns, schemaId });
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const valid = sum(results.map((result) => result.valid));
  const invalid = sum(results.map((result) => result.invalid));
  return {
    rows: { total: valid + invalid + split.blank, valid, invalid, blank: split.blank },
    artifactBytes: split.artifactBytesBound,
    batchIds: results.map(({ batchId }) => batchId),
    batches: results.map(({ artifact }) =>
      (JSON.parse(Buffer.from(artifact).toString()) as (CanonicalValue[] | null)[]).map(
        (values) =>
          values && Object.fromEntries(fields.map(({ key }, index) => [key, values[index] ?? null])),
      ),
    ),
  };
}

/** Splits a file and validates all its partitions in this process, at revision 1 of a schema. */
export async function validateWhole(
  bytes: Uint8Array,
  plan: Pick<PartitionInput, 'fields' | 'columns' | 'schemaId'>,
) {
  const split = await splitFile([bytes], {
    byteLength: bytes.length,
    sha256: sha256Hex(bytes),
    rowsMax: 1_000,
    rowBound: FIELD_TYPES.rowBound(plan.fields),
  });
  if (split.kind === 'fault') throw new Error('splitting a file that is expected to be whole');
  const results = await Promise.all(
    split.partitions.map((range) =>
      validatePartition({
        ...plan,
        bytes: bytes.subarray(range.start, range.end),
        range,
        headerColumns: split.header.columns,
        schemaRevision: 1,
      }),
    ),
  );
  return { split, results };
}
