import { type Chunks, type SplitExpectations, type SplitResult, splitFile } from '../splitting/split.ts';
import {
  type PartitionInput,
  type PartitionResult,
  validatePartition,
} from '../validation/validate-partition.ts';

/** A file to split: its bytes as they are read from the blob, and what they have to be. */
export interface SplitInput extends SplitExpectations {
  readonly chunks: Chunks;
}

/**
 * Who runs the computing part of an import. Results depend on the inputs alone: any worker, thread or process gives the
 * same ones, and a repeated task does no harm.
 */
export interface ImportWorkers {
  /** As {@link splitFile}. */
  split(input: SplitInput): Promise<SplitResult>;
  /** As {@link validatePartition}. The input's bytes stay the caller's. */
  validate(input: PartitionInput): Promise<PartitionResult>;
  /** Lets running tasks finish, and refuses those that wait or come. */
  close(): Promise<void>;
}

/** Workers without threads: tasks run on the caller's event loop, for tests and tools that handle one file. */
export function inlineImportWorkers(): ImportWorkers {
  return {
    split: ({ chunks, ...expectations }) => splitFile(chunks, expectations),
    validate: validatePartition,
    close: async () => undefined,
  };
}
