import { vi } from 'vitest';
import { z } from 'zod';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { defineWork, workSubscription } from '../../../processors/runtime/work/work-handler.ts';
import { WorkLane } from '../../../processors/runtime/work/work-lane.ts';
import type { Envelope } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import type { TopicName } from '../../../topics/catalogue.ts';
import type { IndexEntry } from '../../../topics/ports/digest-index.ts';
import type { LogRecord, Subscription } from '../../../topics/ports/log.ts';
import { Scheduler } from './scheduler.fixture.ts';

/** An item by the time that its work takes. `endsAfterMs`: each process that handles it ends then. */
export interface SimulatedItem {
  readonly name: string;
  readonly takesMs: number;
  readonly endsAfterMs?: number;
}

const WORKS = ['import-splits', 'import-partitions'] as const satisfies readonly TopicName[];
const PARTITIONS = 2;
const ITEMS_AT_ONCE = 4;
const ENGINE_MS = 2;
const RESTART_MS = 1_000;
/** The longest step of the virtual time: a timer that ends needs a few turns of the event loop before anything follows. */
const TICK_MS = 25;

interface Process {
  isAlive: boolean;
  inWork: number;
}

interface Partition {
  readonly topic: TopicName;
  readonly number: number;
  readonly records: LogRecord[];
  committed: number;
}

/** A machine in virtual time that starts a process with two works again whenever it has ended. */
export class Machine {
  /** The number of processes that had ended when an item was done first, by its name. */
  readonly done = new Map<string, number>();
  readonly givenUp: string[] = [];
  /** The number of items that each ended process had in work. */
  readonly ends: number[] = [];
  readonly #scheduler = new Scheduler(0);
  readonly #items: ReadonlyMap<string, SimulatedItem>;
  readonly #partitions: readonly Partition[];
  readonly #index = new Map<string, IndexEntry>();
  readonly #lifeMs: () => number;
  #process: Process = { isAlive: false, inWork: 0 };

  /** @param lifeMs draws the time after which a process is killed, whatever it does */
  constructor(items: readonly SimulatedItem[], lifeMs: () => number = () => Infinity) {
    this.#items = new Map(items.map((item) => [item.name, item]));
    this.#lifeMs = lifeMs;
    this.#partitions = WORKS.flatMap((topic) =>
      Array.from({ length: PARTITIONS }, (_, number) => ({ topic, number, records: [], committed: 0 })),
    );
    for (const [index, { name }] of items.entries()) this.#append(name, index);
  }

  /** Runs until every item is done or given up. False if that takes longer. */
  async run(untilMs: number): Promise<boolean> {
    const { setTimeout, clearTimeout } = this.#scheduler.timers();
    vi.stubGlobal('setTimeout', setTimeout);
    vi.stubGlobal('clearTimeout', clearTimeout);
    const isOver = () => new Set([...this.done.keys(), ...this.givenUp]).size === this.#items.size;
    try {
      this.#start();
      while (!isOver() && this.#scheduler.now < untilMs) {
        this.#scheduler.after(TICK_MS, () => {});
        await this.#scheduler.run(this.#scheduler.now + TICK_MS);
      }
    } finally {
      this.#process.isAlive = false;
      vi.unstubAllGlobals();
    }
    return isOver();
  }

  #append(name: string, index: number): void {
    const { topic, number, records } = this.#partitions[index % this.#partitions.length] as Partition;
    const envelope: Envelope = {
      envelope: 1,
      type: 'item',
      operation: 'item',
      key: name,
      keyFrom: 'client',
      inputDigest: digestOf(name),
      requestId: `req_${digestOf(name).slice(0, 24)}`,
      replyTo: null,
      notAfter: null,
      issuedAt: 0,
      actor: { kind: 'agent', id: 'test' },
      input: { name },
    };
    const place = { topic, partition: number, generation: 1, offset: records.length, appendedAt: 0 };
    records.push({ ...place, key: name, value: JSON.stringify(envelope) });
  }

  #start(): void {
    const process = { isAlive: true, inWork: 0 };
    this.#process = process;
    const lane = new WorkLane();
    for (const topic of WORKS) {
      const subscription = workSubscription(this.#work(process, topic), this.#engines(process), lane);
      const own = this.#partitions.filter((partition) => partition.topic === topic);
      for (const partition of own) void this.#deliver(process, subscription, partition);
    }
    const lifeMs = this.#lifeMs();
    if (lifeMs < Infinity) this.#scheduler.after(lifeMs, () => this.#end(process));
  }

  #end(process: Process): void {
    if (!process.isAlive) return;
    process.isAlive = false;
    this.ends.push(process.inWork);
    this.#scheduler.after(RESTART_MS, () => this.#start());
  }

  #work(process: Process, topic: TopicName) {
    return defineWork({
      topic,
      items: { item: { input: z.strictObject({ name: z.string() }) } },
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 1,
      handle: async ({ input: { name } }) => {
        const { takesMs, endsAfterMs } = this.#items.get(name) as SimulatedItem;
        if (endsAfterMs !== undefined) this.#scheduler.after(endsAfterMs, () => this.#end(process));
        process.inWork += 1;
        await this.#passes(process, takesMs);
        process.inWork -= 1;
        if (!this.done.has(name)) this.done.set(name, this.ends.length);
        return null;
      },
      failed: ({ input: { name } }) => {
        this.givenUp.push(name);
        return null;
      },
    });
  }

  /** Waits in a process; for ever if that ends meanwhile. */
  #passes(process: Process, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#scheduler.after(milliseconds, () => {
        if (process.isAlive) resolve();
      });
    });
  }

  async #deliver(process: Process, { batchRecordsMax, open }: Subscription, partition: Partition) {
    const { topic, number, records } = partition;
    const handler = open({
      topic,
      generation: 1,
      partition: number,
      isCurrent: () => true,
      mayBegin: () => true,
      hasAppended: async () => true,
    });
    for (let next = partition.committed; next < records.length; ) {
      const { nextOffset, pauseMs } = await handler.handle(records.slice(next, next + batchRecordsMax));
      if (!process.isAlive) return;
      next = nextOffset;
      partition.committed = nextOffset;
      await this.#passes(process, pauseMs);
    }
  }

  #engines(process: Process): ProcessorDependencies {
    const call = () => this.#passes(process, ENGINE_MS);
    const keyOf = ({ kind, digest }: Pick<IndexEntry, 'kind' | 'digest'>) => `${kind} ${digest}`;
    return {
      log: { append: call, consume: () => Promise.reject(new Error('consuming beside the machine')) },
      digestIndex: {
        put: async (entry) => {
          await call();
          this.#index.set(keyOf(entry), entry);
        },
        get: async (key) => {
          await call();
          return this.#index.get(keyOf(key))?.target ?? null;
        },
      },
      clock: { now: () => Math.floor(this.#scheduler.now) },
      entropy: { bytes: (count: number) => new Uint8Array(count) },
      logger: { info() {}, warn() {}, error() {} },
    } as Partial<ProcessorDependencies> as ProcessorDependencies;
  }
}
