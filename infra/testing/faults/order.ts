import { hash } from 'node:crypto';
import type { Forgetting } from './calls.ts';

/** The window of an entry as the answer shows it before and after the call. */
export interface Step {
  readonly window: string;
  readonly before: number;
  readonly after: number;
  readonly resetAt: number;
}

/** A call whose answer is known. `reset` empties a running window; `look` changes nothing. */
export interface Known {
  readonly kind: 'count' | 'look' | 'reset';
  readonly sentAt: number;
  readonly endedAt: number;
  readonly steps: readonly Step[];
}

/** A call without an answer, which may have taken effect once after it was sent. */
export interface Maybe {
  readonly kind: 'count' | 'reset';
  readonly sentAt: number;
  readonly entries: readonly { readonly window: string; readonly limit: number; readonly cost: number }[];
}

export interface Calls {
  readonly known: readonly Known[];
  readonly maybes: readonly Maybe[];
  readonly forgettings: readonly Forgetting[];
}

/** The end of a search. `null`: an order explains all answers. */
export type Unexplained = {
  readonly after: number;
  readonly next: Known | null;
  readonly gaveUp: boolean;
} | null;

/**
 * Positions of a search, about a minute. While few calls lack an answer, an order that exists is found after a few for each call.
 * With half of them unanswered, one story in twenty needs more than 10,000.
 */
export const POSITIONS_MAX = 100_000;

/** The end of a window that an unanswered call began. */
const NOT_SEEN = -1;

interface Running {
  readonly used: number;
  readonly resetAt: number;
}

/** All that a move changes, so that it can be undone. */
interface Position {
  readonly running: ReadonlyMap<string, Running>;
  /** Indexes of known calls that are in the order already. */
  readonly done: readonly number[];
  readonly maybe: number | null;
  readonly forgetting: number | null;
}

/**
 * Looks for an order of the calls in which each answer is right, and no call stands before one that had ended when it was sent.
 * Calls change all their windows at one moment. Unanswered calls take effect then, or never.
 */
export function unexplained(calls: Calls, positionsMax: number): Unexplained {
  return new Search(calls, positionsMax).run();
}

class Search {
  readonly #known: readonly Known[];
  readonly #byEnd: readonly number[];
  readonly #maybes: readonly Maybe[];
  readonly #forgettings: readonly Forgetting[];
  /** Of each window, the known steps in it with the index of their call, by the units in use before them. */
  readonly #stepsOf = new Map<string, (Step & { readonly call: number; readonly isLook: boolean })[]>();
  readonly #isDone: boolean[];
  readonly #isUsed: boolean[];
  readonly #isForgotten: boolean[];
  readonly #positionsMax: number;
  readonly #failed = new Set<string>();
  #running: ReadonlyMap<string, Running> = new Map();
  #done = 0;
  #positions = 0;
  #deepest: { after: number; next: Known | null } = { after: -1, next: null };

