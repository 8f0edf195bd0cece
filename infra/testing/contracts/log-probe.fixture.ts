import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { TOPICS, type TopicName } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import type {
  Consumer,
  IdleProgress,
  Log,
  LogRecord,
  PartitionAssignment,
  PartitionHandler,
  Progress,
} from '../../../topics/ports/log.ts';
import { type EngineFixture, unique, WAIT } from './engine.fixture.ts';

export interface LogFixture extends EngineFixture {
  readonly log: Log;
}

export interface ProbeOptions {
  readonly group: string;
  readonly topic?: TopicName;
  readonly batchRecordsMax?: number;
  /** The keys whose records count. Records of other tests are skipped. */
  readonly keys: readonly string[];
  /** Handles a delivery that starts with a record that counts. Without it everything is done at once. */
  readonly handle?: (records: readonly LogRecord[], assignment: PartitionAssignment) => Promise<Progress>;
  /** Does a piece of work that can wait. Without it nothing is left. */
  readonly idle?: (assignment: PartitionAssignment) => Promise<IdleProgress>;
}

/** A consumer that remembers what happened to it, and trips when the log calls it in a way that the port excludes. */
export class LogProbe {
  /** Records that count, in the order in which they were handed over, as often as they were. */
  readonly delivered: LogRecord[] = [];
  readonly batchSizes: number[] = [];
  readonly assignments: PartitionAssignment[] = [];
  readonly violations: string[] = [];
  idles = 0;
  closes = 0;
  readonly #options: ProbeOptions;
  #consumer: Consumer | null = null;

  static async start(log: Log, options: ProbeOptions): Promise<LogProbe> {
    const probe = new LogProbe(options);
    const { group, topic = 'imports', batchRecordsMax = 100 } = options;
    const open = (assignment: PartitionAssignment) => probe.#open(assignment);
    probe.#consumer = await log.consume({ group, topic, batchRecordsMax, open });
    return probe;
  }

  private constructor(options: ProbeOptions) {
    this.#options = options;
  }

  get consumer(): Consumer {
    if (this.#consumer === null) throw new Error('using a probe that has not started');
    return this.#consumer;
  }

  values(key?: string): string[] {
    return this.delivered
      .filter((record) => key === undefined || record.key === key)
      .map(({ value }) => value);
  }

  async stop(): Promise<void> {
    await this.consumer.stop();
  }

  #open(assignment: PartitionAssignment): PartitionHandler {
    this.assignments.push(assignment);
    const exclusively = this.#guard();
    return {
      handle: (records) => exclusively('handle', () => this.#handle(records, assignment)),
      idle: () =>
        exclusively('idle', async () => {
          this.idles += 1;
          return (await this.#options.idle?.(assignment)) ?? 'done';
        }),
      close: () =>
        exclusively('close', async () => {
          this.closes += 1;
        }),
    };
  }

  async #handle(records: readonly LogRecord[], assignment: PartitionAssignment): Promise<Progress> {
    this.batchSizes.push(records.length);
    const first = records.findIndex(({ key }) => this.#options.keys.includes(key));
    const end = (records.at(-1)?.offset ?? -1) + 1;
    if (first === -1) return { nextOffset: end, pauseMs: 0 };
    if (first > 0) return { nextOffset: records[first]?.offset ?? end, pauseMs: 0 };
    this.delivered.push(...records.filter(({ key }) => this.#options.keys.includes(key)));
    return (await this.#options.handle?.(records, assignment)) ?? { nextOffset: end, pauseMs: 0 };
  }

  /** Notes calls that overlap, and calls after `close`. */
  #guard(): <Result>(name: string, call: () => Promise<Result>) => Promise<Result> {
    let running: string | null = null;
    let closed = false;
    return async (name, call) => {
      if (running !== null) this.violations.push(`${name} during ${running}`);
      if (closed) this.violations.push(`${name} after close`);
      running = name;
      try {
        // Leaves room for a second call to begin, if there is one.
        await new Promise((resolve) => setImmediate(resolve));
        return await call();
      } finally {
        running = null;
        closed ||= name === 'close';
      }
    };
  }
}

/** The log of a suite, and its probes: each test stops its own, and none may have seen a call that the port excludes. */
export class ProbedLog<Fixture extends LogFixture> {
  #fixture: Fixture | null = null;
  #probes: LogProbe[] = [];

  /** Opens the log before the tests of the suite that calls this, and closes it behind them. */
  constructor(open: () => Promise<Fixture>) {
    beforeAll(async () => {
      this.#fixture = await open();
    });
    afterAll(async () => {
      await this.engine.close();
    });
    afterEach(async () => {
      for (const probe of this.#probes) {
        await probe.stop();
        expect(probe.violations).toEqual([]);
        expect(probe.closes).toBe(probe.assignments.length);
      }
      this.#probes = [];
    });
  }

  get engine(): Fixture {
    if (this.#fixture === null) throw new Error('using a log outside of a test');
    return this.#fixture;
  }

  /** Starts a probe, by default in a separate group. */
  readonly start = async (
    options: Omit<ProbeOptions, 'group'> & { readonly group?: string },
  ): Promise<LogProbe> => {
    const probe = await LogProbe.start(this.engine.log, { group: unique('group'), ...options });
    this.#probes.push(probe);
    return probe;
  };

  readonly append = (key: string, ...values: string[]) =>
    this.engine.log.append(values.map((value) => ({ topic: 'imports', key, value })));

  /** Waits until a probe has got that many records. */
  readonly delivered = (probe: LogProbe, count: number) =>
    vi.waitFor(() => expect(probe.delivered.length).toBeGreaterThanOrEqual(count), WAIT);
}

/** Everything that was handed over is done. */
export function doneWith(records: readonly LogRecord[]): Progress {
  return { nextOffset: (records.at(-1)?.offset ?? -1) + 1, pauseMs: 0 };
}

/** Keys that start with `prefix` and fall into different partitions of a topic, one for each of the first `count`. */
export function keysInPartitions(prefix: string, count: number, topic: TopicName = 'imports'): string[] {
  const found = new Map<number, string>();
  for (let number = 0; found.size < TOPICS[topic].partitions; number += 1) {
    const key = `${prefix}-${number}`;
    const partition = partitionOf(key, TOPICS[topic].partitions);
    if (!found.has(partition)) found.set(partition, key);
  }
  return [...found.values()].slice(0, count);
}
