import type { Chunks, SplitExpectations, SplitResult, splitFile } from '../splitting/split.ts';
import type { PackedPartition, PartitionInput, validateAndPack } from '../validation/validate-partition.ts';

/** A file to split: its bytes as they are read from the blob, and what they have to be. The chunks are handed over. */
export interface SplitInput extends SplitExpectations {
  readonly chunks: Chunks;
}

/**
 * The computing part of an import. Results depend on the inputs alone: every thread and process returns the same ones, and a
 * repeated job does no harm.
 */
export interface ImportJobs {
  /** As {@link splitFile}. */
  split(input: SplitInput): Promise<SplitResult>;
  /** As {@link validateAndPack}. The input's bytes are handed over: a thread may take them away from the caller. */
  validate(input: PartitionInput): Promise<PackedPartition>;
  /** Waits for running jobs, and refuses waiting and new ones. */
  close(): Promise<void>;
}
