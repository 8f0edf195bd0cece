import type { LogRecord, PartitionAssignment, Subscription } from '../../../topics/ports/log.ts';

/** Knows the oldest record of each partition that was delivered and is not handled. */
export class UnhandledRecords {
  /** By group, topic and partition: the time of its append in Unix milliseconds. */
  readonly #since = new Map<string, number>();

  /** The same subscription, whose deliveries are noted. */
  noting(subscription: Subscription): Subscription {
    const { group } = subscription;
    return {
      ...subscription,
      open: (assignment) => {
        const handler = subscription.open(assignment);
        const key = keyOf(group, assignment);
        return {
          handle: async (records) => {
            this.#note(key, records[0]);
            const progress = await handler.handle(records);
            this.#note(
              key,
              records.find(({ offset }) => offset >= progress.nextOffset),
            );
            return progress;
          },
          idle: () => handler.idle(),
          close: () => handler.close(),
        };
      },
    };
  }

  /** Returns the time of the append of the oldest one, or null if there is none. */
  since(group: string, topic: string, partition: number): number | null {
    return this.#since.get(keyOf(group, { topic, partition })) ?? null;
  }

  #note(key: string, record: LogRecord | undefined): void {
    if (record === undefined) this.#since.delete(key);
    else this.#since.set(key, record.appendedAt);
  }
}

function keyOf(
  group: string,
  { topic, partition }: Pick<PartitionAssignment, 'partition'> & { readonly topic: string },
): string {
  return `${group} ${topic} ${partition}`;
}
