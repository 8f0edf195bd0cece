import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bench, newRequestId, settled } from '../../infra/testing/accounts.fixture.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { LogRecord, PartitionHandler } from '../../topics/ports/log.ts';
import { defineWork, ENDED_PROCESSES_MAX, workSubscription } from './work-handler.ts';

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
    await bench.consume(workSubscription(work, bench.dependencies()));
    await settled(async () => expect(new Set(done)).toEqual(new Set(numbered)));
    isBroken = false;
    await settled(async () => expect(done).toContain('broken'));
  });

  it('gives up an item that ends its processes, and no other', async () => {
    const done: string[] = [];
    const failed: string[] = [];
    const endless = new Promise<never>(() => undefined);
    const work = defineWork({
      topic: 'import-splits',
      items: itemTable,
      itemsAtOnce: ITEMS_AT_ONCE,
      attemptsMax: 3,
      async handle({ input }) {
        if (input.name === 'deadly') {
          died.resolve(null);
          await endless;
        }
        done.push(input.name);
        return null;
      },
      failed: ({ input }) => {
        failed.push(input.name);
        return null;
      },
    });
    const records: LogRecord[] = items('deadly', 'a', 'b').map((item, offset) => ({
      ...item,
      generation: 1,
      partition: 0,
      offset,
      appendedAt: 0,
    }));
    let died = Promise.withResolvers<null>();
    /** A process of which nothing is left but what it has stored once the item has ended it. */
    const process = (): PartitionHandler =>
      workSubscription(work, bench.dependencies()).open({
        topic: 'import-splits',
        generation: 1,
        partition: 0,
        isCurrent: () => true,
        mayBegin: () => true,
        hasAppended: async () => true,
      });
    for (let ended = 0; ended < ENDED_PROCESSES_MAX; ended += 1) {
      died = Promise.withResolvers();
      const handled = process().handle(records);
      expect(await Promise.race([handled, died.promise])).toBeNull();
    }
    expect(failed).toEqual([]);
    done.length = 0;
    expect(await process().handle(records)).toEqual({ nextOffset: records.length, pauseMs: 0 });
    expect(failed).toEqual(['deadly']);
    expect(done).toEqual(['a', 'b']);
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
      await bench.consume(workSubscription(work, bench.dependencies({ logger })));
      await settled(async () => expect(failures).toBeGreaterThan(0));
      await bench.stopLast();
    }
  });
});
