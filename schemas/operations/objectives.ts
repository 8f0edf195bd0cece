import { MINUTE_MS, SECOND_MS } from '../base/time.ts';

/** A promise about the requests of 30 days. */
export interface Objective {
  /** The name of its alerts, and of its entry in infra/docs/runbook.md. */
  readonly alert: string;
  /** The requests that count, and what is promised about them. */
  readonly subject: string;
  readonly promise: string;
  /** The part of them that has to keep the promise. */
  readonly share: number;
}

/** The bound of a check of the rate limiter. */
export const CHECK_FAST_MS = 50;

/** The bound of the commit of a checklist command, from its append. */
export const EVENT_LATE_MS = SECOND_MS;

/**
 * The objectives: the one source of the alerts, of the findings and the numbers of the console, and of the tables in
 * infra/docs/metrics.md and runbook.md.
 */
export const OBJECTIVES = {
  checksAnswered: {
    alert: 'ChecksUnavailable',
    subject: 'rate-limit checks',
    promise: 'are answered without 5xx',
    share: 0.999,
  },
  checksFast: {
    alert: 'ChecksSlow',
    subject: 'rate-limit checks',
    promise: `take at most ${CHECK_FAST_MS} ms`,
    share: 0.99,
  },
  eventsAnswered: {
    alert: 'EventsRefused',
    subject: 'checklist events',
    promise: 'are answered without 5xx',
    share: 0.999,
  },
  eventsCommitted: {
    alert: 'EventsLate',
    subject: 'checklist commands',
    promise: `are committed within ${EVENT_LATE_MS / SECOND_MS} s`,
    share: 0.99,
  },
} as const satisfies Readonly<Record<string, Objective>>;

/**
 * The factor by which a budget is spent too fast from which a person is called at once: 14.4 spends 2 % of the month's budget in an
 * hour (The Site Reliability Workbook, chapter 5).
 */
export const BURN_RATE_PAGE = 14.4;

/** Bad answers of an hour from which a page is justified: one bad request of three is no reason for a call at night. */
export const BAD_LEAST = 5;

/** The age of the oldest record of a topic from which its consumers are behind. */
export interface WatchedAge {
  readonly alert: string;
  readonly limitMs: number;
  /** The time for which the age has to stay above the limit. */
  readonly forMs: number;
  /** `page`: users wait now. `ticket`: a person looks at it within a working day. */
  readonly severity: 'page' | 'ticket';
}

/** Ages of commands, whose clients wait, and of work items, which take minutes each. */
export const WATCHED_AGES = {
  fold: { alert: 'CommandsBehind', limitMs: 30 * SECOND_MS, forMs: 2 * MINUTE_MS, severity: 'page' },
  work: { alert: 'WorkBehind', limitMs: 10 * MINUTE_MS, forMs: 5 * MINUTE_MS, severity: 'ticket' },
} as const satisfies Readonly<Record<string, WatchedAge>>;

/** Returns the entry of an alert in infra/docs/runbook.md: `ChecksSlow` as `checks-slow`. */
export function runbookEntry(alert: string): string {
  return alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** `99.9 % of rate-limit checks are answered without 5xx`. */
export function objectiveText({ share, subject, promise }: Objective): string {
  return `${Number((share * 100).toFixed(3))} % of ${subject} ${promise}`;
}
