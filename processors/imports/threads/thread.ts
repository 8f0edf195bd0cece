import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type SplitExpectations, type SplitResult, splitFile } from '../splitting/split.ts';
import {
  type PackedPartition,
  type PartitionInput,
  type PartitionPlan,
  validateAndPack,
} from '../validation/validate-partition.ts';
import type { JobOutcome, PartitionTask } from './partition-groups.ts';

/** A whole file as it reaches a thread. */
export interface SplitTask {
  readonly pieces: readonly Uint8Array[];
  readonly expectations: SplitExpectations;
}

/** Runs in a worker thread. */
export function split({ pieces, expectations }: SplitTask): Promise<SplitResult> {
  return splitFile(pieces, expectations);
}

/** Partitions of one file as they reach a thread. */
export interface ValidateTask {
  readonly partitions: readonly PartitionTask[];
  /** The JSON of a {@link PartitionPlan}: the same text for many tasks, which is copied faster than the objects in it. */
  readonly plan: string;
}

/** The plan of the last task: partitions of one file come together. */
let last: { readonly text: string; readonly plan: PartitionPlan } | null = null;

/** Runs in a worker thread. The memory of artifacts and row errors moves to the caller instead of being copied. */
export async function validate({ partitions, plan: text }: ValidateTask) {
  if (last?.text !== text) last = { text, plan: JSON.parse(text) as PartitionPlan };
  const outcomes: JobOutcome[] = [];
  for (const partition of partitions) outcomes.push(await outcomeOf({ ...partition, ...last.plan }));
  const memory = outcomes.flatMap((outcome) =>
    outcome.kind === 'validated' ? memoryOf(outcome.result) : [],
  );
  return move({ [transferableSymbol]: memory, [valueSymbol]: outcomes });
}

function memoryOf({ artifact, rowErrors }: PackedPartition): ArrayBuffer[] {
  return rowErrors === null ? [artifact.buffer] : [artifact.buffer, rowErrors.buffer];
}

async function outcomeOf(input: PartitionInput): Promise<JobOutcome> {
  try {
    return { kind: 'validated', result: await validateAndPack(input) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
