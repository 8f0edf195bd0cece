import { seeded } from '../seeded.fixture.ts';
import type { CallTold, Forgetting, LimitedAnswer, LimitedEntry, LimiterCall } from './calls.ts';

const STORY = 'story';
/** The end of the first run of each window. */
export const FIRST_END = 1_000;

export const LIMITS: Readonly<Record<string, number>> = { user: 5, address: 8 };

/** An entry of a made history, such as `entry('user')`. */
export function entry(window: string, cost = 1): LimitedEntry {
  return { window, limit: LIMITS[window] ?? 0, cost };
}

/** An answer to entries: allowed, with what is left in each window. */
export function allowed(...remaining: readonly number[]): CallTold {
  return decided(remaining.map((left) => ({ allowed: true, remaining: left, resetAt: FIRST_END })));
}

export function decided(entries: readonly LimitedAnswer[]): CallTold {
  return { kind: 'decided', allowed: entries.every((each) => each.allowed), entries };
}

/** A call that was sent and answered at these times. */
export function call(
  sentAt: number,
  endedAt: number,
  entries: readonly LimitedEntry[],
  told: CallTold,
): LimiterCall {
  const kind = told.kind === 'reset' ? 'reset' : 'check';
  return { story: STORY, kind, entries, isKeyed: false, sendings: [{ sentAt, endedAt, told }] };
}

/** The fault of a played limiter. */
export type Flaw =
  | 'none'
  | 'admits one more'
  | 'counts half of a denial'
  | 'answers from before'
  | 'counts lost';

const CLIENTS = 16;
const CALLS = 240;
const RESETS = 0.03;
const UNANSWERED = 0.05;
const PEEKS = 0.2;
const FLAWED = 0.1;

const PLAYED_LIMITS = [
  ['user', 20],
  ['other', 30],
  ['address', 60],
  ['rows', 150],
] as const;

type Windows = ReadonlyMap<string, { readonly used: number; readonly resetAt: number }>;

/** Plays a limiter to many clients at the same time. It loses answers, and all windows once; a window is reset now and then. */
export function playedHistory(seed: number, flaw: Flaw): [LimiterCall[], Forgetting[]] {
  const random = seeded(seed);
  const limiter = new PlayedLimiter(random, flaw);
  const calls: LimiterCall[] = [];
  const freeAt = Array.from({ length: CLIENTS }, () => random());
  let lostAt = 0;
  for (let number = 0; number < CALLS; number += 1) {
    const client = freeAt.indexOf(Math.min(...freeAt));
    const sentAt = freeAt[client] ?? 0;
    // Calls take effect in the order in which they are sent, and their answers need different times.
    const endedAt = sentAt + 0.1 + random();
    freeAt[client] = endedAt;
    if (number === CALLS / 2) {
      limiter.windows = new Map();
      lostAt = sentAt;
    }
    const { kind, entries, told } = limiter.next(FIRST_END + number);
    const seen: CallTold = random() < UNANSWERED ? { kind: 'unknown' } : told;
    calls.push({ ...call(sentAt, endedAt, entries, seen), kind });
  }
  return [calls, [{ from: lostAt - 0.1, to: lostAt + 0.1, what: 'all' }]];
}

class PlayedLimiter {
  readonly #random: () => number;
  readonly #flaw: Flaw;
  windows: Windows = new Map();
  #previous: Windows = new Map();

  constructor(random: () => number, flaw: Flaw) {
    this.#random = random;
    this.#flaw = flaw;
  }

  /** Draws a call and decides it. A window that it begins ends at a time that no other one does. */
  next(end: number): Pick<LimiterCall, 'kind' | 'entries'> & { readonly told: CallTold } {
    const [own] = PLAYED_LIMITS[this.#random() < 0.5 ? 0 : 1];
    const entries = PLAYED_LIMITS.filter(([name]) => name === own || this.#random() < 0.6).map(
      ([window, limit]): LimitedEntry => ({ window, limit, cost: this.#cost(window) }),
    );
    if (this.#random() >= RESETS) return { kind: 'check', entries, told: this.#check(entries, end) };
    const windows = new Map(this.windows);
    const ended = windows.delete(own);
    this.windows = windows;
    const reset = entries.filter(({ window }) => window === own);
    return { kind: 'reset', entries: reset, told: { kind: 'reset', ended } };
  }

  #check(entries: readonly LimitedEntry[], end: number): CallTold {
    const flaw = this.#random() < FLAWED ? this.#flaw : 'none';
    const seen = flaw === 'answers from before' ? this.#previous : this.windows;
    const windows = new Map(this.windows);
    const more = flaw === 'admits one more' ? 1 : 0;
    const answers = entries.map(({ window, limit, cost }) => {
      const { used, resetAt } = seen.get(window) ?? { used: 0, resetAt: end };
      return { allowed: used + Math.max(cost, 1) <= limit + more, remaining: limit - used, resetAt };
    });
    const fits = answers.every(({ allowed: isAllowed }) => isAllowed);
    for (const [index, { window, cost }] of entries.entries()) {
      const isHalf = flaw === 'counts half of a denial' && answers[index]?.allowed === true;
      if (cost === 0 || !(fits || isHalf) || flaw === 'counts lost') continue;
      const { used, resetAt } = windows.get(window) ?? { used: 0, resetAt: end };
      windows.set(window, { used: used + cost, resetAt });
    }
    this.#previous = this.windows;
    this.windows = windows;
    return decided(
      answers.map(({ remaining, ...answer }, index) => {
        const taken = fits ? (entries[index]?.cost ?? 0) : 0;
        return { ...answer, remaining: Math.max(0, remaining - taken) };
      }),
    );
  }

  #cost(window: string): number {
    if (window === 'rows') return this.#random() < 0.5 ? 2 : 5;
    return this.#random() < PEEKS ? 0 : 1;
  }
}
