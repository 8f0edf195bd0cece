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

/** What every suite gets of the engine under test. */
export interface EngineFixture {
  /** Absent where the engine goes by its own time; the suites then wait for short times to pass. */
  readonly clock?: ManualClock;
  /** Ends the engine and opens it again on what it has kept; the ports are read anew afterwards. */
  reopen?(): Promise<void>;
  close(): Promise<void>;
}

/** How long a suite waits for a condition: engines over a network may take their time. */
export const WAIT = { timeout: 15_000, interval: 10 } as const;

/** What a test of a suite may take, so that a condition that never comes is reported by its own message. */
export const SUITE = { timeout: 4 * WAIT.timeout } as const;

/** A name that no other test uses, so that suites can run again and again on servers that keep everything. */
export function unique(prefix: string): string {
  return `${prefix}-${randomUUID()}`;
}

/** The time of the engine's clock, or the real one. */
export function timeOf({ clock }: EngineFixture): number {
  return clock?.now() ?? Date.now();
}
