import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Host } from './host.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

export const ENGINE_NAMES = ['log', 'store', 'blobs', 'digestIndex', 'replies'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/**
 * The ways in which a call can fail:
 * - `refused`: the engine says that it is not there; nothing was done.
 * - `lost-request`: nothing was done, and the caller waits until it gives up.
 * - `lost-answer`: it was done, and the caller does not hear of it.
 * - `late`: the caller gives up, and it is done afterwards.
 */
export const FAULTS = ['refused', 'lost-request', 'lost-answer', 'late'] as const;
export type Fault = (typeof FAULTS)[number];

export interface NetworkConditions {
  /** The chance that a call to an engine goes wrong in this way. */
  readonly faults: Readonly<Record<EngineName, Readonly<Record<Fault, number>>>>;
  /** The chance that a message takes a hundred times as long. */
  readonly slow: number;
}

interface CallOptions {
  /** The caller's error when no answer arrives. */
  readonly unknown?: () => Error;
  /** The fate of a request that the engine neither answers nor carries out. */
  readonly abandoned?: () => void;
}

const LATENCY_MS = { least: 1, most: 8 } as const;
const SLOWNESS = 100;
const CALL_TIMEOUT_MS = { least: 200, most: 2_000 } as const;
/** Beyond the time for which a gateway waits, so that something is appended after its `notAfter`. */
const LATE_MS_MAX = 12_000;

/** The ways between processes and engines: every call takes time, and may go wrong on its way there or back. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #down = new Set<EngineName>();
  conditions: NetworkConditions | null;

  constructor(scheduler: Scheduler, random: Random, conditions: NetworkConditions | null) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.conditions = conditions;
  }

  /** Makes an engine unreachable for everybody, or reachable again. */
  setDown(engine: EngineName, down: boolean): void {
    if (down) this.#down.add(engine);
    else this.#down.delete(engine);
  }

  isDown(engine: EngineName): boolean {
    return this.#down.has(engine);
  }

  latency(): number {
    const { conditions } = this;
    const milliseconds = this.#random.between(LATENCY_MS.least, LATENCY_MS.most);
    return conditions !== null && this.#random.chance(conditions.slow)
      ? milliseconds * SLOWNESS
      : milliseconds;
  }

  /** Calls an engine from a host. The effect takes place at the engine, at another moment, or never. */
  call<Result>(
    host: Host,
    engine: EngineName,
    effect: () => Result,
    { unknown = () => new EngineUnavailableError(engine), abandoned = () => {} }: CallOptions = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const back = (settle: () => void): void =>
        this.#scheduler.after(this.latency(), () => host.deliver(settle));
      const giveUp = (): void =>
        this.#scheduler.after(this.#random.between(CALL_TIMEOUT_MS.least, CALL_TIMEOUT_MS.most), () =>
          back(() => reject(unknown())),
        );
      const arrive = (): void => {
        const fault = this.#drawFault(engine);
        switch (fault) {
          case 'refused':
            back(() => reject(new EngineUnavailableError(engine)));
            break;
          case 'lost-request':
            abandoned();
            giveUp();
            break;
          case 'lost-answer':
            effect();
            giveUp();
            break;
          case 'late':
            this.#scheduler.after(this.#random.between(0, LATE_MS_MAX), effect);
            giveUp();
            break;
          case null: {
            const result = effect();
            back(() => resolve(result));
          }
        }
      };
      host.send(() => this.#scheduler.after(this.latency(), arrive));
    });
  }

  #drawFault(engine: EngineName): Fault | null {
    if (this.#down.has(engine)) return this.#random.chance(0.7) ? 'refused' : 'lost-request';
    if (this.conditions === null) return null;
    const rates = this.conditions.faults[engine];
    for (const fault of FAULTS) if (this.#random.chance(rates[fault])) return fault;
    return null;
  }
}
