import type { ProcessReport } from '../../schemas/operations/process-report.ts';

/** Reports that are kept and listed, those with the latest publication first. */
export const PROCESSES_MAX = 256;

/**
 * The reports of all processes of the service. A hint for operators: nothing is decided by it, and a report may be
 * lost.
 */
export interface ProcessReports {
  /**
   * Replaces the report of its process, for `lifetimeMs`. Rejects with `EngineUnavailableError` while the engine is down.
   */
  publish(report: ProcessReport, lifetimeMs: number): Promise<void>;
  /**
   * Returns the reports that are alive, at most {@link PROCESSES_MAX}. Leaves out what this version cannot read. Rejects with
   * `EngineUnavailableError` while the engine is down.
   */
  list(): Promise<readonly ProcessReport[]>;
}
