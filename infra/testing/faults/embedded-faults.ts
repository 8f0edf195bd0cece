import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { DATABASE_FILE } from '../../engines/embedded/database.ts';
import type { EmbeddedStage } from './embedded-stage.ts';
import { between, type EmbeddedFault, type PlannedFault, pick } from './plan.ts';
import { signal } from './stage.ts';

const AWAY_MS = { min: 100, max: 2_000 } as const;
const STOPPED_MS = { min: 1_000, max: 6_000 } as const;
const SLOW_MS = 3_000;
const ANSWER_DELAY_MS = { min: 100, max: 500 } as const;
const DISK_DELAY_MS = { min: 50, max: 1_000 } as const;
const HOLE_MS = { min: 1_000, max: 4_000 } as const;
const FULL_MS = { min: 1_000, max: 4_000 } as const;
/** Below and above the time that a write waits for another process. */
const LOCKED_MS = { min: 1_000, max: 7_000 } as const;
/** The time in which a write meets the error of the disk and the process ends. */
const FAILED_MS_MAX = 20_000;
const POLL_INTERVAL_MS = 50;
/** Far less than any lifetime that a customer depends on. */
const CLOCK_STEPS_MS = [-2 * MINUTE_MS, -0.5 * MINUTE_MS, 0.5 * MINUTE_MS, 2 * MINUTE_MS] as const;
const OFF_MS = { min: 500, max: 4_000 } as const;

type Inject = (stage: EmbeddedStage, draws: PlannedFault['draws']) => Promise<void>;

/** The ways in which each fault is injected and mended. */
export const EMBEDDED_INJECT: Readonly<Record<EmbeddedFault, Inject>> = {
  'kill the service': async ({ service }, [awhile]) => {
    await service.kill();
    await pause(between(AWAY_MS, awhile));
    await service.restart();
  },
  'restart the service': async ({ service }) => {
    const code = await service.stop();
    if (code !== 0) throw new Error(`stopping the service: exit code ${code}`);
    await service.restart();
  },
  'stop the service for a while': async ({ service }, [awhile]) => {
    signal(service, 'SIGSTOP');
    await pause(between(STOPPED_MS, awhile));
    signal(service, 'SIGCONT');
  },
  'slow connections': async ({ way }, [much]) => {
    way.answerDelayMs = between(ANSWER_DELAY_MS, much);
    await pause(SLOW_MS);
    way.answerDelayMs = 0;
  },
  'cut connections': async ({ way }) => way.cut(),
  'black hole to the service': async ({ way }, [which, awhile]) => {
    way.condition = which < 0.5 ? 'black hole' : 'answers lost';
    await pause(between(HOLE_MS, awhile));
    way.condition = 'sound';
    way.cut();
  },
  'slow disk': async (stage, [much]) => {
    stage.setDiskDelay(between(DISK_DELAY_MS, much));
    await pause(SLOW_MS);
    stage.setDiskDelay(0);
  },
  'full disk': async ({ disk }, [awhile]) => {
    disk.fill();
    await pause(between(FULL_MS, awhile));
    disk.empty();
  },
  'failing disk': failDisk,
  'locked database': lockDatabase,
  'set the clock': async ({ clock, service }, [step, awhile]) => {
    await clock.set(service, pick(CLOCK_STEPS_MS, step));
    await pause(between(OFF_MS, awhile));
    await clock.set(service, 0);
  },
};

/** Starts the service on a disk that fails, waits until that has ended it, and starts it on a sound one. */
async function failDisk(stage: EmbeddedStage): Promise<void> {
  const { service } = stage;
  await service.kill();
  stage.isDiskFailing = true;
  service.launch();
  const deadline = performance.now() + FAILED_MS_MAX;
  while (service.exitCode === null && performance.now() < deadline) await pause(POLL_INTERVAL_MS);
  stage.isDiskFailing = false;
  await service.kill();
  await service.restart();
}

async function lockDatabase({ data }: EmbeddedStage, [awhile]: PlannedFault['draws']): Promise<void> {
  const other = new DatabaseSync(join(data, DATABASE_FILE), { timeout: LOCKED_MS.max });
  try {
    other.exec('BEGIN IMMEDIATE');
    await pause(between(LOCKED_MS, awhile));
    other.exec('ROLLBACK');
  } finally {
    other.close();
  }
}
