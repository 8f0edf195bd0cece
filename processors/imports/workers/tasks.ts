import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { PartitionRange } from '../../../schemas/imports/work.ts';
import { type SplitExpectations, type SplitResult, splitFile } from '../splitting/split.ts';
import { type PartitionPlan, validatePartition } from '../validation/validate-partition.ts';

/** A whole file in one piece, the form in which it reaches a thread. */
export interface SplitTask {
  readonly bytes: Uint8Array;
  readonly expectations: SplitExpectations;
}

/** Runs in a worker thread. */
export function split({ bytes, expectations }: SplitTask): Promise<SplitResult> {
  return splitFile([bytes], expectations);
}

/** A partition as it reaches a thread. */
export interface ValidateTask {
  readonly bytes: Uint8Array;
  readonly range: PartitionRange;
  /** The JSON of a {@link PartitionPlan}: the same text for many tasks, which is copied faster than the objects in it. */
  readonly plan: string;
}

/** The plan of the last task: partitions of one file come together. */
let last: { readonly text: string; readonly plan: PartitionPlan } | null = null;

/** Runs in a worker thread. The artifact's memory moves to the caller instead of being copied. */
export async function validate({ bytes, range, plan: text }: ValidateTask) {
  if (last?.text !== text) last = { text, plan: JSON.parse(text) as PartitionPlan };
  const result = await validatePartition({ bytes, range, ...last.plan });
  return move({ [transferableSymbol]: [result.artifact.buffer], [valueSymbol]: result });
}
