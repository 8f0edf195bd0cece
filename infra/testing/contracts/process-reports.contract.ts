import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ProcessReport } from '../../../schemas/operations/process-report.ts';
import { NO_TALLIES } from '../../../schemas/operations/tallies.ts';
import { PROCESSES_MAX, type ProcessReports } from '../../../topics/ports/process-reports.ts';
import { type EngineFixture, SUITE, timeOf, unique, WAIT } from './engine.fixture.ts';

export interface ProcessReportsFixture extends EngineFixture {
  readonly processReports: ProcessReports;
}

const LIFETIME_MS = 15_000;
const SHORT_MS = 50;

/** The report of a process that has just started. */
export function reportOf(processId: string, differing: Partial<ProcessReport> = {}): ProcessReport {
  return {
    processId,
    roles: ['gateway'],
    version: '1.0.0',
    nodeVersion: '24.0.0',
    startedAt: 0,
    at: 0,
    isStopping: false,
    trouble: null,
    busyPercent: 0,
    memoryBytes: 0,
    isShortOfRoom: false,
    engines: [],
    consumers: { at: null, list: [] },
    requests: null,
    tallies: NO_TALLIES,
    ...differing,
  };
}

/** Describes the tests that every implementation of the reports passes. */
export function describeProcessReportsContract(
  name: string,
  open: () => Promise<ProcessReportsFixture>,
): void {
  describe(`${name}: process reports`, SUITE, () => {
    let engine: ProcessReportsFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    const listed = async (processId: string) =>
      (await engine.processReports.list()).find((report) => report.processId === processId);

    it('list the latest report of each process', async () => {
      const [one, other] = [unique('process'), unique('process')];
      await engine.processReports.publish(reportOf(one, { at: timeOf(engine) }), LIFETIME_MS);
      await engine.processReports.publish(reportOf(other, { at: timeOf(engine) }), LIFETIME_MS);
      const later = reportOf(one, { at: timeOf(engine) + 1, memoryBytes: 7 });
      await engine.processReports.publish(later, LIFETIME_MS);
      expect(await listed(one)).toEqual(later);
      expect(await listed(other)).toMatchObject({ processId: other });
    });

    it('end after their lifetime', async () => {
      const process = unique('process');
      await engine.processReports.publish(reportOf(process, { at: timeOf(engine) }), SHORT_MS);
      engine.clock?.advance(SHORT_MS);
      await vi.waitFor(async () => expect(await listed(process)).toBeUndefined(), WAIT);
    });

    it('are bounded in number, the latest ones stay', async () => {
      const names = Array.from({ length: PROCESSES_MAX + 2 }, () => unique('process'));
      for (const [index, name] of names.entries()) {
        await engine.processReports.publish(reportOf(name, { at: timeOf(engine) + 10 + index }), LIFETIME_MS);
      }
      expect(await engine.processReports.list()).toHaveLength(PROCESSES_MAX);
      expect(await listed(names.at(-1) ?? '')).toBeDefined();
    });
  });
}
