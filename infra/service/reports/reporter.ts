import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { RuntimeLogger } from '../../../processors/runtime/dependencies.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import {
  type ProcessReport,
  REPORT_INTERVAL_MS,
  REPORT_LIFETIME_MS,
} from '../../../schemas/operations/process-report.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { ENGINE_ANSWER_MS_MAX, type Engine } from '../engine/ports.ts';
import { consumerReports } from './consumer-reports.ts';
import type { ConsumerWatch } from './consumer-watch.ts';
import { EngineWatch } from './engine-watch.ts';
import type { RequestWindow } from './request-window.ts';
import type { Tally } from './tally.ts';

export interface ReporterOptions {
  /** The members of a report that never change. */
  readonly identity: Pick<ProcessReport, 'processId' | 'roles' | 'version' | 'nodeVersion' | 'startedAt'>;
  readonly engine: Pick<Engine, 'parts' | 'processReports' | 'room'>;
  readonly watch: ConsumerWatch;
  /** Null for a process that is no gateway. */
  readonly requests: RequestWindow | null;
  readonly tally: Pick<Tally, 'read'>;
  /** Returns what keeps the process from its work beside engines and halted partitions, or null. */
  readonly trouble: () => string | null;
  /** True if the runner of this process has a browser; null without a runner. */
  readonly hasBrowser: () => boolean | null;
  readonly now: () => number;
  readonly logger: RuntimeLogger;
}

/** Describes this process at intervals, and publishes that. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #engines: EngineWatch;
  #latest: ProcessReport;
  #busy: EventLoopUtilization = performance.eventLoopUtilization();
  /** The reading of the consumers that is under way: one that hangs begins no other one. */
  #reading: Promise<void> | null = null;
  #round: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#engines = new EngineWatch(options.engine.parts, options.now);
    this.#latest = {
      ...options.identity,
      at: options.now(),
      isStopping: false,
      trouble: null,
      hasBrowser: options.hasBrowser(),
      busyPercent: 0,
      memoryBytes: process.memoryUsage.rss(),
      isShortOfRoom: false,
      engines: [],
      consumers: { at: null, list: [] },
      requests: options.requests?.read() ?? null,
      tallies: options.tally.read(),
    };
  }

  /** The latest report. It is current while the engines are down, too. */
  get latest(): ProcessReport {
    return this.#latest;
  }

  start(): void {
    this.#timer = setInterval(() => this.#begin(), REPORT_INTERVAL_MS).unref();
    this.#begin();
  }

  /** Publishes that the process ends. Its last numbers stay listed: they say how far it had read the topics. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#round;
    this.#latest = { ...this.#latest, at: this.#options.now(), isStopping: true };
    await this.#publish();
  }

  #begin(): void {
    this.#round ??= this.#report().finally(() => {
      this.#round = null;
    });
  }

  async #report(): Promise<void> {
    const { now, requests, trouble, hasBrowser, tally, engine } = this.#options;
    const [engines] = await Promise.all([this.#engines.read(), this.#readConsumers()]);
    this.#latest = {
      ...this.#latest,
      at: now(),
      trouble: trouble(),
      hasBrowser: hasBrowser(),
      busyPercent: this.#busyPercent(),
      memoryBytes: process.memoryUsage.rss(),
      isShortOfRoom: engine.room() === 'scarce',
      engines,
      requests: requests?.read() ?? null,
      tallies: tally.read(),
    };
    await this.#publish();
  }

  /** Resolves within a bound. The latest numbers stay while the log does not tell others. */
  async #readConsumers(): Promise<void> {
    const { watch, now } = this.#options;
    this.#reading ??= watch
      .read()
      .then((partitions) => {
        const consumers = { at: now(), list: consumerReports(partitions) };
        this.#latest = { ...this.#latest, consumers };
      })
      .finally(() => {
        this.#reading = null;
      });
    await this.#bounded(this.#reading);
  }

  #publish(): Promise<void> {
    return this.#bounded(this.#options.engine.processReports.publish(this.#latest, REPORT_LIFETIME_MS));
  }

  /** An engine that is down is in the report, and needs no line in the log every time. */
  async #bounded(work: Promise<void>): Promise<void> {
    try {
      await withTimeout(ENGINE_ANSWER_MS_MAX, work, () => new EngineUnavailableError('reports'));
    } catch (error) {
      if (!(error instanceof EngineUnavailableError))
        this.#options.logger.warn({ err: error }, 'ReportFailed');
    }
  }

  #busyPercent(): number {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#busy);
    this.#busy = now;
    return Math.round(Math.min(1, utilization) * 1_000) / 10;
  }
}
