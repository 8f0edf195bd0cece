import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FIRST_GENERATION } from '../../../topics/catalogue.ts';
import type { LogRecord, PartitionAssignment, Progress } from '../../../topics/ports/log.ts';
import { SUITE, unique, WAIT } from './engine.fixture.ts';
import { doneWith, keysInPartitions, type LogFixture, LogProbe, ProbedLog } from './log-probe.fixture.ts';
import { describeQuietTimes } from './log-quiet.contract.ts';

/** Long enough that no test would pass by waiting for it. */
const LONG_PAUSE_MS = 120_000;

/** Describes the tests that every log passes. */
export function describeLogContract(name: string, open: () => Promise<LogFixture>): void {
  describe(`${name}: log`, SUITE, () => {
    const suite = new ProbedLog(open);
    const { start, append, delivered } = suite;

    it('delivers records with what they were appended with, and where and when they are', async () => {
      const key = unique('key');
      const probe = await start({ keys: [key] });
      await append(key, 'ü"\n\u0001', 'second');
      await delivered(probe, 2);
      const [first, second] = probe.delivered as [LogRecord, LogRecord];
      expect(first).toMatchObject({
        topic: 'imports',
        key,
        value: 'ü"\n\u0001',
        generation: FIRST_GENERATION,
      });
      expect(second.offset).toBeGreaterThan(first.offset);
      expect(second.partition).toBe(first.partition);
      expect(second.appendedAt).toBeGreaterThanOrEqual(first.appendedAt);
      if (suite.engine.clock !== undefined) expect(first.appendedAt).toBe(suite.engine.clock.now());
    });

    it('keeps each key in the order of its appends, every record once', async () => {
      const appends = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: 1, max: 4 })), {
        minLength: 1,
        maxLength: 40,
      });
      await fc.assert(
        fc.asyncProperty(appends, async (calls) => {
          const keys = Array.from({ length: 6 }, () => unique('key'));
          const probe = await LogProbe.start(suite.engine.log, { group: unique('group'), keys });
          const expected = new Map<string, string[]>(keys.map((key) => [key, []]));
          for (const [index, count] of calls) {
            const values = Array.from({ length: count }, () => unique('value'));
            expected.get(keys[index]!)?.push(...values);
            await append(keys[index]!, ...values);
          }
          await delivered(probe, [...expected.values()].flat().length);
          await probe.stop();
          for (const key of keys) expect(probe.values(key)).toEqual(expected.get(key));
        }),
        { numRuns: 10 },
      );
    });

    it('keeps the order of appends that were not awaited one by one', async () => {
      const key = unique('key');
      const values = Array.from({ length: 300 }, (_, index) => String(index));
      const probe = await start({ keys: [key] });
      await Promise.all(values.map((value) => append(key, value)));
      await delivered(probe, values.length);
      expect(probe.values()).toEqual(values);
    });

    it('accepts an append of nothing', async () => {
      await expect(suite.engine.log.append([])).resolves.toBeUndefined();
    });

    it('starts a new group at the beginning, and each group sees every record', async () => {
      const key = unique('key');
      await append(key, '1', '2', '3');
      const first = await start({ keys: [key] });
      await delivered(first, 3);
      const second = await start({ keys: [key] });
      await delivered(second, 3);
      await append(key, '4');
      await delivered(first, 4);
      await delivered(second, 4);
      expect(first.values()).toEqual(['1', '2', '3', '4']);
      expect(second.values()).toEqual(['1', '2', '3', '4']);
    });

    it('continues at the offset that the group has committed', async () => {
      const key = unique('key');
      const group = unique('group');
      const before = await start({ group, keys: [key] });
      await append(key, '1', '2');
      await delivered(before, 2);
      await before.stop();
      await append(key, '3');
      const after = await start({ group, keys: [key] });
      await delivered(after, 1);
      expect(before.values()).toEqual(['1', '2']);
      expect(after.values()).toEqual(['3']);
    });

    it('continues at the committed offset after a restart too', async ({ skip }) => {
      if (suite.engine.reopen === undefined) return skip();
      const key = unique('key');
      const group = unique('group');
      const before = await start({ group, keys: [key] });
      await append(key, '1', '2');
      await delivered(before, 2);
      await before.stop();
      await append(key, '3');
      await suite.engine.reopen();
      const after = await start({ group, keys: [key] });
      await append(key, '4');
      await delivered(after, 2);
      expect(after.values()).toEqual(['3', '4']);
    });

    it('starts the next delivery at the offset that the handler returned', async () => {
      const key = unique('key');
      const starts: string[] = [];
      const probe = await start({
        keys: [key],
        handle: async (records) => {
          starts.push(records[0]!.value);
          return { nextOffset: records[0]!.offset + 1, pauseMs: 0 };
        },
      });
      const values = ['1', '2', '3', '4', '5'];
      await append(key, ...values);
      await vi.waitFor(() => expect(starts).toEqual(values), WAIT);
      await probe.stop();
      expect(starts).toEqual(values);
    });

    it('delivers the same records again if the handler made no progress', async () => {
      const key = unique('key');
      let deliveries = 0;
      const probe = await start({
        keys: [key],
        handle: async (records) => {
          deliveries += 1;
          return deliveries < 4 ? { nextOffset: records[0]!.offset, pauseMs: 5 } : doneWith(records);
        },
      });
      await append(key, '1');
      await delivered(probe, 4);
      expect(probe.values()).toEqual(['1', '1', '1', '1']);
    });

    it('adds records appended since to those that it delivers again', async () => {
      const key = unique('key');
      const probe = await start({
        keys: [key],
        handle: async (records) => ({
          nextOffset: records.length < 2 ? records[0]!.offset : doneWith(records).nextOffset,
          pauseMs: 0,
        }),
      });
      await append(key, '1');
      await delivered(probe, 1);
      await append(key, '2');
      await vi.waitFor(() => expect(probe.values().slice(-2)).toEqual(['1', '2']), WAIT);
    });

    it('pauses one partition and not the others, and a stop does not wait for the pause', async () => {
      const [paused, running] = keysInPartitions(unique('key'), 2) as [string, string];
      const group = unique('group');
      const probe = await start({
        group,
        keys: [paused, running],
        handle: async (records): Promise<Progress> =>
          records[0]!.key === paused
            ? { nextOffset: records[0]!.offset, pauseMs: LONG_PAUSE_MS }
            : doneWith(records),
      });
      await append(paused, '1');
      await vi.waitFor(() => expect(probe.values(paused)).toEqual(['1']), WAIT);
      await append(paused, '2');
      await append(running, '1');
      await append(running, '2');
      await vi.waitFor(() => expect(probe.values(running)).toEqual(['1', '2']), WAIT);
      expect(probe.values(paused)).toEqual(['1']);
      await probe.stop();
      const next = await start({ group, keys: [paused, running] });
      await delivered(next, 2);
      expect(next.values()).toEqual(['1', '2']);
    });

    it('handles partitions side by side', async () => {
      const keys = keysInPartitions(unique('key'), 3);
      const arrived = new Set<string>();
      const probe = await start({
        keys,
        handle: async (records) => {
          arrived.add(records[0]!.key);
          // No handler continues until all of them are here at the same time.
          await vi.waitFor(() => expect(arrived.size).toBe(keys.length), WAIT);
          return doneWith(records);
        },
      });
      for (const key of keys) await append(key, '1');
      await vi.waitFor(async () => {
        expect(probe.delivered).toHaveLength(keys.length);
        expect((await probe.consumer.status()).every(({ lag }) => lag === 0)).toBe(true);
      }, WAIT);
    });

    it('delivers at most as many records at once as were asked for', async () => {
      const key = unique('key');
      await append(key, ...Array.from({ length: 50 }, (_, index) => String(index)));
      const probe = await start({ keys: [key], batchRecordsMax: 7 });
      await delivered(probe, 50);
      expect(Math.max(...probe.batchSizes)).toBeLessThanOrEqual(7);
    });

    it('knows which records have been appended, also those that it has not delivered', async () => {
      const key = unique('key');
      const held = Promise.withResolvers<void>();
      const assignments: PartitionAssignment[] = [];
      const probe = await start({
        keys: [key],
        batchRecordsMax: 1,
        handle: async (records, assignment) => {
          assignments.push(assignment);
          await held.promise;
          return doneWith(records);
        },
      });
      await append(key, '1');
      await delivered(probe, 1);
      const { offset } = probe.delivered[0]!;
      // More than an engine fetches ahead.
      await append(key, ...Array.from({ length: 5_000 }, (_, index) => String(index)));
      const last = offset + 5_000;
      expect(await assignments[0]?.hasAppended(offset)).toBe(true);
      expect(await assignments[0]?.hasAppended(last)).toBe(true);
      expect(await assignments[0]?.hasAppended(last + 1_000_000)).toBe(false);
      held.resolve();
    });

    it('reports the lag of each partition until it is handled', async () => {
      const key = unique('key');
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await append(key, '1', '2', '3');
      const probe = await start({
        keys: [key],
        handle: async (records) => {
          await held;
          return doneWith(records);
        },
      });
      await delivered(probe, 1);
      const partition = probe.delivered[0]!.partition;
      const lag = async () =>
        (await probe.consumer.status()).find((status) => status.partition === partition)?.lag;
      expect(await lag()).toBeGreaterThanOrEqual(3);
      release();
      await vi.waitFor(async () => expect(await lag()).toBe(0), WAIT);
    });

    describeQuietTimes({ start, append, delivered });

    it('lets a running handler finish at a stop, commits it, and closes it', async () => {
      const key = unique('key');
      const group = unique('group');
      let finish = (): void => {};
      const mayFinish = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const probe = await start({
        group,
        keys: [key],
        handle: async (records) => {
          await mayFinish;
          return doneWith(records);
        },
      });
      await append(key, '1');
      await delivered(probe, 1);
      let stopped = false;
      const stopping = probe.stop().then(() => {
        stopped = true;
      });
      await append(key, '2');
      expect(stopped).toBe(false);
      expect(probe.closes).toBeLessThan(probe.assignments.length);
      finish();
      await stopping;
      expect(probe.closes).toBe(probe.assignments.length);
      const next = await start({ group, keys: [key] });
      await delivered(next, 1);
      expect(next.values()).toEqual(['2']);
    });

    it('signals a running handler to end, and continues at the offset that it returned', async () => {
      const key = unique('key');
      const group = unique('group');
      const seen: string[] = [];
      const say = ({ isCurrent, mayBegin }: PartitionAssignment) =>
        seen.push(`current ${isCurrent()}, may begin ${mayBegin()}`);
      const probe = await start({
        group,
        keys: [key],
        handle: async (records, assignment) => {
          say(assignment);
          await vi.waitUntil(() => !assignment.mayBegin(), WAIT);
          say(assignment);
          return doneWith(records.slice(0, 1));
        },
      });
      await append(key, '1', '2');
      await vi.waitUntil(() => seen.length === 1, WAIT);
      await probe.stop();
      expect(seen).toEqual(['current true, may begin true', 'current true, may begin false']);
      const next = await start({ group, keys: [key] });
      await delivered(next, 1);
      expect(next.values()[0]).toBe('2');
    });

    it('tells assignments that they are over once they are', async () => {
      const key = unique('key');
      const current: boolean[] = [];
      const probe = await start({
        keys: [key],
        handle: async (records, assignment) => {
          current.push(assignment.isCurrent());
          return doneWith(records);
        },
      });
      await append(key, '1');
      await vi.waitFor(() => expect(current).toEqual([true]), WAIT);
      await probe.stop();
      expect(probe.assignments.map((assignment) => assignment.isCurrent())).not.toContain(true);
    });
  });
}
