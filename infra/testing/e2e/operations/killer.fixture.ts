import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import type { Kill, Step } from './kill-plan.fixture.ts';

/** Kills a service with SIGKILL at the planned moments and starts it again on the same data. */
export class Killer {
  readonly #service: ServiceProcess;
  readonly #plan: readonly Kill[];
  #work: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(service: ServiceProcess, plan: readonly Kill[]) {
    this.#service = service;
    this.#plan = plan;
  }

  /** Kills so far. */
  get count(): number {
    return this.#count;
  }

  /** Starts the kill that is planned for a step, after pending kills. Returns at once. */
  stepBegins(step: Step): void {
    const kill = this.#plan.find((planned) => planned.step === step);
    if (kill === undefined) return;
    this.#work = this.#work.then(() => this.#carryOut(kill));
    // `settled` reports a failed start. Until it is called, the rejection must not count as unhandled.
    this.#work.catch(() => undefined);
  }

  /**
   * Resolves when every kill that was begun is over and the service is ready again.
   *
   * @throws {Error} when the service did not start again.
   */
  async settled(): Promise<void> {
    await this.#work;
  }

  async #carryOut({ afterMs, againAfterMs }: Kill): Promise<void> {
    await pause(afterMs);
    await this.#kill();
    if (againAfterMs !== null) {
      this.#service.launch();
      await pause(againAfterMs);
      await this.#kill();
    }
    await this.#service.restart();
  }

  async #kill(): Promise<void> {
    this.#count += 1;
    await this.#service.kill();
  }
}
