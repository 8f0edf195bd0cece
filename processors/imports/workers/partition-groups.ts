import type { PartitionRange } from '../../../schemas/imports/work.ts';
import type { JudgedPartition } from './judge-partition.ts';
import type { TaskSlots } from './task-slots.ts';

/**
 * Partitions that one message takes to a thread at most. A message and the turns of the event loop that it makes cost as
 * much as the half of a partition; beyond a few together, threads would wait for each other at the end of a file.
 */
export const GROUP_MAX = 4;

/** A partition as it reaches a thread. */
export interface PartitionTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly range: PartitionRange;
}

/** What became of each partition of a group. */
export type PartitionOutcome =
  | { readonly kind: 'judged'; readonly result: JudgedPartition }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Runs partitions that share the JSON of their plan in one thread. Its outcomes are in their order. */
export type RunGroup = (
  plan: string,
  partitions: readonly PartitionTask[],
) => Promise<readonly PartitionOutcome[]>;

interface Waiter {
  readonly plan: string;
  readonly partition: PartitionTask;
  readonly resolve: (result: JudgedPartition) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Partitions that wait for a thread: whoever comes first takes along those of the same file that wait behind it. So a thread
 * that dies takes along partitions of one file only, whose import fails with any of them.
 */
export class PartitionGroups {
  readonly #slots: TaskSlots;
  readonly #run: RunGroup;
  readonly #waiting = new Set<Waiter>();

  constructor(slots: TaskSlots, run: RunGroup) {
    this.#slots = slots;
    this.#run = run;
  }

  /** Rejects as {@link TaskSlots.run} does, with what the group's run threw, or with what the partition's own task threw. */
  validate(plan: string, partition: PartitionTask): Promise<JudgedPartition> {
    return new Promise((resolve, reject) => {
      const waiter = { plan, partition, resolve, reject };
      this.#waiting.add(waiter);
      // Each has a place in the line of its own, also if another one's turn then takes it along.
      this.#slots
        .run(() => this.#runNext())
        .catch((error: unknown) => {
          if (this.#waiting.delete(waiter)) reject(error);
        });
    });
  }

  async #runNext(): Promise<void> {
    const group = this.#take();
    if (group[0] === undefined) return;
    try {
      const outcomes = await this.#run(
        group[0].plan,
        group.map(({ partition }) => partition),
      );
      for (const [index, waiter] of group.entries()) settle(waiter, outcomes[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  #take(): Waiter[] {
    const group: Waiter[] = [];
    for (const waiter of this.#waiting) {
      if (waiter.plan !== (group[0] ?? waiter).plan) continue;
      this.#waiting.delete(waiter);
      group.push(waiter);
      if (group.length === GROUP_MAX) break;
    }
    return group;
  }
}

function settle({ resolve, reject }: Waiter, outcome: PartitionOutcome | undefined): void {
  if (outcome?.kind === 'judged') resolve(outcome.result);
  else reject(outcome?.error ?? new Error('validating a partition that no thread has answered for'));
}
