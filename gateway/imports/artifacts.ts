import { z } from 'zod';
import { unpackArtifact } from '../../schemas/imports/artifact.ts';
import type { Field } from '../../schemas/imports/configuration.ts';
import type { CanonicalValue } from '../../schemas/imports/identity.ts';
import { decodeRowErrors, type KeptErrors } from '../../schemas/imports/row-errors.ts';
import { findBlob, readBlob } from '../../topics/ports/blob-bytes.ts';
import type { BlobAddress, Blobs } from '../../topics/ports/blobs.ts';

const artifactSchema = z.array(z.array(z.union([z.string(), z.boolean(), z.null()])).nullable());

/** The canonical values of a partition's rows in schema-field order; null for an invalid row. */
export async function readArtifact(
  blobs: Pick<Blobs, 'read'>,
  address: BlobAddress,
): Promise<readonly (readonly CanonicalValue[] | null)[]> {
  const json = unpackArtifact(await readBlob(blobs, address));
  return artifactSchema.parse(JSON.parse(json.toString('utf8')));
}

/** The row errors of a partition that were kept; there is no blob where there are none. */
export async function readRowErrors(blobs: Pick<Blobs, 'read'>, address: BlobAddress): Promise<KeptErrors> {
  const bytes = await findBlob(blobs, address);
  return bytes === null ? { errors: [], omitted: [] } : decodeRowErrors(bytes);
}

/** The values of a row under the keys of their fields. */
export function namedValues(
  fields: readonly Field[],
  values: readonly CanonicalValue[],
): Record<string, CanonicalValue> {
  if (values.length !== fields.length) throw new Error('naming the values of a row of another schema');
  return Object.fromEntries(fields.map(({ key }, position) => [key, values[position] ?? null]));
}
