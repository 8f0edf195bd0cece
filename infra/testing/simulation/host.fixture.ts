import type { Clock } from '../../../topics/ports/clock.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** The error for a caller whose process has ended. */
export class HostCrashedError extends Error {
  constructor() {
    super('running on a host that has crashed');
    this.name = 'HostCrashedError';
  }
}

/**
 * One process: it crashes for good, or stands still for a while and continues as if nothing had been (a long collection of
 * garbage, SIGSTOP). It has its own clock.
 */
export class Host {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #crash = Promise.withResolvers<never>();
  #state: 'alive' | 'crashed' = 'alive';
  #asleepUntil = 0;
  #atNextCall: (() => void) | null = null;
  /** The offset of its clock, in milliseconds. */
  clockOffsetMs = 0;

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    this.#scheduler = scheduler;
    this.#crash.promise.catch(() => undefined);
  }

  get alive(): boolean {
    return this.#state === 'alive';
  }

  readonly clock: Clock = { now: () => this.#scheduler.shownTime(this.clockOffsetMs) };

  /** Rejects with {@link HostCrashedError} at the moment of the crash, and never resolves. */
  get crashed(): Promise<never> {
    return this.#crash.promise;
  }

  /** Nothing of it runs from here on; what it has sent is on its way. */
  crash(): void {
    this.#state = 'crashed';
    this.#crash.reject(new HostCrashedError());
  }

  standStill(milliseconds: number): void {
    this.#asleepUntil = Math.max(this.#asleepUntil, this.#scheduler.now + milliseconds);
  }

  /** Lets something happen to the process in the middle of its work: just before it calls an engine. */
  atNextCall(happen: () => void): void {
    this.#atNextCall = happen;
  }

  /** Sends a call to an engine, unless something happens to the process first. */
  send(request: () => void): void {
    const happen = this.#atNextCall;
    this.#atNextCall = null;
    happen?.();
    this.deliver(request);
  }

  /** Runs something here as soon as the process runs: at once, when it wakes up, or never. */
  deliver(run: () => void): void {
    if (!this.alive) return;
    const asleepMs = this.#asleepUntil - this.#scheduler.now;
    if (asleepMs > 0) this.#scheduler.after(asleepMs, () => this.deliver(run));
    else run();
  }

  /** Waits on this host: a crash ends the wait for good, a standstill makes it longer. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#scheduler.after(milliseconds, () => this.deliver(resolve));
    });
  }
}
