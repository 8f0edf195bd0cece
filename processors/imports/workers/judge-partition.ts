import { packArtifact } from '../../../schemas/imports/artifact.ts';
import {
  type PartitionInput,
  type PartitionResult,
  validatePartition,
} from '../validation/validate-partition.ts';

/** What a partition comes to, ready to be kept. */
export interface JudgedPartition extends PartitionResult {
  /** The artifact as {@link packArtifact} leaves it. */
  readonly artifact: Uint8Array<ArrayBuffer>;
}

/** As {@link validatePartition}, and packs the artifact: where the computing is done, the event loop stays free. */
export async function judgePartition(input: PartitionInput): Promise<JudgedPartition> {
  const result = await validatePartition(input);
  return { ...result, artifact: packArtifact(result.artifact) };
}
