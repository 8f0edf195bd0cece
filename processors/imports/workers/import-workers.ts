import { type Chunks, type SplitExpectations, type SplitResult, splitFile } from '../splitting/split.ts';
import type { PartitionInput } from '../validation/validate-partition.ts';
import { type JudgedPartition, judgePartition } from './judge-partition.ts';

/** A file to split: its bytes as they are read from the blob, and what they have to be. The chunks are handed over. */
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
  /** As {@link judgePartition}. The input's bytes are handed over: a thread may take them away from the caller. */
  validate(input: PartitionInput): Promise<JudgedPartition>;
  /** Lets running tasks finish, and refuses those that wait or come. */
  close(): Promise<void>;
}

/** Workers without threads: tasks run on the caller's event loop, for tests and tools that handle one file. */
export function inlineImportWorkers(): ImportWorkers {
  return {
    split: ({ chunks, ...expectations }) => splitFile(chunks, expectations),
    validate: judgePartition,
    close: async () => undefined,
  };
}
