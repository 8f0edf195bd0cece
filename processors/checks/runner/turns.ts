import { EngineUnavailableError } from '../../../topics/ports/failures.ts';

/** Runs that wait for a browser of this process. */
const WAITING_MAX = 256;

/** The parties that a run is for, so that none of them waits for another's crowd. */
export interface Party {
  readonly workspace: string;
  /** Names who has made the workspace; null: not known. */
  readonly creator: string | null;
  /** True for a workspace without an owner. */
  readonly isPreview: boolean;
}

interface Waiter {
  readonly party: Party;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Gives a bounded number of slots to runs. Of those that wait, the one goes first whose creator has the fewest, then whose workspace
 * has, then the one that came first. Previews together get at most half of the slots, and at least one.
 */
export class Turns {
  readonly #slots: number;
  readonly #running = new Set<Party>();
  readonly #waiting: Waiter[] = [];
  /** Turns by creator and by workspace: those under way, and those since a run had to wait. */
  readonly #taken = new Map<string, number>();
  readonly #settled = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /**
   * Runs a task once its party has a slot.
   *
   * @param signal refuses a task that still waits
   * @throws {EngineUnavailableError} without beginning the task, if too many wait, or after `close` or the signal; else what the
   *   task throws
   */
  async run<Result>(party: Party, signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    const own = { ...party };
    await this.#turn(own, signal);
    // Between its turn and now, everything may have ended.
    const running = this.#isClosed || signal.aborted ? Promise.reject(refusal()) : task();
    this.#settled.add(running);
    try {
      return await running;
    } finally {
      this.#settled.delete(running);
      this.#running.delete(own);
      this.#admit();
    }
  }

  /** Refuses waiting and later tasks, and resolves once the running ones have settled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(refusal());
    await Promise.allSettled(this.#settled);
  }

  async #turn(party: Party, signal: AbortSignal): Promise<void> {
    if (this.#isClosed || signal.aborted || this.#waiting.length >= WAITING_MAX) throw refusal();
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<void>();
    const waiter = { party, admit, refuse };
    const onAbort = () => {
      const at = this.#waiting.indexOf(waiter);
      if (at >= 0) this.#waiting.splice(at, 1);
      refuse(refusal());
    };
    this.#waiting.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#admit();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Gives free slots to those who wait. */
  #admit(): void {
    while (this.#running.size < this.#slots) {
      const next = this.#next();
      if (next === null) break;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.add(next.party);
      this.#count(next.party);
      next.admit();
    }
    if (this.#waiting.length > 0) return;
    // Without a queue, turns that have ended are no disadvantage.
    this.#taken.clear();
    for (const party of this.#running) this.#count(party);
  }

  #count(party: Party): void {
    for (const name of namesOf(party)) this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
  }

  #next(): Waiter | null {
    const previews = [...this.#running].filter(({ isPreview }) => isPreview).length;
    const isFull = previews >= Math.max(1, Math.floor(this.#slots / 2));
    const candidates = this.#waiting.filter(({ party }) => !(isFull && party.isPreview));
    const order = (waiter: Waiter) => namesOf(waiter.party).map((name) => this.#taken.get(name) ?? 0);
    const sorted = candidates.toSorted((left, right) => {
      const [byCreator = 0, byWorkspace = 0] = order(left);
      const [otherCreator = 0, otherWorkspace = 0] = order(right);
      return byCreator - otherCreator || byWorkspace - otherWorkspace;
    });
    return sorted[0] ?? null;
  }
}

function namesOf({ creator, workspace }: Party): readonly [string, string] {
  return [`creator ${creator ?? workspace}`, `workspace ${workspace}`];
}

function refusal(): Error {
  return new EngineUnavailableError('browser runner');
}
