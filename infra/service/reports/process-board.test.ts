import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../../gateway/http/server/logging.ts';
import { idFrom, workspaceOf } from '../../../schemas/base/ids.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { SAMPLE_INTERVAL_MS } from '../../../schemas/operations/history.ts';
import { type ProcessReport, REPORT_FRESH_MS } from '../../../schemas/operations/process-report.ts';
import { NO_TALLIES } from '../../../schemas/operations/tallies.ts';
import { EmbeddedProcessReports } from '../../engines/embedded/process-reports.ts';
import { reportOf } from '../../testing/contracts/process-reports.contract.ts';
import { runtimeLogger } from '../logging/runtime-logger.ts';
import { type BoardOptions, ProcessBoard } from './process-board.ts';
import { Tally } from './tally.ts';

const key = idFrom('installation', new Uint8Array(32));
const ORIGIN = 'https://private.example';
const now = () => Date.now();

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => vi.useRealTimers());

/** Gateways that share their reports and what they keep. */
class Gateways {
  readonly reports = new EmbeddedProcessReports({ now });
  readonly written: string[] = [];
  #kept: Buffer | null = null;

  start(processId: string): { readonly board: ProcessBoard; readonly tally: Tally } {
    const tally = new Tally(DEFAULT_LIMITS, now);
    const own: ProcessReport = reportOf(processId, { startedAt: now() });
    const board = new ProcessBoard({
      reports: {
        list: async () => {
          await this.reports.publish({ ...own, at: now(), tallies: tally.read() }, MINUTE_MS);
          return await this.reports.list();
        },
      },
      blobs: this.#blobsOf(processId),
      own: () => ({ ...own, at: now() }),
      ...{ tally, now, logger: runtimeLogger(createLogger({ level: 'silent' })) },
    });
    board.start();
    return { board, tally };
  }

  get kept(): string {
    return this.#kept?.toString() ?? '';
  }

  #blobsOf(processId: string): BoardOptions['blobs'] {
    return {
      create: () => {
        const parts: Uint8Array[] = [];
        return {
          write: async (bytes: Uint8Array) => void parts.push(bytes),
          close: async () => {
            this.#kept = Buffer.concat(parts);
            this.written.push(processId);
          },
          abort: async () => {},
        };
      },
      read: async () => null,
    };
  }
}

it('one of several gateways keeps the history, and the next one does once that has gone', async () => {
  const gateways = new Gateways();
  const first = gateways.start('b');
  await vi.advanceTimersByTimeAsync(1);
  const second = gateways.start('a');
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
  expect(gateways.written).toEqual(['b', 'b', 'b']);
  await first.board.stop();
  expect(gateways.written).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(REPORT_FRESH_MS + MINUTE_MS);
  expect(gateways.written.slice(4)).toEqual(['a']);
  await second.board.stop();
});

it('an erasure reaches every gateway and what is kept, without a wait for the next minute', async () => {
  const gateways = new Gateways();
  const first = gateways.start('a');
  await vi.advanceTimersByTimeAsync(1);
  const second = gateways.start('b');
  second.tally.feedback(ORIGIN, false, key);
  await vi.advanceTimersByTimeAsync(MINUTE_MS + SAMPLE_INTERVAL_MS);
  expect(gateways.kept).toContain(ORIGIN);
  const erased = [{ workspaceId: workspaceOf(key), at: now() }];
  await gateways.reports.publish(
    reportOf('processor', { at: now(), roles: ['processors'], tallies: { ...NO_TALLIES, erased } }),
    MINUTE_MS,
  );
  await vi.advanceTimersByTimeAsync(2 * SAMPLE_INTERVAL_MS);
  expect(gateways.kept).not.toContain(ORIGIN);
  expect(JSON.stringify([second.tally.read().hours, first.board.activity.read(now(), 0)])).not.toContain(
    ORIGIN,
  );
  await Promise.all([first.board.stop(), second.board.stop()]);
});
