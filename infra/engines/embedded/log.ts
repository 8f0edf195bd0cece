import type { DatabaseSync } from 'node:sqlite';
import { TOPIC_NAMES, TOPICS } from '../../../topics/catalogue.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { Consumer, Log, NewRecord, Subscription } from '../../../topics/ports/log.ts';
import type { HaltListener } from '../shared/delivery.ts';
import type { RecordMemory } from '../shared/record-memory.ts';
import type { Signal } from '../shared/signal.ts';
import type { GroupCommit } from './group-commit.ts';
import { LogTables } from './log-tables.ts';
import { PartitionLoop } from './partition-loop.ts';

/** Records that one call of `prune` removes from one partition at most. */
export const PRUNED_A_CALL = 1_000;

/**
 * The event log in the embedded database. Every partition of a subscription has a loop, woken by the appends of this
 * process, the only one. A group has one consumer for each topic: a second one would get no partitions, so it is
 * rejected until the first has stopped.
 */
export class EmbeddedLog implements Log {
  readonly #tables: LogTables;
  readonly #writer: GroupCommit;
  readonly #clock: Clock;
  readonly #halts: HaltListener;
  readonly #memory: RecordMemory;
  readonly #arrivals = new Map<number, Set<Signal>>();
  readonly #groups = new Set<string>();
  readonly #consumers = new Set<Consumer>();

  /** @param memory of records that are being handled, for all consumers */
  constructor(
    database: DatabaseSync,
    writer: GroupCommit,
    clock: Clock,
    halts: HaltListener,
    memory: RecordMemory,
  ) {
    this.#tables = new LogTables(database);
    this.#writer = writer;
    this.#clock = clock;
    this.#halts = halts;
    this.#memory = memory;
    writer.onRollBack(() => this.#tables.forgetEnds());
  }

  /** Appends the records of one call in one transaction. */
  async append(records: readonly NewRecord[]): Promise<void> {
    if (records.length === 0) return;
    const placed = records.map((record) => ({ record, partition: this.#tables.partitionFor(record) }));
    await this.#writer.run(() => {
      const now = this.#clock.now();
      for (const { record, partition } of placed) this.#tables.append(partition, record, now);
    });
    for (const id of new Set(placed.map(({ partition }) => partition.id))) {
      for (const signal of this.#arrivals.get(id) ?? []) signal.notify();
    }
  }

  async consume(subscription: Subscription): Promise<Consumer> {
    const { group, topic } = subscription;
    const name = JSON.stringify([group, topic]);
    if (this.#groups.has(name)) {
      throw new Error(`consuming ${topic}: the group ${group} already has a consumer in this process`);
    }
    this.#groups.add(name);
    try {
      await this.#registerGroup(subscription);
    } catch (error) {
      this.#groups.delete(name);
      throw error;
    }
    return this.#start(subscription, () => this.#groups.delete(name));
  }

  /**
   * Removes records that are older than their topic's retention and that every known group has committed. A command
   * or work topic without a group keeps every record. Bounded: call it again while it returns more than zero.
   *
   * @returns the number of removed records
   */
  async prune(now: number): Promise<number> {
    let pruned = 0;
    for (const topic of TOPIC_NAMES) {
      const before = now - TOPICS[topic].retentionMs;
      for (const partition of this.#tables.partitions(topic)) {
        pruned += await this.#writer.run(() => this.#tables.prune(partition, before, PRUNED_A_CALL));
      }
    }
    return pruned;
  }

  /** Stops every consumer. */
  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
  }

  #registerGroup({ topic, group }: Subscription): Promise<void> {
    return this.#writer.run(() => {
      for (const partition of this.#tables.partitions(topic)) this.#tables.registerGroup(partition, group);
    });
  }

  #start(subscription: Subscription, onStopped: () => void): Consumer {
    const loops = this.#tables.partitions(subscription.topic).map((partition) => {
      const arrivals = this.#signals(partition.id);
      const loop = new PartitionLoop({
        tables: this.#tables,
        writer: this.#writer,
        memory: this.#memory,
        subscription,
        partition,
        ...this.#halts,
      });
      arrivals.add(loop.arrivals);
      return { loop, leave: () => arrivals.delete(loop.arrivals) };
    });
    let stopped: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      await Promise.all(loops.map(({ loop }) => loop.stop()));
      for (const { leave } of loops) leave();
      this.#consumers.delete(consumer);
      onStopped();
    };
    const consumer: Consumer = {
      status: async () => loops.map(({ loop }) => loop.status()),
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
    this.#consumers.add(consumer);
    return consumer;
  }

  #signals(partitionId: number): Set<Signal> {
    const signals = this.#arrivals.get(partitionId) ?? new Set();
    this.#arrivals.set(partitionId, signals);
    return signals;
  }
}
