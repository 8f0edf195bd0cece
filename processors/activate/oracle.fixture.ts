import type { SubjectCohort } from '../../schemas/activate/documents.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { HOUR_MS, MINUTE_MS } from '../../schemas/base/time.ts';

/** Small, so that random sequences reach every edge. */
const SMALL = {
  preview: { checklists: 2, checklistEnrollments: 3, checklistEvents: 8 },
  free: { checklists: 3, checklistEnrollments: 6, checklistEvents: 5 },
  checklists: { revisions: 3, alternateKeys: 2, sessionsPerSubject: 2 },
} as const;

/** The same as the service takes them. */
export const SMALL_LIMITS = {
  plans: { preview: SMALL.preview, free: SMALL.free },
  checklists: SMALL.checklists,
};

export interface Subject {
  readonly checklist: string;
  readonly cohort: SubjectCohort;
  readonly user: string;
}

interface AcceptedEvent extends Subject {
  readonly step: string;
  readonly key: string;
  readonly revision: number;
  readonly answer: Answer;
}

export interface Answer {
  readonly outcome: string;
  readonly completedSteps: number;
  readonly totalSteps: number;
  readonly receivedAt: number;
  readonly eventId: string;
}

interface Issued extends Subject {
  readonly digest: string;
  readonly endsAt: number;
}

export type Said<Value> = Value | ErrorCode;

/** Refusals that come before the idempotency key in the order of checks. */
const BEFORE_THE_KEY: readonly ErrorCode[] = [
  'workspace_paused',
  'workspace_disconnected',
  'claim_required',
  'not_found',
  'bad_request',
];

/**
 * The simplest model of checklists: it keeps all that happened as a list, and reads the whole list for every answer. It shares
 * nothing with the fold but the words.
 */
export class Oracle {
  now: number;
  readonly #start: number;
  readonly #checklists = new Map<string, string[][]>();
  #accepted: AcceptedEvent[] = [];
  #sessions: Issued[] = [];
  #checklistsMade = 0;
  #enrollmentsMade = 0;
  /** When each accepted event came in that was ever charged, erased ones included. */
  readonly #charged: number[] = [];
  #claimedAt: number | null = null;
  #chargedBeforeClaim = 0;
  /** `unknown`: the workspace has not said anything yet. */
  state: 'unknown' | 'preview' | 'active' | 'paused' | 'disconnected' = 'preview';

  constructor(now: number) {
    this.#start = now;
    this.now = now;
  }

  get expired(): boolean {
    return this.#claimedAt === null && this.now >= this.#start + 72 * HOUR_MS;
  }

  /** Sets the workspace's state and plan. */
  become(state: Oracle['state'], plan: 'preview' | 'free'): void {
    if (plan === 'free' && this.#claimedAt === null) {
      this.#claimedAt = this.now;
      this.#chargedBeforeClaim = this.#charged.length;
    }
    this.state = state;
  }

