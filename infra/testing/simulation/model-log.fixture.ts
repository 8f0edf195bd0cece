import { TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import type { LogRecord, NewRecord } from '../../../topics/ports/log.ts';
import type { Host } from './host.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** The generation that every topic begins with. */
export const GENERATION = 1;
const GENERATIONS_MAX = 3;
const PARTITIONS_MAX = 12;

/** One partition of one generation, with the waiters for its next record. */
export class ModelPartition {
  readonly topic: TopicName;
  readonly generation: number;
  readonly number: number;
  /** All that were ever appended, also those whose retention is over. */
  readonly records: LogRecord[] = [];
  /** The first offset that can be read. */
  start = 0;
  /** After how many steps of the run each of them was appended. */
  readonly steps: number[] = [];
  #waiting: (() => void)[] = [];

  constructor(topic: TopicName, generation: number, number: number) {
    this.topic = topic;
    this.generation = generation;
    this.number = number;
  }

  get name(): string {
    return `${this.topic}.v${this.generation}/${this.number}`;
  }

  get end(): number {
    return this.records.length;
  }

  add(record: NewRecord, appendedAt: number, step: number): void {
    this.steps.push(step);
    const offset = this.records.length;
    const place = { partition: this.number, generation: this.generation, offset };
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
  /** A group is done with a generation only where it has itself come to its end. */
  readonly emptyNeverCloses?: boolean;
}

/** Partitions in the order of their appends, stamped by a clock of the log's own, which may jump. */
export class ModelLog {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #network: Network;
  readonly #partitions = new Map<string, ModelPartition>();
  /** The numbers of partitions of all generations of topics that have grown. */
  readonly #grown = new Map<TopicName, readonly number[]>();
  readonly flaws: LogFlaws;
  /** Called for a partition that has its first record. */
  onPartition: (partition: ModelPartition) => void = () => {};
  /** The offset of the log's clock, in milliseconds. */
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
      const generations = this.#generationsOf(topic);
      const number = partitionOf(key, generations.at(-1) ?? 0);
      const partition = this.#partition(topic, generations.length, number);
      partition.add({ topic, key, value }, this.#stampIn(partition), this.#scheduler.steps);
    }
  }

  #stampIn({ records }: ModelPartition): number {
    const now = this.clock.now();
    return this.flaws.stampsNeverGoBack === true ? Math.max(now, records.at(-1)?.appendedAt ?? now) : now;
  }

  /** Takes over the records of another log, with the times at which they were appended there. */
  replay(records: readonly LogRecord[]): void {
    for (const { topic, generation, partition, key, value, appendedAt } of records) {
      while (this.#generationsOf(topic).length < generation) this.#open(topic, PARTITIONS_MAX);
      const taken = this.#partition(topic, generation, partition);
      taken.add({ topic, key, value }, appendedAt, this.#scheduler.steps);
    }
  }

  /** Opens a further generation of some topic, with another number of partitions: what is appended goes there. */
  grow(): void {
    const topics = new Set(this.partitions().map(({ topic }) => topic));
    if (topics.size === 0) return;
    const topic = this.#random.pick([...topics]);
    if (this.#generationsOf(topic).length < GENERATIONS_MAX)
      this.#open(topic, this.#random.between(1, PARTITIONS_MAX));
  }

  /** True if there is a later generation: this one gets no more records. */
  isFollowed({ topic, generation }: ModelPartition): boolean {
    return generation < this.#generationsOf(topic).length;
  }

  #generationsOf(topic: TopicName): readonly number[] {
    return this.#grown.get(topic) ?? [TOPICS[topic].partitions];
  }

  #open(topic: TopicName, partitions: number): void {
    this.#grown.set(topic, [...this.#generationsOf(topic), partitions]);
  }

  /** Partitions that have records. */
  partitions(): readonly ModelPartition[] {
    return [...this.#partitions.values()];
  }

  /** Every record, each partition in its order. */
  records(): readonly LogRecord[] {
    return this.partitions().flatMap(({ records }) => records);
  }

  #partition(topic: TopicName, generation: number, number: number): ModelPartition {
    const made = new ModelPartition(topic, generation, number);
    const known = this.#partitions.get(made.name);
    if (known !== undefined) return known;
    this.#partitions.set(made.name, made);
    this.onPartition(made);
    return made;
  }
}
