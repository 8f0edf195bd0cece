import { TOPICS, type TopicName } from '../../topics/catalogue.ts';
import { partitionOf } from '../../topics/partition.ts';
import type { Clock } from '../../topics/ports/clock.ts';
import type { LogRecord, NewRecord } from '../../topics/ports/log.ts';
import type { Host } from './host.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** The only generation that the topics of a run have. */
export const GENERATION = 1;

/** One partition, with whoever waits for its next record. */
export class ModelPartition {
  readonly topic: TopicName;
  readonly number: number;
  readonly records: LogRecord[] = [];
  /** After how many steps of the run each of them was appended. */
  readonly steps: number[] = [];
  #waiting: (() => void)[] = [];

  constructor(topic: TopicName, number: number) {
    this.topic = topic;
    this.number = number;
  }

  get name(): string {
    return `${this.topic}/${this.number}`;
  }

  add(record: NewRecord, appendedAt: number, step: number): void {
    this.steps.push(step);
    const offset = this.records.length;
    const place = { partition: this.number, generation: GENERATION, offset };
    this.records.push({ ...record, ...place, appendedAt });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Calls once, when the next record is there. */
  onArrival(wake: () => void): void {
    this.#waiting.push(wake);
  }
}

/** Something that the model's log does and no engine may do: a mutation, so that a run shows what comes of it. */
export interface LogFlaws {
  /** A stamp is never earlier than the one before it in its partition, even if the clock was set back. */
  readonly stampsNeverGoBack?: boolean;
  /** A refused offset commit halts its partition. */
  readonly refusedCommitHalts?: boolean;
  /** A halted partition never tries its records again. */
  readonly haltsForGood?: boolean;
}

/** Partitions in the order of their appends, stamped by a clock of the log's own, which may jump. */
export class ModelLog {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #network: Network;
  readonly #partitions = new Map<string, ModelPartition>();
  readonly flaws: LogFlaws;
  /** Called for a partition that has its first record. */
  onPartition: (partition: ModelPartition) => void = () => {};
  /** How far the log's clock is off, in milliseconds. */
  clockOffsetMs = 0;

  constructor(scheduler: Scheduler, random: Random, network: Network, flaws: LogFlaws) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#network = network;
    this.flaws = flaws;
  }

  readonly clock: Clock = { now: () => this.#scheduler.shownTime(this.clockOffsetMs) };

  /** The appending half of the port, as one host sees it. */
  appenderOn(host: Host): (records: readonly NewRecord[]) => Promise<void> {
    return (records) =>
      this.#network.call(host, 'log', () => this.append(records), {
        // Of an append without an answer any part may be there.
        abandoned: () => this.append(records.filter(() => this.#random.chance(0.3))),
      });
  }

  append(records: readonly NewRecord[]): void {
    for (const { topic, key, value } of records) {
      const partition = this.#partition(topic, partitionOf(key, TOPICS[topic].partitions));
      partition.add({ topic, key, value }, this.#stampIn(partition), this.#scheduler.steps);
    }
  }

  #stampIn({ records }: ModelPartition): number {
    const now = this.clock.now();
    return this.flaws.stampsNeverGoBack === true ? Math.max(now, records.at(-1)?.appendedAt ?? now) : now;
  }

  /** Takes over the records of another log, with the times at which they were appended there. */
  replay(records: readonly LogRecord[]): void {
    for (const { topic, partition, key, value, appendedAt } of records) {
      this.#partition(topic, partition).add({ topic, key, value }, appendedAt, this.#scheduler.steps);
    }
  }

  /** Partitions that have records. */
  partitions(): readonly ModelPartition[] {
    return [...this.#partitions.values()];
  }

  /** Every record, each partition in its order. */
  records(): readonly LogRecord[] {
    return this.partitions().flatMap(({ records }) => records);
  }

  #partition(topic: TopicName, number: number): ModelPartition {
    const name = `${topic}/${number}`;
    const known = this.#partitions.get(name);
    if (known !== undefined) return known;
    const made = new ModelPartition(topic, number);
    this.#partitions.set(name, made);
    this.onPartition(made);
    return made;
  }
}
