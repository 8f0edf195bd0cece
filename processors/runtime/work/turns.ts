import type { Party } from '../../../schemas/workspaces/party.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';

/** Tasks that wait for a turn. */
export const WAITING_MAX = 256;

export interface TurnsOptions {
  /** The thing that there are turns of, for errors. */
  readonly name: string;
  /** Turns at the same time. */
  readonly slots: number;
  /** Those of one workspace; absent: all. */
  readonly workspaceMax?: number;
  /** Tasks of one creator that wait; absent: all. */
  readonly creatorWaitingMax?: number;
  /** Makes the error for a creator that has too many waiting tasks; absent: the one for a task that has no turn. */
  readonly shareFull?: () => Error;
}

interface Waiter {
  readonly party: Party;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Gives a bounded number of slots to tasks. Of those that wait, tasks of claimed workspaces go before those of previews. Among
 * equals, the one goes first whose creator has the fewest, then whose workspace has, then the one that came first. Previews
 * together get at most half of the slots, and at least one.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #running = new Set<Party>();
  readonly #waiting: Waiter[] = [];
  /** Turns by creator and by workspace: those under way, and those since a task had to wait. */
  readonly #taken = new Map<string, number>();
  readonly #settled = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * Runs a task once its party has a slot.
   *
   * @param signal refuses a task that still waits; null: only `close` does
   * @throws {EngineUnavailableError} without beginning the task, if too many wait and its creator has most of them, or after `close` or the signal; else what the
   *   task throws
   */
  async run<Result>(party: Party, signal: AbortSignal | null, task: () => Promise<Result>): Promise<Result> {
    const own = { ...party };
    await this.#turn(own, signal);
    // Between its turn and now, everything may have ended.
    const running = this.#isClosed || signal?.aborted ? Promise.reject(this.#refusal()) : task();
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
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(this.#refusal());
    await Promise.allSettled(this.#settled);
  }

  async #turn(party: Party, signal: AbortSignal | null): Promise<void> {
    if (this.#isClosed || signal?.aborted) throw this.#refusal();
    const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<void>();
    const waiter = { party, admit, refuse };
    const onAbort = () => this.#refuse(waiter);
    this.#waiting.push(waiter);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#admit();
    if (this.#waiting.includes(waiter)) this.#shorten(waiter);
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Gives free slots to those who wait. */
  #admit(): void {
    while (this.#running.size < this.#options.slots) {
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

  /** Refuses the newcomer if too many of its creator wait; if too many wait in all, the latest of the creator that has the most. */
  #shorten(newcomer: Waiter): void {
    const { creatorWaitingMax = WAITING_MAX } = this.#options;
    const waiting = Map.groupBy(this.#waiting, ({ party }) => namesOf(party)[0]);
    const countOf = ({ party }: Waiter) => waiting.get(namesOf(party)[0])?.length ?? 0;
    const most = Math.max(...this.#waiting.map(countOf));
    const isFull = this.#waiting.length > WAITING_MAX;
    const latest = isFull ? this.#waiting.findLast((waiter) => countOf(waiter) === most) : undefined;
    const refused = countOf(newcomer) > creatorWaitingMax ? newcomer : latest;
    if (refused !== undefined) this.#refuse(refused, this.#options.shareFull?.());
  }

  #refuse(waiter: Waiter, error = this.#refusal()): void {
    const at = this.#waiting.indexOf(waiter);
    if (at >= 0) this.#waiting.splice(at, 1);
    waiter.refuse(error);
  }

  #refusal(): Error {
    return new EngineUnavailableError(this.#options.name);
  }

  #next(): Waiter | null {
    const { slots, workspaceMax = slots } = this.#options;
    const running = [...this.#running];
    const isFull = running.filter(({ isPreview }) => isPreview).length >= Math.max(1, Math.floor(slots / 2));
    const own = (workspace: string) => running.filter((party) => party.workspace === workspace).length;
    const candidates = this.#waiting.filter(
      ({ party }) => !(isFull && party.isPreview) && own(party.workspace) < workspaceMax,
    );
    const order = (waiter: Waiter) => namesOf(waiter.party).map((name) => this.#taken.get(name) ?? 0);
    const isLater = ({ party }: Waiter) => Number(party.isPreview);
    const sorted = candidates.toSorted((left, right) => {
      const [byCreator = 0, byWorkspace = 0] = order(left);
      const [otherCreator = 0, otherWorkspace = 0] = order(right);
      return isLater(left) - isLater(right) || byCreator - otherCreator || byWorkspace - otherWorkspace;
    });
    return sorted[0] ?? null;
  }
}

function namesOf({ creator, workspace }: Party): readonly [string, string] {
  return [`creator ${creator ?? workspace}`, `workspace ${workspace}`];
}
