import { describe, expect, it, vi } from 'vitest';
import { TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import { unique, WAIT } from './engine.fixture.ts';
import type { LogProbe, ProbeOptions } from './log-probe.fixture.ts';

/** Helpers that the suite of the log offers to its parts. */
export interface LogSuite {
  readonly start: (options: Omit<ProbeOptions, 'group'>) => Promise<LogProbe>;
  readonly append: (key: string, ...values: string[]) => Promise<void>;
  readonly delivered: (probe: LogProbe, count: number) => Promise<void>;
}

/** Describes the tests that every log passes while no record arrives. */
export function describeQuietTimes({ start, append, delivered }: LogSuite): void {
  describe('in quiet times', () => {
    it('says when nothing has arrived for a while, and then delivers again', async () => {
      const key = unique('key');
      const probe = await start({ keys: [key] });
      await append(key, '1');
      await delivered(probe, 1);
      await vi.waitFor(() => expect(probe.idles).toBeGreaterThan(0), WAIT);
      await append(key, '2');
      await delivered(probe, 2);
    });

    it('calls idle again while work is left, and delivers what arrives in between', async () => {
      const key = unique('key');
      const partition = partitionOf(key, TOPICS.imports.partitions);
      let calls = 0;
      const probe = await start({
        keys: [key],
        idle: async (assignment) => {
          if (assignment.partition !== partition) return 'done';
          calls += 1;
          if (calls === 2) await append(key, '2');
          return probe.values().includes('2') ? 'done' : 'more';
        },
      });
      await append(key, '1');
      await delivered(probe, 2);
      expect(probe.values()).toEqual(['1', '2']);
    });

    it('stops although idle always has work left', async () => {
      const key = unique('key');
      const probe = await start({ keys: [key], idle: async () => 'more' });
      await append(key, '1');
      await vi.waitFor(() => expect(probe.idles).toBeGreaterThan(2), WAIT);
      await probe.stop();
      expect(probe.closes).toBe(probe.assignments.length);
    });
  });
}
