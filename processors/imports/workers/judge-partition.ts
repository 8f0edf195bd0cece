import { packArtifact } from '../../../schemas/imports/artifact.ts';
import { encodeRowErrors } from '../../../schemas/imports/row-errors.ts';
import {
  type PartitionInput,
  type PartitionResult,
  validatePartition,
} from '../validation/validate-partition.ts';

/** What a partition comes to, ready to be kept. */
export interface JudgedPartition extends Omit<PartitionResult, 'errors' | 'omitted'> {
  /** The artifact as {@link packArtifact} leaves it. */
  readonly artifact: Uint8Array<ArrayBuffer>;
  /** The row errors as {@link encodeRowErrors} leaves them; null where every row is valid. */
  readonly rowErrors: Uint8Array<ArrayBuffer> | null;
}

/** As {@link validatePartition}, and packs artifact and errors: where the computing is done, the event loop stays free. */
export async function judgePartition(input: PartitionInput): Promise<JudgedPartition> {
  const { errors, omitted, ...result } = await validatePartition(input);
  const rowErrors = errors.length === 0 ? null : encodeRowErrors({ errors, omitted });
  return { ...result, artifact: packArtifact(result.artifact), rowErrors };
}
