import type { Party } from '../../../schemas/workspaces/party.ts';
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
  /** As {@link splitFile}, once the party has its turn. */
  split(input: SplitInput, party: Party): Promise<SplitResult>;
  /** As {@link validateAndPack}, once the party has its turn. The input's bytes are handed over: a thread may take them away from the caller. */
  validate(input: PartitionInput, party: Party): Promise<PackedPartition>;
  /** Waits for running jobs, and refuses waiting and new ones. */
  close(): Promise<void>;
}
