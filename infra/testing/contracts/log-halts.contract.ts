import { describe, expect, it, vi } from 'vitest';
import { LostRecordsError } from '../../../topics/ports/failures.ts';
import { SUITE, unique, WAIT } from './engine.fixture.ts';
import { doneWith, keysInPartitions, type LogFixture, ProbedLog } from './log-probe.fixture.ts';

/** A log, with its reports of halted and resumed partitions in order. */
export interface HaltingLogFixture extends LogFixture {
  readonly halts: readonly { readonly group: string; readonly reason: string }[];
  readonly resumed: readonly { readonly group: string }[];
}

/** The least time between two attempts at a record: five seconds, less what a timer may be early. */
const RETRY_MS_MIN = 4_900;

/** Describes the tests that every log passes for partitions whose records cannot be handled. */
export function describeLogHaltsContract(name: string, open: () => Promise<HaltingLogFixture>): void {
  describe(`${name}: halted partitions`, SUITE, () => {
    const suite = new ProbedLog(open);
    const { start, append, delivered } = suite;

    it('halts a partition whose handler throws, says so, and leaves the others alone', async () => {
      const [broken, sound] = keysInPartitions(unique('key'), 2) as [string, string];
      const probe = await start({
        keys: [broken, sound],
        handle: async (records) => {
          if (records[0]?.key === broken) throw new Error('folding a record');
          return doneWith(records);
        },
      });
      await append(broken, '1');
      await vi.waitFor(async () => {
        const halted = (await probe.consumer.status()).filter((status) => status.halted !== null);
        expect(halted).toMatchObject([{ halted: expect.stringContaining('folding a record') }]);
      }, WAIT);
      await append(broken, '2');
      await append(sound, '3');
      await vi.waitFor(() => expect(probe.values(sound)).toEqual(['3']), WAIT);
      expect(new Set(probe.values(broken))).toEqual(new Set(['1']));
    });

    it('halts at the one record that cannot be handled, and handles those before it', async () => {
      const key = unique('key');
      const handled: string[] = [];
      const probe = await start({
        keys: [key],
        handle: async (records) => {
          if (records.some(({ value }) => value === 'broken')) throw new Error('handling a record');
          handled.push(...records.map(({ value }) => value));
          return doneWith(records);
        },
      });
      await append(key, '1', '2', '3', '4', 'broken', '6');
      await vi.waitFor(async () => {
        const halted = (await probe.consumer.status()).filter((status) => status.halted !== null);
        expect(halted).toMatchObject([{ halted: 'handling a record', lag: 2 }]);
      }, WAIT);
      expect(handled).toEqual(['1', '2', '3', '4']);
    });

    it('retries a record that halted its partition every five seconds, and continues once it can be handled', async () => {
      const key = unique('key');
      const group = unique('group');
      const triedAt: number[] = [];
      const handled: string[] = [];
      let isBroken = true;
      const probe = await start({
        group,
        keys: [key],
        handle: async (records) => {
          if (isBroken && records.length === 1) triedAt.push(performance.now());
          if (isBroken) throw new Error('handling a record');
          handled.push(...records.map(({ value }) => value));
          return doneWith(records);
        },
      });
      const ofGroup = <Told extends { readonly group: string }>(told: readonly Told[]) =>
        told.filter((each) => each.group === group);
      await append(key, '1', '2');
      await vi.waitFor(() => expect(triedAt).toHaveLength(2), WAIT);
      expect((triedAt[1] ?? 0) - (triedAt[0] ?? 0)).toBeGreaterThan(RETRY_MS_MIN);
      isBroken = false;
      await vi.waitFor(() => expect(handled).toEqual(['1', '2']), WAIT);
      await vi.waitFor(async () => {
        expect((await probe.consumer.status()).filter(({ halted }) => halted !== null)).toEqual([]);
      }, WAIT);
      // Once each, however often it was tried.
      expect(ofGroup(suite.engine.halts)).toMatchObject([{ reason: 'handling a record' }]);
      expect(ofGroup(suite.engine.resumed)).toHaveLength(1);
      // Deliveries that were narrowed down to one record become larger again.
      const narrow = probe.batchSizes.length;
      const further = Array.from({ length: 50 }, (_, index) => `further ${index}`);
      await append(key, ...further);
      await vi.waitFor(() => expect(handled).toEqual(['1', '2', ...further]), WAIT);
      expect(Math.max(...probe.batchSizes.slice(narrow))).toBeGreaterThan(4);
    });

    it('tries nothing again in a partition whose records are lost', async () => {
      const [lost, broken] = keysInPartitions(unique('key'), 2) as [string, string];
      const tried: string[] = [];
      await start({
        keys: [lost, broken],
        handle: async ([first]) => {
          tried.push(first?.key ?? '');
          throw first?.key === lost
            ? new LostRecordsError('missing a record')
            : new Error('handling a record');
        },
      });
      const timesTried = (key: string) => tried.filter((each) => each === key).length;
      await append(lost, '1');
      await vi.waitFor(() => expect(timesTried(lost)).toBe(1), WAIT);
      await append(broken, '2');
      // It came later, so the turn of the lost one would have come before its second one.
      await vi.waitFor(() => expect(timesTried(broken)).toBe(2), WAIT);
      expect(timesTried(lost)).toBe(1);
    });

    it('delivers again what was handled and not committed when the handler broke', async () => {
      const key = unique('key');
      const group = unique('group');
      const broken = await start({
        group,
        keys: [key],
        handle: async () => {
          throw new Error('breaking before the commit');
        },
      });
      await append(key, '1', '2');
      await vi.waitFor(async () => {
        expect((await broken.consumer.status()).some(({ halted }) => halted !== null)).toBe(true);
      }, WAIT);
      await broken.stop();
      const next = await start({ group, keys: [key] });
      await delivered(next, 2);
      expect(next.values()).toEqual(['1', '2']);
      expect(next.delivered.map(({ offset }) => offset)[0]).toBe(broken.delivered[0]?.offset);
    });
  });
}