  create(name: string, keys: readonly string[]): Said<'done'> {
    const refused = this.#refusal(false);
    if (refused !== null) return refused;
    if (this.#checklistsMade >= this.#plan().checklists) return 'limit_reached';
    this.#checklistsMade += 1;
    this.#checklists.set(name, [[...keys]]);
    return 'done';
  }

  has(checklist: string): boolean {
    return this.#checklists.has(checklist);
  }

  /** The current revision after it. */
  revise(checklist: string, expected: number, keys: readonly string[]): Said<number> {
    const refused = this.#refusal(false);
    if (refused !== null) return refused;
    const revisions = this.#checklists.get(checklist);
    if (revisions === undefined) return 'not_found';
    if (revisions.at(-1)?.join() === keys.join()) return revisions.length;
    if (expected !== revisions.length) return 'revision_conflict';
    if (revisions.length === SMALL.checklists.revisions) return 'limit_reached';
    return revisions.push([...keys]);
  }

  event(subject: Subject, step: string, key: string, eventId: string): Said<Answer> {
    const known = this.#accepted.find((event) => event.key === key);
    if (known !== undefined && isOf(subject)(known) && known.step === step) return known.answer;
    const refused = this.#eventRefusal(subject, step);
    if (known !== undefined) return BEFORE_THE_KEY.find((code) => code === refused) ?? 'idempotency_conflict';
    if (refused !== null) return refused;
    const { revision, steps } = this.#measureOf(subject);
    const earlier = this.#accepted.filter(isOf(subject));
    const same = earlier.filter((event) => event.step === step).length;
    const completed = new Set([...earlier.map((event) => event.step), step]);
    const answer = {
      outcome: same === 0 ? 'completed' : 'already_completed',
      completedSteps: completed.size,
      totalSteps: steps.length,
      receivedAt: this.now,
      eventId,
    };
    if (same > SMALL.checklists.alternateKeys) return answer;
    if (earlier.length === 0 && this.#enrollmentsMade >= this.#plan().checklistEnrollments) {
      return 'limit_reached';
    }
    if (this.eventsUsed >= this.#plan().checklistEvents) return 'limit_reached';
    if (earlier.length === 0) this.#enrollmentsMade += 1;
    this.#charged.push(this.now);
    this.#accepted.push({ ...subject, step, key, revision, answer });
    return answer;
  }

  /** The fault of an event that does not depend on earlier events. */
  #eventRefusal(subject: Subject, step: string): ErrorCode | null {
    const refused = this.#refusalFor(subject);
    if (refused !== null) return refused;
    if (!this.#checklists.has(subject.checklist)) return 'not_found';
    return this.#measureOf(subject).steps.includes(step) ? null : 'bad_request';
  }

  #measureOf(subject: Subject) {
    const revisions = this.#checklists.get(subject.checklist) ?? [];
    const revision = this.revisionOf(subject) ?? revisions.length;
    return { revision, steps: revisions[revision - 1] ?? [] };
  }

  issue(subject: Subject, digest: string): Said<'done'> {
    const refused = this.#refusalFor(subject);
    if (refused !== null) return refused;
    if (!this.#checklists.has(subject.checklist)) return 'not_found';
    const kept = this.sessionsOf(subject).slice(-(SMALL.checklists.sessionsPerSubject - 1));
    const others = this.#sessions.filter((session) => !isOf(subject)(session));
    this.#sessions = [...others, ...kept, { ...subject, digest, endsAt: this.now + 15 * MINUTE_MS }];
    return 'done';
  }

  /** Erases a subject. True if it had an enrollment or a session. */
  erase(subject: Subject): Said<boolean> {
    if (!this.#checklists.has(subject.checklist)) return 'not_found';
    const found = this.#accepted.some(isOf(subject)) || this.sessionsOf(subject).length > 0;
    this.#accepted = this.#accepted.filter((event) => !isOf(subject)(event));
    this.#sessions = this.#sessions.filter((session) => !isOf(subject)(session));
    return found;
  }

  sessionsOf(subject: Subject): Issued[] {
    return this.#sessions.filter(isOf(subject)).filter(({ endsAt }) => endsAt > this.now);
  }

  revisionOf(subject: Subject): number | null {
    return this.#accepted.find(isOf(subject))?.revision ?? null;
  }

  completedBy(subject: Subject): string[] {
    return [...new Set(this.#accepted.filter(isOf(subject)).map(({ step }) => step))];
  }

  revisions(checklist: string): readonly (readonly string[])[] {
    return this.#checklists.get(checklist) ?? [];
  }

  summary(checklist: string, revision: number, cohort: SubjectCohort) {
    const steps = this.#checklists.get(checklist)?.[revision - 1] ?? [];
    const events = this.#accepted.filter(
      (event) => event.checklist === checklist && event.cohort === cohort && event.revision === revision,
    );
    const users = [...new Set(events.map(({ user }) => user))];
    const having = (step: string) =>
      users.filter((user) => events.some((event) => event.user === user && event.step === step));
    return {
      enrollments: users.length,
      complete: users.filter((user) => steps.every((step) => having(step).includes(user))).length,
      acceptedEvents: events.length,
      completed: steps.map((step) => having(step).length),
    };
  }

  /** Outcomes that events are remembered with. */
  get remembered(): number {
    return this.#accepted.length;
  }

  get used() {
    return {
      checklists: this.#checklistsMade,
      enrollments: this.#enrollmentsMade,
      events: this.eventsUsed,
    };
  }

  /** Of the preview's life, or of the month, which begins with what the preview had used. */
  get eventsUsed(): number {
    if (this.#claimedAt === null) return this.#charged.length;
    const since = this.#charged
      .slice(this.#chargedBeforeClaim)
      .filter((at) => monthOf(at) === monthOf(this.now));
    const before = monthOf(this.#claimedAt) === monthOf(this.now) ? this.#chargedBeforeClaim : 0;
    return before + since.length;
  }

  #plan() {
    return this.#claimedAt === null ? SMALL.preview : SMALL.free;
  }

  #refusal(stopsInPause: boolean): ErrorCode | null {
    if (this.state === 'unknown') return 'unavailable';
    if (this.state === 'disconnected') return 'workspace_disconnected';
    if (this.expired) return 'expired';
    return this.state === 'paused' && stopsInPause ? 'workspace_paused' : null;
  }

  #refusalFor({ cohort }: Subject): ErrorCode | null {
    const refused = this.#refusal(true);
    if (refused !== null) return refused;
    return cohort === 'live' && this.#claimedAt === null ? 'claim_required' : null;
  }
}

function isOf({ checklist, cohort, user }: Subject): (thing: Subject) => boolean {
  return (thing) => thing.checklist === checklist && thing.cohort === cohort && thing.user === user;
}

function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCFullYear()} ${date.getUTCMonth()}`;
}
