import { z } from 'zod';
import type { InputTable } from '../base/command.ts';
import { sha256Schema } from '../base/digest.ts';
import { idSchema, importIdSchema } from '../base/ids.ts';

/** The members of every item of the import pipeline: results of another attempt are dropped (ARCHITECTURE.md, rule 8). */
const attemptFields = {
  installationId: idSchema('installation'),
  importId: importIdSchema,
  /** The number of the validation, from 1. */
  attempt: z.int().positive(),
};

/** A file to cut into partitions. */
const splitItemSchema = z.strictObject({
  ...attemptFields,
  /** The name of the source blob in the import's group. */
  source: z.string(),
  byteLength: z.int().nonnegative(),
  sha256: sha256Schema,
  /** Data rows that the plan allows. */
  rowsMax: z.int().positive(),
});

export type SplitItem = z.infer<typeof splitItemSchema>;

/** A byte range of a file, cut on records. */
export const partitionRangeSchema = z.strictObject({
  index: z.int().nonnegative(),
  /** Bytes of the source, start inclusive, end exclusive. */
  start: z.int().nonnegative(),
  end: z.int().positive(),
  /** 1-based number of the first data row. */
  firstRow: z.int().positive(),
  /** 1-based physical line of `start`. */
  firstLine: z.int().positive(),
  rows: z.int().positive(),
  blank: z.int().nonnegative(),
});

export type PartitionRange = z.infer<typeof partitionRangeSchema>;

/** A partition to validate. Fields and mapping are read from the import's aggregate: items stay small. */
const partitionItemSchema = z.strictObject({
  ...attemptFields,
  source: z.string(),
  range: partitionRangeSchema,
});

export type PartitionItem = z.infer<typeof partitionItemSchema>;

export const importSplitItems = { 'split-import': { input: splitItemSchema } } as const satisfies InputTable;

export const importPartitionItems = {
  'validate-partition': { input: partitionItemSchema },
} as const satisfies InputTable;
