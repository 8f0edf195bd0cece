import type { PartitionRange } from '../../../schemas/imports/work-items.ts';
import type { Party } from '../../../schemas/workspaces/party.ts';
import type { Turns } from '../../runtime/work/turns.ts';
import type { PackedPartition } from '../validation/validate-partition.ts';

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

/** The result of each partition of a group. */
export type JobOutcome =
  | { readonly kind: 'validated'; readonly result: PackedPartition }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Runs partitions that share the JSON of their plan in one thread. Its outcomes are in their order. */
export type RunGroup = (plan: string, partitions: readonly PartitionTask[]) => Promise<readonly JobOutcome[]>;

interface Waiter {
  readonly partition: PartitionTask;
  readonly resolve: (result: PackedPartition) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Partitions that wait for a thread. Those of one file share a place in the line, a few at a time: a thread that dies takes
 * along partitions of one file only, whose import fails with any of them.
 */
export class PartitionGroups {
  readonly #slots: Turns;
  readonly #run: RunGroup;
  /** By plan, the group in the line that has room. */
  readonly #open = new Map<string, Waiter[]>();

  constructor(slots: Turns, run: RunGroup) {
    this.#slots = slots;
    this.#run = run;
  }

  /** Rejects as {@link Turns.run} does, with what the group's run threw, or with what the partition's own task threw. */
  validate(plan: string, partition: PartitionTask, party: Party): Promise<PackedPartition> {
    return new Promise((resolve, reject) => {
      const group = this.#join(plan);
      group.push({ partition, resolve, reject });
      if (group.length === 1) void this.#lineUp(plan, group, party);
      if (group.length === GROUP_MAX) this.#close(plan, group);
    });
  }

  /** The group of a plan that a further partition joins; an empty one has no place in the line yet. */
  #join(plan: string): Waiter[] {
    const open = this.#open.get(plan);
    if (open !== undefined) return open;
    const group: Waiter[] = [];
    this.#open.set(plan, group);
    return group;
  }

  async #lineUp(plan: string, group: Waiter[], party: Party): Promise<void> {
    try {
      const outcomes = await this.#slots.run(party, null, () => {
        this.#close(plan, group);
        return this.#run(
          plan,
          group.map(({ partition }) => partition),
        );
      });
      for (const [index, waiter] of group.entries()) settle(waiter, outcomes[index]);
    } catch (error) {
      this.#close(plan, group);
      for (const { reject } of group) reject(error);
    }
  }

  /** Closes the group to further partitions: it is full, begins, or was refused. */
  #close(plan: string, group: Waiter[]): void {
    if (this.#open.get(plan) === group) this.#open.delete(plan);
  }
}

function settle({ resolve, reject }: Waiter, outcome: JobOutcome | undefined): void {
  if (outcome?.kind === 'validated') resolve(outcome.result);
  else reject(outcome?.error ?? new Error('validating a partition that no thread has answered for'));
}
