import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogRecord } from '../../../topics/ports/log.ts';
import type { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { UPLOAD_ATTEMPTS_MAX } from './loads/imports.ts';
import type { FaultName } from './plan.ts';
import type { AggregateState } from './state.ts';

/** The product's own limits, but for those of one address and one organization, which all customers of a run share. */
export const RUN_LIMITS = {
  imports: { uploadAttempts: UPLOAD_ATTEMPTS_MAX },
  workspace: { createdPerAddressHour: 100_000, createdPerAddressDay: 100_000 },
  limiter: { testPerMinute: 100_000, testPerMonth: 1_000_000 },
  http: {
    visitorPerMinute: 100_000,
    managementPerMinute: 100_000,
    deliveryPerMinute: 100_000,
    uploadsPerMinute: 100_000,
    unauthorizedPerMinute: 100_000,
  },
};

/** Everything that an engine has stored: each record of each topic, and each aggregate by its name. */
export interface Stored {
  readonly records: readonly LogRecord[];
  readonly aggregates: ReadonlyMap<string, AggregateState>;
}

/** A running service on one of the engines. */
export interface Stage {
  /** Data and logs of the run. */
  readonly folder: string;
  /** The addresses to which customers send their requests. */
  readonly gateways: readonly string[];
  /** The one-time link of the first owner. */
  readonly setUpLink: string;
  /** Faults that this machine does not allow, each with the reason. */
  readonly leftOut: ReadonlyMap<FaultName, string>;
  /** True if every process reports that it is ready. */
  isReady(): Promise<boolean>;
  /**
   * Waits until the service has nothing left to do, and reads what it has stored past the service.
   *
   * @throws {Error} when the service does not come to rest in time.
   */
  read(): Promise<Stored>;
  /** Writes what every process has said into the stage's folder. */
  keepLogs(): void;
  /** Ends every process and server. The folder with data and logs goes, unless it is to be looked at. */
  close(options: { readonly keep: boolean }): Promise<void>;
}

export interface StageOptions {
  /** More variables of the processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Takes a line for what takes time. */
  readonly report: (line: string) => void;
}

const READY_MS_MAX = 2_000;

/** True if every one of these processes reports that it is ready. */
export async function areReady(processes: readonly ServiceProcess[]): Promise<boolean> {
  const answers = processes.map(
    async ({ url }) => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS_MAX) })).ok,
  );
  return (await Promise.allSettled(answers)).every((each) => each.status === 'fulfilled' && each.value);
}

/** Writes what a process has said into a file of a folder. */
export function keepLog(folder: string, name: string, { output }: ServiceProcess): void {
  writeFileSync(join(folder, `${name}.log`), output);
}

/** Sends a signal that stops a process or lets it continue. */
export function signal({ pid }: Pick<ServiceProcess, 'pid'>, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === null) throw new Error(`sending ${name} to a process that does not run`);
  process.kill(pid, name);
}
