import { z } from 'zod';
import { readStored } from '../base/stored.ts';
import { packArtifact, unpackArtifact } from './artifact.ts';
import { ROW_ERROR_CODES, rowErrorSchema } from './file-faults.ts';

/** An error of which only its column and code are kept. The column is the target key, or null for the whole record. */
const errorPlaceSchema = z.tuple([z.string().nullable(), z.enum(ROW_ERROR_CODES)]).readonly();

const omittedErrorsSchema = z.strictObject({
  row: z.int().positive(),
  errors: z.array(errorPlaceSchema).readonly(),
});

/** The errors of one row that are not kept in full. */
export type OmittedErrors = z.infer<typeof omittedErrorsSchema>;

const keptErrorsSchema = z.strictObject({
  /** At least one for each invalid row, by row, then in schema-field order. */
  errors: z.array(rowErrorSchema).readonly(),
  /** By row; only rows of which some are omitted. */
  omitted: z.array(omittedErrorsSchema).readonly(),
});

/** The stored part of the row errors of one partition. */
export type KeptErrors = z.infer<typeof keptErrorsSchema>;

/** The blob `errorsBlob` as earlier programs wrote it: no errors were named besides those kept in full. */
const errorListSchema = z.array(rowErrorSchema);

/** The bytes of the blob `errorsBlob`: compressed JSON, in separate memory. */
export function encodeRowErrors(kept: KeptErrors): Uint8Array<ArrayBuffer> {
  return packArtifact(new TextEncoder().encode(JSON.stringify(kept)));
}

/**
 * Reads the bytes of the blob `errorsBlob`.
 *
 * @throws {Error} if they are damaged
 */
export function decodeRowErrors(bytes: Uint8Array): KeptErrors {
  const json: unknown = JSON.parse(unpackArtifact(bytes).toString('utf8'));
  if (Array.isArray(json)) return { errors: readStored(errorListSchema, json), omitted: [] };
  return readStored(keptErrorsSchema, json);
}
