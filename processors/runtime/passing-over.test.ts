import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accounts, Bench, settled } from '../../infra/testing/accounts.fixture.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import type { LogRecord } from '../../topics/ports/log.ts';
import { foldSubscription } from './command-handler.ts';
import { type PassedRecord, passable, passingOver } from './passing-over.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(async () => {
  vi.useRealTimers();
  await bench.close();
});

/** The records in the dead-letter queue so far. */
async function readLetters(): Promise<{ reason: string; offset: number }[]> {
  const letters: { reason: string; offset: number }[] = [];
  await bench.consume({
    group: 'operators',
    topic: 'dead-letters',
    batchRecordsMax: 10,
    open: () => ({
      async handle(records: readonly LogRecord[]) {
        letters.push(...records.map((record) => JSON.parse(record.value).input));
        return { nextOffset: (records.at(-1)?.offset ?? 0) + 1, pauseMs: 0 };
      },
      idle: async () => 'done',
      close: async () => undefined,
    }),
  });
  return letters;
}

it('a record from the future halts its partition until an operator lets it be passed over', async () => {
  const { log, digestIndex } = bench.engine;
  const lines: [string, object][] = [];
  const say = (fields: object, message: string) => void lines.push([message, fields]);
  const engines = { ...bench.dependencies(), logger: { info: say, warn: say, error: say } };
  await log.append([bench.record('a', 'add', { name: 'x', amount: 1 })]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
  await log.append([bench.record('a', 'add', { name: 'x', amount: 10 })]);
  vi.useRealTimers();
  await log.append([bench.record('a', 'add', { name: 'x', amount: 100 })]);
  await bench.consume(passable(foldSubscription(accounts, engines), engines));
  await settled(async () => expect(lines.map(([message]) => message)).toContain('RecordHaltsPartition'));
  expect(await bench.sumOf('a')).toBe(1);
  const place = lines.find(([message]) => message === 'RecordHaltsPartition')?.[1] as PassedRecord;
  expect(place).toMatchObject({ group: 'fold-workspaces', topic: 'workspaces', offset: 1 });
  await digestIndex.put(passingOver(place, 'OPS-7', Date.now()));
  await expect.poll(() => bench.sumOf('a')).toBe(101);
  expect(lines).toContainEqual(['RecordPassedOver', expect.objectContaining({ offset: 1, by: 'OPS-7' })]);
  const letters = await readLetters();
  await settled(async () => expect(letters).toHaveLength(1));
  expect(letters[0]).toMatchObject({
    offset: 1,
    reason: expect.stringMatching(/^passed over by OPS-7: record 1 /),
  });
});
