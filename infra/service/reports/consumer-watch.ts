import type { Consumer, Log, PartitionStatus } from '../../../topics/ports/log.ts';
import { UnhandledRecords } from './unhandled-records.ts';

/** A partition that this process consumes. */
export interface WatchedPartition extends PartitionStatus {
  readonly group: string;
  /** Unix milliseconds of the append of the oldest record that was delivered and is not handled; null if there is none. */
  readonly oldestAt: number | null;
}

/** Knows the consumers of this process, and how far behind they are. */
export class ConsumerWatch {
  readonly #consumers = new Set<{ readonly group: string; readonly consumer: Consumer }>();
  readonly #unhandled = new UnhandledRecords();

  /** The same log, whose consumers are known from now on. */
  watching(log: Log): Log {
    return {
      append: (records) => log.append(records),
      consume: async (subscription) => {
        const { group } = subscription;
        const consumer = await log.consume(this.#unhandled.noting(subscription));
        const entry = { group, consumer };
        this.#consumers.add(entry);
        return {
          status: () => consumer.status(),
          stop: async () => {
            this.#consumers.delete(entry);
            await consumer.stop();
          },
        };
      },
    };
  }

  /** Returns the partitions of all consumers. Rejects with `EngineUnavailableError` while the log is down. */
  async read(): Promise<WatchedPartition[]> {
    const read = [...this.#consumers].map(async ({ group, consumer }) =>
      (await consumer.status()).map((status) => ({
        ...status,
        group,
        oldestAt: this.#unhandled.since(group, status.topic, status.partition),
      })),
    );
    return (await Promise.all(read)).flat();
  }
}