  constructor({ known, maybes, forgettings }: Calls, positionsMax: number) {
    this.#positionsMax = positionsMax;
    this.#known = known.toSorted((left, right) => left.sentAt - right.sentAt);
    this.#byEnd = [...this.#known.keys()].sort((left, right) => this.#endOf(left) - this.#endOf(right));
    this.#maybes = maybes.toSorted((left, right) => left.sentAt - right.sentAt);
    this.#forgettings = forgettings.filter(({ what }) => what === 'all');
    this.#isDone = this.#known.map(() => false);
    this.#isUsed = this.#maybes.map(() => false);
    this.#isForgotten = this.#forgettings.map(() => false);
    for (const [call, { kind, steps }] of this.#known.entries()) {
      if (kind === 'reset') continue;
      for (const step of steps) {
        const own = this.#stepsOf.get(step.window) ?? [];
        this.#stepsOf.set(step.window, own);
        own.push({ ...step, call, isLook: kind === 'look' || step.before === step.after });
      }
    }
    for (const steps of this.#stepsOf.values()) steps.sort((left, right) => left.before - right.before);
  }

  run(): Unexplained {
    if (this.#continues()) return null;
    return { ...this.#deepest, gaveUp: this.#positions >= this.#positionsMax };
  }

  /** True if the remaining calls have an order from here. */
  #continues(): boolean {
    const looks = this.#look();
    const name = this.#name();
    if (this.#done === this.#known.length) return true;
    if (!this.#failed.has(name) && this.#positions < this.#positionsMax) {
      this.#positions += 1;
      if (this.#done > this.#deepest.after) this.#deepest = { after: this.#done, next: this.#next() };
      for (const move of this.#moves()) if (this.#takes(move)) return true;
      this.#failed.add(name);
    }
    for (const look of looks) this.#mark(look, false);
    return false;
  }

  /** Orders all calls that change nothing and agree with the position. Their place here is as good as any later one. */
  #look(): number[] {
    const looks: number[] = [];
    for (let found = true; found; ) {
      found = false;
      for (const call of this.#candidates()) {
        if (this.#at(call).kind !== 'look' || !this.#agrees(call) || this.#names(call)) continue;
        this.#mark(call, true);
        looks.push(call);
        found = true;
      }
    }
    return looks;
  }

  #takes({ running, done, maybe, forgetting }: Position): boolean {
    const before = this.#running;
    this.#running = running;
    for (const call of done) this.#mark(call, true);
    if (maybe !== null) this.#isUsed[maybe] = true;
    if (forgetting !== null) this.#isForgotten[forgetting] = true;
    if (this.#leavesNothingBehind(before) && this.#continues()) return true;
    if (forgetting !== null) this.#isForgotten[forgetting] = false;
    if (maybe !== null) this.#isUsed[maybe] = false;
    for (const call of done) this.#mark(call, false);
    this.#running = before;
    return false;
  }

  *#moves(): Iterable<Position> {
    const still = { running: this.#running, done: [], maybe: null, forgetting: null };
    for (const call of this.#candidates()) {
      if (!this.#agrees(call)) continue;
      yield { ...still, running: this.#afterKnown(this.#at(call)), done: [call] };
    }
    const horizon = this.#horizon();
    const tried = new Set<string>();
    for (const [maybe, { kind, entries, sentAt }] of this.#maybes.entries()) {
      const shape = JSON.stringify([kind, entries]);
      if (this.#isUsed[maybe] || sentAt > horizon || tried.has(shape)) continue;
      tried.add(shape);
      const running = this.#afterMaybe(this.#maybes[maybe] as Maybe);
      if (running !== null) yield { ...still, running, maybe };
    }
    for (const [forgetting, { from, to }] of this.#forgettings.entries()) {
      const isOver = this.#known.some(({ sentAt }, call) => this.#isDone[call] && sentAt > to);
      if (this.#isForgotten[forgetting] || isOver || from > horizon || this.#running.size === 0) continue;
      yield { ...still, running: new Map(), forgetting };
    }
  }

  #afterKnown({ kind, steps }: Known): ReadonlyMap<string, Running> {
    const running = new Map(this.#running);
    for (const { window, before, after, resetAt } of steps) {
      if (kind === 'reset') running.delete(window);
      else if (after > before || before > 0) running.set(window, { used: after, resetAt });
    }
    return running;
  }

  /** Returns the windows after a call without an answer, or null if it changes nothing that an answer shows. */
  #afterMaybe({ kind, entries }: Maybe): ReadonlyMap<string, Running> | null {
    const running = new Map(this.#running);
    let isSeen = false;
    for (const { window, limit, cost } of entries) {
      const held = running.get(window);
      if (kind === 'reset') {
        if (!running.delete(window)) return null;
        isSeen = true;
        continue;
      }
      const used = held?.used ?? 0;
      if (used + Math.max(cost, 1) > limit) return null;
      if (cost === 0) continue;
      isSeen ||= this.#hasGap(window, held);
      running.set(window, { used: used + cost, resetAt: held?.resetAt ?? NOT_SEEN });
    }
    return isSeen ? running : null;
  }

  /** True if an answer shows more units in use than are known to be. */
  #hasGap(window: string, held: Running | undefined): boolean {
    const next = this.#stepsOf
      .get(window)
      ?.find(
        ({ call, before, resetAt }) =>
          !this.#isDone[call] &&
          before > (held?.used ?? 0) &&
          (held === undefined || held.resetAt === NOT_SEEN || held.resetAt === resetAt),
      );
    return next !== undefined;
  }

  /** True if every window is as the answer to a call shows it. */
  #agrees(call: number): boolean {
    const { kind, steps } = this.#at(call);
    return steps.every(({ window, before, resetAt }) => {
      const held = this.#running.get(window);
      if (kind === 'reset') return held !== undefined;
      if (before === 0 || held === undefined) return before === 0 && held === undefined;
      return held.used === before && (held.resetAt === resetAt || held.resetAt === NOT_SEEN);
    });
  }

  /** True if the answer to a call is the first to show the end of a window. */
  #names(call: number): boolean {
    return this.#at(call).steps.some(({ window }) => this.#running.get(window)?.resetAt === NOT_SEEN);
  }

  /** The count of a window only grows until it ends, so no remaining answer may show less, or a window that has ended. */
  #leavesNothingBehind(earlier: ReadonlyMap<string, Running>): boolean {
    for (const [window, { resetAt }] of earlier) {
      if (resetAt !== NOT_SEEN && this.#running.get(window)?.resetAt !== resetAt) {
        if (this.#remains(window, { resetAt, used: Infinity })) return false;
      }
    }
    for (const [window, held] of this.#running) if (this.#remains(window, held)) return false;
    return true;
  }

  /** True if a remaining answer shows fewer units in use in this run of a window. */
  #remains(window: string, { used, resetAt: end }: Running): boolean {
    return (this.#stepsOf.get(window) ?? []).some(
      ({ before, call, resetAt, isLook }) =>
        resetAt === end && before < used && !this.#isDone[call] && !(before === 0 && isLook),
    );
  }

  /** The remaining calls that no other remaining one has to precede. */
  *#candidates(): Iterable<number> {
    const horizon = this.#horizon();
    for (const [call, { sentAt }] of this.#known.entries()) {
      if (sentAt > horizon) return;
      if (!this.#isDone[call]) yield call;
    }
  }

  /** The time at which the first of the remaining calls ended. */
  #horizon(): number {
    const first = this.#byEnd.find((call) => !this.#isDone[call]);
    return first === undefined ? Infinity : this.#endOf(first);
  }

  #next(): Known | null {
    const first = this.#byEnd.find((call) => !this.#isDone[call]);
    return first === undefined ? null : this.#at(first);
  }

  /** A digest that is the same for positions with the same future: the texts of all positions would fill the memory. */
  #name(): string {
    const first = this.#isDone.indexOf(false);
    const beyond = this.#known.flatMap((_, call) => (call > first && this.#isDone[call] ? [call] : []));
    const used = this.#maybes.flatMap((_, maybe) => (this.#isUsed[maybe] ? [maybe] : []));
    const windows = [...this.#running].sort(([left], [right]) => (left < right ? -1 : 1));
    return hash('sha256', JSON.stringify([first, beyond, used, this.#isForgotten, windows]), 'base64');
  }

  #mark(call: number, isDone: boolean): void {
    this.#isDone[call] = isDone;
    this.#done += isDone ? 1 : -1;
  }

  #at(call: number): Known {
    return this.#known[call] as Known;
  }

  #endOf(call: number): number {
    return this.#at(call).endedAt;
  }
}
