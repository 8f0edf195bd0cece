import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../topics/ports/clock.ts';

/** A clock that tests move by hand. It starts at the real time, so that engines with their own time agree roughly. */
export class ManualClock implements Clock {
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** The engine under test, as every suite uses it. */
export interface EngineFixture {
  /** Absent if the engine reads the time itself; the suites then wait for short times to pass. */
  readonly clock?: ManualClock;
  /** Closes the engine and opens it again on its data. The suites read the ports again afterwards. */
  reopen?(): Promise<void>;
  close(): Promise<void>;
}

/** Waiting time for a condition. It is long, because engines over a network may take seconds. */
export const WAIT = { timeout: 90_000, interval: 10 } as const;

/** Timeout of a test. It is longer than a wait, so that the message of an unmet condition is reported. */
export const SUITE = { timeout: 4 * WAIT.timeout } as const;

/** A name that no other test uses, so that suites can run again and again on servers that keep everything. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/** The time of the engine's clock, or the real one. */
export function timeOf({ clock }: EngineFixture): number {
  return clock?.now() ?? Date.now();
}
