import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type SplitExpectations, type SplitResult, splitFile } from '../splitting/split.ts';
import { type PartitionInput, validatePartition } from '../validation/validate-partition.ts';

/** A whole file in one piece, the form in which it reaches a thread. */
export interface SplitTask {
  readonly bytes: Uint8Array;
  readonly expectations: SplitExpectations;
}

/** Runs in a worker thread. */
export function split({ bytes, expectations }: SplitTask): Promise<SplitResult> {
  return splitFile([bytes], expectations);
}

/** Runs in a worker thread. The artifact's memory moves to the caller instead of being copied. */
export async function validate(input: PartitionInput) {
  const result = await validatePartition(input);
  return move({ [transferableSymbol]: [result.artifact.buffer], [valueSymbol]: result });
}
