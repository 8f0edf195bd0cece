import type { ProcessReport } from '../../../schemas/operations/process-report.ts';
import type { Clock } from '../../../topics/ports/clock.ts';
import { PROCESSES_MAX, type ProcessReports } from '../../../topics/ports/process-reports.ts';

/** The reports of the only process there is. */
export class EmbeddedProcessReports implements ProcessReports {
  readonly #clock: Clock;
  /** The latest publication stands last. */
  readonly #reports = new Map<string, { readonly report: ProcessReport; readonly endsAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async publish(report: ProcessReport, lifetimeMs: number): Promise<void> {
    const { processId } = report;
    this.#reports.delete(processId);
    this.#reports.set(processId, { report, endsAt: this.#clock.now() + lifetimeMs });
    const [oldest] = this.#reports.keys();
    if (oldest !== undefined && this.#reports.size > PROCESSES_MAX) this.#reports.delete(oldest);
  }

  async list(): Promise<readonly ProcessReport[]> {
    const now = this.#clock.now();
    return [...this.#reports.values()].filter(({ endsAt }) => endsAt > now).map(({ report }) => report);
  }
}
