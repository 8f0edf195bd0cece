import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LogUnderTest } from './log.contract.ts';
import { doneWith, keysInPartitions, LogProbe, type ProbeOptions } from './log-probe.ts';
import { SUITE, unique, WAIT } from './support.ts';

/** What every log must do with a partition whose records cannot be handled. */
export function describeLogHaltsContract(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`${name}: halted partitions`, SUITE, () => {
    let engine: LogUnderTest;
    let probes: LogProbe[] = [];
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });
    afterEach(async () => {
      for (const probe of probes) {
        await probe.stop();
        expect(probe.violations).toEqual([]);
        expect(probe.closes).toBe(probe.assignments.length);
      }
      probes = [];
    });

    async function start(options: Omit<ProbeOptions, 'group'> & { group?: string }): Promise<LogProbe> {
      const probe = await LogProbe.start(engine.log, { group: unique('group'), ...options });
      probes.push(probe);
      return probe;
    }

    const append = (key: string, ...values: string[]) =>
      engine.log.append(values.map((value) => ({ topic: 'imports', key, value })));

    const delivered = (probe: LogProbe, count: number) =>
      vi.waitFor(() => expect(probe.delivered.length).toBeGreaterThanOrEqual(count), WAIT);

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

    it('tries a record that has halted its partition again, and goes on once it can be handled', async () => {
      const key = unique('key');
      let isBroken = true;
      const handled: string[] = [];
      const probe = await start({
        keys: [key],
        handle: async (records) => {
          if (isBroken) throw new Error('handling a record');
          handled.push(...records.map(({ value }) => value));
          return doneWith(records);
        },
      });
      const halted = async () => (await probe.consumer.status()).filter((status) => status.halted !== null);
      await append(key, '1', '2');
      await vi.waitFor(async () => expect(await halted()).toHaveLength(1), WAIT);
      isBroken = false;
      await vi.waitFor(() => expect(handled).toEqual(['1', '2']), WAIT);
      expect(await halted()).toEqual([]);
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
