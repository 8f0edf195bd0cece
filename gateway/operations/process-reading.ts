import { type ProcessReport, REPORT_FRESH_MS } from '../../schemas/operations/process-report.ts';
import type { ActivityLog } from './activity-log.ts';
import type { History } from './history.ts';

/** The reports of all processes, as a gateway knows them. */
export interface ProcessReading {
  /** Unix milliseconds of the latest reading of the others' reports. */
  readonly readAt: number;
  /** False while the engine that keeps the reports is down: only the report of this process is current. */
  readonly isCurrent: boolean;
  /** That of this process first. */
  readonly reports: readonly ProcessReport[];
}

/** The reports of all processes, now and over time. */
export interface OperationsBoard {
  /** Returns the latest reports. It never waits for an engine that is down. */
  read(): Promise<ProcessReading>;
  readonly history: History;
  readonly activity: ActivityLog;
}

/** True if a process had sent no report for a while when the reports were read. */
export function isGone({ at }: ProcessReport, { readAt }: ProcessReading): boolean {
  return readAt - at > REPORT_FRESH_MS;
}
