import { ActivityLog } from '../../../gateway/operations/activity-log.ts';
import { History } from '../../../gateway/operations/history.ts';
import {
  isGone,
  type OperationsBoard,
  type ProcessReading,
} from '../../../gateway/operations/process-reading.ts';
import { summaryOf } from '../../../gateway/operations/summary.ts';
import type { RuntimeLogger } from '../../../processors/runtime/dependencies.ts';
import { DAY_MS, MINUTE_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { keptPointsSchema, SAMPLE_INTERVAL_MS } from '../../../schemas/operations/history.ts';
import type { ProcessReport } from '../../../schemas/operations/process-report.ts';
import { keptTalliesSchema } from '../../../schemas/operations/tallies.ts';
import { findBlob, writeBlob } from '../../../topics/ports/blob-bytes.ts';
import type { Blobs } from '../../../topics/ports/blobs.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { ProcessReports } from '../../../topics/ports/process-reports.ts';
import { ENGINE_ANSWER_MS_MAX } from '../engine/ports.ts';
import type { Tally } from './tally.ts';

/** Interval at which one gateway keeps the history for the next process: that much of it may be lost. */
const KEEP_INTERVAL_MS = MINUTE_MS;

/** Lifetime of the kept history after it was kept last. */
const KEPT_MS = 4 * DAY_MS;

const KEPT = { owner: 'operations', group: 'history', name: 'current' } as const;

export interface BoardOptions {
  readonly reports: Pick<ProcessReports, 'list'>;
  readonly blobs: Pick<Blobs, 'create' | 'read'>;
  /** The latest report of this process. */
  readonly own: () => ProcessReport;
  readonly tally: Pick<Tally, 'read' | 'forget'>;
  readonly now: () => number;
  readonly logger: RuntimeLogger;
}

/**
 * The reports of all processes, for the routes of operators. It keeps the latest ones for the time in which the engine does not
 * tell others; that of this process is always current. It adds them up over time, and keeps that for the processes after it.
 */
export class ProcessBoard implements OperationsBoard {
  readonly history = new History();
  readonly activity = new ActivityLog();
  readonly #options: BoardOptions;
  #known: { readonly readAt: number; readonly reports: readonly ProcessReport[] };
  #isAdopted = false;
  /** True while what was kept last may name a workspace that was erased since. */
  #hasErased = false;
  #keptAt: number;
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> | null = null;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.#known = { readAt: options.now(), reports: [] };
    this.#keptAt = options.now();
  }

  async read(): Promise<ProcessReading> {
    const isCurrent = await this.#refresh();
    const { tally, now } = this.#options;
    const own = { ...this.#options.own(), tallies: tally.read() };
    const others = this.#known.reports.filter(({ processId }) => processId !== own.processId);
    const reports = [own, ...others];
    for (const { processId, tallies } of reports) {
      if (this.activity.note(processId, tallies)) this.#hasErased = true;
    }
    tally.forget(this.activity.erased(now()));
    return { readAt: this.#known.readAt, isCurrent, reports };
  }

  start(): void {
    this.#timer = setInterval(() => this.#begin(), SAMPLE_INTERVAL_MS).unref();
    this.#begin();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#round;
    await this.#sample(true);
  }

  #begin(): void {
    this.#round ??= this.#sample(false).finally(() => {
      this.#round = null;
    });
  }

  /**
   * Adds a reading to the history. One without the numbers of others would show a drop that there was not. An erasure is kept
   * at once, since what was kept before it may name what is erased.
   */
  async #sample(isLast: boolean): Promise<void> {
    const { now, logger } = this.#options;
    try {
      const reading = await this.read();
      const at = now();
      if (reading.isCurrent || reading.reports.length === 1) {
        this.history.add(summaryOf(reading, this.history, at), at);
      }
      this.#isAdopted ||= await this.#adopt();
      const isDue = isLast || this.#hasErased || at - this.#keptAt >= KEEP_INTERVAL_MS;
      if (isDue && isKeeper(reading)) await this.#keep(at);
    } catch (error) {
      if (!(error instanceof EngineUnavailableError)) logger.warn({ err: error }, 'HistoryNotKept');
    }
  }

  async #adopt(): Promise<boolean> {
    const bytes = await findBlob(this.#options.blobs, KEPT);
    const kept = bytes === null ? null : JSON.parse(bytes.toString());
    // What another version has kept is left alone, and replaced.
    const points = keptPointsSchema.safeParse(kept?.points);
    const tallies = keptTalliesSchema.safeParse(kept?.tallies);
    if (points.success) this.history.adopt(points.data);
    if (tallies.success) this.activity.adopt(tallies.data);
    return true;
  }

  async #keep(at: number): Promise<void> {
    this.#keptAt = at;
    this.#hasErased = false;
    const kept = { points: this.history.kept(), tallies: this.activity.kept(at) };
    const bytes = Buffer.from(JSON.stringify(kept));
    await writeBlob(this.#options.blobs, KEPT, [bytes], { expiresAt: at + KEPT_MS });
  }

  async #refresh(): Promise<boolean> {
    const { reports: port, now } = this.#options;
    try {
      const late = () => new EngineUnavailableError('process reports');
      const reports = await withTimeout(ENGINE_ANSWER_MS_MAX, port.list(), late);
      this.#known = { readAt: now(), reports };
      return true;
    } catch (error) {
      if (error instanceof EngineUnavailableError) return false;
      throw error;
    }
  }
}

/** True if the process of a reading is the one gateway that keeps the history: the running one that started first. */
function isKeeper(reading: ProcessReading): boolean {
  const [first] = reading.reports
    .filter(
      (report, index) => report.roles.includes('gateway') && (index === 0 || isRunning(report, reading)),
    )
    .sort((left, right) => left.startedAt - right.startedAt || (left.processId < right.processId ? -1 : 1));
  return first === reading.reports[0];
}

function isRunning(report: ProcessReport, reading: ProcessReading): boolean {
  return !report.isStopping && !isGone(report, reading);
}
