import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { unpackArtifact } from '../../../../schemas/imports/artifact.ts';
import type { ColumnMapping, Field } from '../../../../schemas/imports/configuration.ts';
import { FIELD_TYPES } from '../../../../schemas/imports/fields/registry.ts';
import type { CanonicalValue } from '../../../../schemas/imports/identity.ts';
import type { Party } from '../../../../schemas/workspaces/party.ts';
import type { Chunks } from '../../splitting/split.ts';
import type { PackedPartition } from '../../validation/validate-partition.ts';
import type { ImportJobs } from '../import-jobs.ts';

/** A party that is alone. */
export const ANYBODY: Party = { workspace: 'w', creator: null, isPreview: false };

/** A whole import as a test sees it. */
export interface FileToValidate {
  readonly bytes: Uint8Array;
  readonly chunks?: Chunks;
  readonly fields: readonly Field[];
  readonly columns: readonly ColumnMapping[];
  readonly rowsMax?: number;
  /** The order in which partitions are handed out, as positions; file order where it is absent. */
  readonly order?: (partitions: number) => readonly number[];
}

/** Splits a file and validates all its partitions at once, as many as the jobs take. */
export async function validateFile(jobs: ImportJobs, file: FileToValidate) {
  const { bytes, chunks = [bytes], fields, columns, rowsMax = 100_000 } = file;
  const expectations = {
    byteLength: bytes.length,
    sha256: sha256Hex(bytes),
    rowsMax,
    rowBound: FIELD_TYPES.rowBound(fields),
  };
  const split = await jobs.split({ chunks, ...expectations }, ANYBODY);
  if (split.kind === 'fault') return split;
  const order = file.order?.(split.partitions.length) ?? split.partitions.keys();
  const results: PackedPartition[] = [];
  const validating = Array.from(order, async (index) => {
    const range = split.partitions[index];
    if (range === undefined) throw new RangeError(`no partition ${index}`);
    const plan = {
      headerColumns: split.header.columns,
      fields,
      columns,
      schemaId: 'sch_abcdefghijklmnopqrstuvwx',
      schemaRevision: 1,
    };
    const input = { bytes: bytes.subarray(range.start, range.end), range, ...plan };
    results[index] = await jobs.validate(input, ANYBODY);
  });
  await Promise.all(validating);
  return { ...split, results };
}

/** The values of every row, null for an invalid one. */
export function rowsOf(results: readonly PackedPartition[]): (CanonicalValue[] | null)[] {
  return results.flatMap(
    (result) => JSON.parse(unpackArtifact(result.artifact).toString()) as (CanonicalValue[] | null)[],
  );
}

/** Fields of optional text, each mapped to the column at its place. */
export function textFields(count: number): { fields: Field[]; columns: ColumnMapping[] } {
  const keys = Array.from({ length: count }, (_, index) => `f${index}`);
  return {
    fields: keys.map((key) => ({ key, type: 'text', required: false })),
    columns: keys.map((target, index) => ({ target, index })),
  };
}
