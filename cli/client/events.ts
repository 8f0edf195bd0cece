import { type CallOptions, caller, checklistPath } from './caller.ts';
import { SvcError } from './error.ts';
import { deadlineOf, wholeNumber } from './options.ts';

/** Options of {@link events}. */
export interface EventsOptions extends CallOptions {
  /** The address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The project credential, `svc_project_…`. */
  readonly credential: string;
  readonly installationId: string;
  readonly checklistId: string;
  /** `test` for synthetic subjects, `live` for real ones. */
  readonly cohort: 'test' | 'live';
  /** The number of milestones that are sent or wait to be sent at a time, 1,000 by default. */
  readonly queueMax?: number;
}

/** A milestone that a user has reached. */
export interface Milestone {
  /** The user, as `subjectDigest` names one. */
  readonly subjectDigest: string;
  /** The key of a step of the checklist. */
  readonly eventKey: string;
  /** The id of the outbox record, the same for every call; a random one by default. */
  readonly idempotencyKey?: string;
}

/** A milestone that the service has accepted. */
export interface Accepted {
  /** `recorded`: a new step, and others are left. `completed`: the last step. `already`: the step was completed before. */
  readonly outcome: 'recorded' | 'completed' | 'already';
  readonly idempotencyKey: string;
  readonly eventId: string;
  readonly completedSteps: number;
  readonly totalSteps: number;
  readonly complete: boolean;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
}

/** A milestone that may be accepted later. Record it again with the same key. */
export interface NotYet {
  readonly outcome: 'not_yet';
  readonly idempotencyKey: string;
  /** Milliseconds to wait; null if a person has to act first: a claim, another credential, a limit that does not reset. */
  readonly retryAfterMs: number | null;
  readonly error: SvcError;
}

/** A milestone that is never accepted unchanged. */
export interface Refused {
  readonly outcome: 'refused';
  readonly idempotencyKey: string;
  readonly error: SvcError;
}

export type RecordOutcome = Accepted | NotYet | Refused;

export interface Events {
  /**
   * Reports a milestone, and repeats the request until it is answered or `deadlineMs` have passed (30,000 by default). It never
   * rejects, so it can run in the background.
   */
  record(milestone: Milestone): Promise<RecordOutcome>;
  /** Resolves when every milestone has its outcome: after `deadlineMs` at the latest. */
  flush(): Promise<void>;
  /** Takes no further milestone, and flushes. */
  [Symbol.asyncDispose](): Promise<void>;
}

const QUEUE_MAX = 1_000;
/** Requests at the same time. The order of milestones does not matter to the service. */
const AT_ONCE = 8;
const DEADLINE_MS = 30_000;
/** Statuses of a request that is never accepted unchanged. */
const FINAL: readonly (number | null)[] = [400, 405, 409, 410, 413, 415];
/** The advised wait after a failure without `Retry-After`. */
const LATER_MS = 5_000;
/** Only its owner knows the end of a pause. */
const PAUSED_MS = 3_600_000;

/**
 * Makes a recorder of milestones. Make it once.
 *
 * @throws {TypeError} if an option is missing or wrong
 */
export function events(options: EventsOptions): Events {
  const {
    installationId,
    checklistId,
    cohort,
    queueMax = QUEUE_MAX,
    deadlineMs: longestMs = DEADLINE_MS,
  } = options;
  wholeNumber('queueMax', queueMax);
  const deadlineMs = deadlineOf(longestMs);
  const call = caller(options, options);
  const path = checklistPath(installationId, checklistId, 'events');
  const unfinished = new Set<Promise<RecordOutcome>>();
  const turns = new Turns(AT_ONCE);
  let isClosed = false;

  async function send(milestone: Partial<Milestone>, idempotencyKey: string): Promise<RecordOutcome> {
    const { subjectDigest, eventKey } = milestone;
    const endsAt = performance.now() + deadlineMs;
    await turns.take();
    try {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) throw new SvcError('timeout', 'Other milestones took the whole time.');
      const body = { schemaVersion: '2026-09-07', idempotencyKey, subjectDigest, cohort, eventKey };
      return accepted(idempotencyKey, await call({ method: 'POST', path, body, deadlineMs: leftMs }));
    } catch (error) {
      const isKnown = error instanceof SvcError;
      // Only JSON fails here: a member such as a BigInt, which the types do not allow.
      return unaccepted(
        idempotencyKey,
        isKnown ? error : new SvcError('bad_request', 'JSON cannot hold the milestone.'),
      );
    } finally {
      turns.give();
    }
  }

  async function record(milestone: Milestone): Promise<RecordOutcome> {
    const { idempotencyKey = crypto.randomUUID(), ...others }: Partial<Milestone> = Object(milestone);
    if (isClosed || unfinished.size >= queueMax) {
      const reason = isClosed ? 'The recorder is closed.' : `${queueMax} milestones wait already.`;
      return unaccepted(idempotencyKey, new SvcError('queue_full', reason));
    }
    const sending = send(others, idempotencyKey);
    unfinished.add(sending);
    try {
      return await sending;
    } finally {
      unfinished.delete(sending);
    }
  }

  async function flush(): Promise<void> {
    await Promise.allSettled(unfinished);
  }

  async function close(): Promise<void> {
    isClosed = true;
    await flush();
  }

  return { record, flush, [Symbol.asyncDispose]: close };
}

function accepted(idempotencyKey: string, answer: unknown): Accepted {
  const { outcome, ...others }: Omit<Accepted, 'outcome'> & { readonly outcome: string } = Object(answer);
  if (typeof others.complete !== 'boolean' || typeof others.eventId !== 'string') {
    throw new SvcError('unexpected_answer', 'The answer is not the outcome of an event.', { status: 200 });
  }
  const known = outcome === 'already_completed' ? 'already' : others.complete ? 'completed' : 'recorded';
  return { ...others, idempotencyKey, outcome: known };
}

function unaccepted(idempotencyKey: string, error: SvcError): NotYet | Refused {
  if (FINAL.includes(error.status) || error.code === 'bad_request')
    return { outcome: 'refused', idempotencyKey, error };
  const usualMs = error.code === 'workspace_paused' ? PAUSED_MS : error.retryable ? LATER_MS : null;
  return { outcome: 'not_yet', idempotencyKey, retryAfterMs: error.retryAfterMs ?? usualMs, error };
}

/** Lets a number of tasks run at a time, in the order in which they ask. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
