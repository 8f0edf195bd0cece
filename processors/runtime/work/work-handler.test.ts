import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bench, newRequestId, settled } from '../../../infra/testing/accounts.fixture.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type {
  LogRecord,
  NewRecord,
  PartitionAssignment,
  PartitionHandler,
} from '../../../topics/ports/log.ts';
import { BegunWork } from './begun-work.ts';
import { defineWork, workSubscription } from './work-handler.ts';
import { WorkLane } from './work-lane.ts';
import { ENDED_PROCESSES_MAX, ENDS_BESIDE_MAX } from './work-window.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

const itemTable = { item: { input: z.strictObject({ name: z.string() }) } };
const ITEMS_AT_ONCE = 2;
const ITEMS = 20;

/** Items of one partition: they have one key. */
function items(...names: string[]) {
  return names.map((name) => {
    const { value } = bench.record('key', 'item', { name }, { operation: 'item', requestId: newRequestId() });
    return { topic: 'import-splits' as const, key: 'key', value };
  });
}

/** The same as records of a partition. */
function records(...names: string[]): LogRecord[] {
  const place = { generation: 1, partition: 0, appendedAt: 0 };
  return items(...names).map((item, offset) => ({ ...item, ...place, offset }));
}

const assignment: PartitionAssignment = {
  topic: 'import-splits',
  generation: 1,
  partition: 0,
  isCurrent: () => true,
  mayBegin: () => true,
  hasAppended: async () => true,
};

/** Delivers records from the first unfinished one on, as a log does, until the progress has reached an offset. */
async function deliver(handler: PartitionHandler, all: readonly LogRecord[], until = all.length, next = 0) {
  while (next < until) ({ nextOffset: next } = await handler.handle(all.slice(next)));
  return next;
}

const numbered = Array.from({ length: ITEMS }, (_, index) => `n${index}`);

describe('work', () => {
  it('continues after an item that an engine keeps failing, and handles that item again', async () => {
    const done: string[] = [];
    let isBroken = true;
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 3,
      async handle({ input }) {
        if (input.name === 'broken' && isBroken) throw new EngineUnavailableError('blobs');
        done.push(input.name);
        return null;
      },
      failed: () => expect.fail('giving up an item that only an engine failed'),
    });
    await bench.engine.log.append(items('broken', ...numbered));
    await bench.consume(workSubscription(work, bench.dependencies(), new WorkLane()));
    await settled(async () => expect(new Set(done)).toEqual(new Set(numbered)));
    isBroken = false;
    await settled(async () => expect(done).toContain('broken'));
  });

  it('continues behind an item that takes long, and begins no item twice', async () => {
    const begun: string[] = [];
    const long = Promise.withResolvers<void>();
    let inWork = 0;
    let atOnce = 0;
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 3,
      async handle({ input }) {
        begun.push(input.name);
        inWork += 1;
        atOnce = Math.max(atOnce, inWork);
        await (input.name === 'long' ? long.promise : nextTurn());
        inWork -= 1;
        return null;
      },
      failed: () => null,
    });
    const handler = workSubscription(work, bench.dependencies(), new WorkLane()).open(assignment);
    const delivered = records('n', 'long', ...numbered);
    expect(await deliver(handler, delivered, 1)).toBe(1);
    while (begun.length < delivered.length) {
      expect(await handler.handle(delivered.slice(1))).toEqual({ nextOffset: 1, pauseMs: 0 });
    }
    long.resolve();
    await deliver(handler, delivered, delivered.length, 1);
    expect(begun).toEqual(['n', 'long', ...numbered]);
    expect(atOnce).toBe(ITEMS_AT_ONCE);
  });

  it('reports an item that it handles twice under one key, and each item under another', async () => {
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 3,
      handle: async ({ input }) => ({ kind: 'command', topic: 'imports', key: 'a', type: 'done', input }),
      failed: () => null,
    });
    let now = 0;
    const sent: string[] = [];
    const dependencies = bench.dependencies();
    const engines = {
      ...dependencies,
      clock: { now: () => now },
      log: {
        append: async (reports: readonly NewRecord[]) => void sent.push(...reports.map(({ value }) => value)),
        consume: dependencies.log.consume.bind(dependencies.log),
      },
    };
    const delivered = records('one', 'two');
    for (const at of [1_000, 2_000]) {
      now = at;
      await deliver(workSubscription(work, engines, new WorkLane()).open(assignment), delivered);
    }
    const keys = sent.map((value) => JSON.parse(value)).map(({ key, input }) => `${input.name} ${key}`);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(2);
    expect(new Set(keys.map((each) => each.split(' ')[1])).size).toBe(2);
  });

  it('hands back all progress before the partition is given back', async () => {
    const long = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let mayBegin = true;
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: 1,
      attemptsMax: 3,
      async handle() {
        begun.resolve();
        await long.promise;
        return null;
      },
      failed: () => null,
    });
    const handler = workSubscription(work, bench.dependencies(), new WorkLane()).open({
      ...assignment,
      mayBegin: () => mayBegin,
    });
    const delivered = records('long', 'never');
    expect(await handler.handle(delivered)).toEqual({ nextOffset: 0, pauseMs: 0 });
    await begun.promise;
    mayBegin = false;
    const progress = handler.handle(delivered);
    long.resolve();
    expect(await progress).toMatchObject({ nextOffset: 1 });
  });

  it('says that an item waits which several processes have ended with', async () => {
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 3,
      handle: () => expect.fail('handling an item at once that may end its process'),
      failed: () => null,
    });
    const said: unknown[] = [];
    const logger = {
      info() {},
      error() {},
      warn: (facts: object, message: string) => said.push([message, facts]),
    };
    const dependencies = bench.dependencies({ logger });
    for (let ended = 0; ended < ENDS_BESIDE_MAX; ended += 1) {
      const begun = new BegunWork(dependencies, assignment);
      await begun.load(0);
      await begun.begin([0]);
    }
    const { open } = workSubscription(work, dependencies, new WorkLane());
    const handler = open(assignment);
    const delivered = handler.handle(records('unlucky'));
    await settled(async () =>
      expect(said).toEqual([['WorkHeldBack', { topic: 'import-splits', ends: 3, ms: 10_000 }]]),
    );
    await delivered;
    await handler.close();
  });

  it('does not count processes that end in order', async () => {
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 3,
      handle: () => Promise.reject(new EngineUnavailableError('blobs')),
      failed: () => expect.fail('giving up an item that only an engine failed'),
    });
    await bench.engine.log.append(items('unlucky'));
    for (let ended = 0; ended <= 2 * ENDED_PROCESSES_MAX; ended += 1) {
      let failures = 0;
      const logger = {
        info() {},
        error() {},
        warn: () => {
          failures += 1;
        },
      };
      await bench.consume(workSubscription(work, bench.dependencies({ logger }), new WorkLane()));
      await settled(async () => expect(failures).toBeGreaterThan(0));
      await bench.stopLast();
    }
  });
});
