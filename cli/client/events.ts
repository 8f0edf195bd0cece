import { type CallOptions, caller, checklistPath } from './caller.ts';
import { SvcError, type SvcErrorCode } from './error.ts';
import { gather } from './gather.ts';
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
   * Reports a milestone, and repeats the request until it is answered or `deadlineMs` have passed (30,000 by default). Milestones
   * that are reported while a request is under way travel together in the next one. It never rejects, so it can run in the
   * background.
   */
  record(milestone: Milestone): Promise<RecordOutcome>;
  /** Resolves when every milestone has its outcome: after `deadlineMs` at the latest. */
  flush(): Promise<void>;
  /** Takes no further milestone, and flushes. */
  [Symbol.asyncDispose](): Promise<void>;
}

const QUEUE_MAX = 1_000;
/** Milestones of one request. */
const GATHERED_MAX = 500;
/** Printable ASCII characters, as many as a member of a milestone may have. */
const PLAIN = /^[ -~]{1,128}$/;
const DEADLINE_MS = 30_000;
/** Statuses of a request that is never accepted unchanged. */
const FINAL: readonly (number | null)[] = [400, 405, 409, 410, 413, 415];
/** The statuses of codes that a milestone among others may have. */
const STATUSES: Readonly<Record<string, number>> = {
  ...{ bad_request: 400, workspace_paused: 403, workspace_disconnected: 403, claim_required: 403 },
  ...{ not_found: 404, idempotency_conflict: 409, expired: 410, erased: 410, limit_reached: 429 },
  internal_error: 500,
};
/** The advised wait after a failure without `Retry-After`. */
const LATER_MS = 5_000;
/** Only its owner knows the end of a pause. */
const PAUSED_MS = 3_600_000;

/** A milestone on its way. */
interface Sending {
  readonly idempotencyKey: string;
  readonly body: object;
  readonly endsAt: number;
  settle(outcome: RecordOutcome): void;
}

/**
 * Makes a recorder of milestones. Make it once.
 *
 * @throws {TypeError} if an option is missing or wrong
 */
export function events(options: EventsOptions): Events {
  const { cohort, queueMax = QUEUE_MAX, deadlineMs: longestMs = DEADLINE_MS } = options;
  wholeNumber('queueMax', queueMax);
  const deadlineMs = deadlineOf(longestMs);
  const add = gather(sender(options), GATHERED_MAX);
  const unfinished = new Set<Promise<RecordOutcome>>();
  let isClosed = false;

  async function record(milestone: Milestone): Promise<RecordOutcome> {
    const { idempotencyKey = crypto.randomUUID(), ...others }: Partial<Milestone> = Object(milestone);
    if (isClosed || unfinished.size >= queueMax) {
      const reason = isClosed ? 'The recorder is closed.' : `${queueMax} milestones wait already.`;
      return unaccepted(idempotencyKey, new SvcError('queue_full', reason));
    }
    const sending = new Promise<RecordOutcome>((settle) => {
      const { subjectDigest, eventKey } = others;
      const body = {
        idempotencyKey: plain(idempotencyKey),
        subjectDigest: plain(subjectDigest),
        cohort,
        eventKey: plain(eventKey),
      };
      add({ idempotencyKey, body, endsAt: performance.now() + deadlineMs, settle });
    });
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

/**
 * Returns a text, or an empty one for a value that no milestone has. The service refuses a whole request for some characters, and for
 * its length; an empty text it refuses for this milestone alone.
 */
function plain(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : '';
}

/** Returns a function that sends milestones in one request, and settles each. */
function sender(options: EventsOptions) {
  const call = caller(options, options);
  const path = checklistPath(options.installationId, options.checklistId, 'events');

  async function request(sent: readonly Sending[]): Promise<readonly unknown[]> {
    const [first, second] = sent;
    // The first one has waited longest: none is answered after its deadline.
    const shared = { method: 'POST', deadlineMs: (first?.endsAt ?? 0) - performance.now() } as const;
    const schemaVersion = '2026-09-07';
    if (second === undefined)
      return [await call({ ...shared, path, body: { schemaVersion, ...first?.body } })];
    const body = { schemaVersion, events: sent.map((each) => each.body) };
    return Object(await call({ ...shared, path: `${path}/batch`, body })).results ?? [];
  }

  return async function send(sent: readonly Sending[]): Promise<void> {
    try {
      const results = await request(sent);
      for (const [index, each] of sent.entries()) {
        const result = Object(results[index]);
        // A repeat can help this one alone, as it does if the whole request fails.
        if (result.error?.code === 'internal_error') void send([each]);
        else each.settle(outcomeOf(each.idempotencyKey, result));
      }
    } catch (error) {
      // The caller throws no other one.
      for (const { idempotencyKey, settle } of sent) settle(unaccepted(idempotencyKey, error as SvcError));
    }
  };
}

function outcomeOf(idempotencyKey: string, result: Record<string, unknown>): RecordOutcome {
  const { error, retryAfterMs = null, outcome, ...others } = result as unknown as AnyResult;
  if (typeof error?.code === 'string') {
    const status = STATUSES[error.code] ?? null;
    return unaccepted(idempotencyKey, new SvcError(error.code, `${error.message}`, { status, retryAfterMs }));
  }
  if (typeof others.complete !== 'boolean' || typeof others.eventId !== 'string') {
    const message = 'The answer is not the outcome of an event.';
    return unaccepted(idempotencyKey, new SvcError('unexpected_answer', message, { status: 200 }));
  }
  const known = outcome === 'already_completed' ? 'already' : others.complete ? 'completed' : 'recorded';
  return { ...others, idempotencyKey, outcome: known };
}

/** An accepted milestone, or a refused one among others. */
interface AnyResult extends Omit<Accepted, 'outcome'> {
  readonly outcome: string;
  readonly error?: { readonly code: SvcErrorCode; readonly message: string };
  readonly retryAfterMs?: number | null;
}

function unaccepted(idempotencyKey: string, error: SvcError): NotYet | Refused {
  if (FINAL.includes(error.status) || error.code === 'bad_request')
    return { outcome: 'refused', idempotencyKey, error };
  const usualMs = error.code === 'workspace_paused' ? PAUSED_MS : error.retryable ? LATER_MS : null;
  return { outcome: 'not_yet', idempotencyKey, retryAfterMs: error.retryAfterMs ?? usualMs, error };
}
