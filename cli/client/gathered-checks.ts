// Lets checks of the same moment travel in one request, each with its own key, deadline and error.
import { ERROR_STATUSES, type ErrorCode } from '../../schemas/base/error-codes.ts';
import { type Asking, foreign } from './asking.ts';
import type { Check } from './check.ts';
import type { Instant } from './denials.ts';
import { SvcError } from './error.ts';
import { gather } from './gather.ts';
import { isWrong } from './no-answer.ts';
import { isWorker } from './sender.ts';
import { type Answered, timedOut } from './transport.ts';

/** Checks in one request. */
const TOGETHER_MAX = 250;
/** The time for which a service that does not know the route of many checks is asked about each alone. */
const OLDER_MS = 600_000;
const NOT_FOUND = 404;

/** The answer about one check. */
interface CheckAnswer {
  readonly data: unknown;
  readonly sentAt: Instant;
}

interface Waiting {
  readonly check: Check;
  /** Of this check alone: a repeat counts once, in whichever request it travels. */
  readonly idempotencyKey: string;
  /** By the monotonic clock. */
  readonly endsAt: number;
  readonly resolve: (answer: CheckAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** The checks without an answer. Each is rejected at its deadline. */
class OpenChecks {
  readonly #deadlineMs: number;
  /** In the order of their deadlines. */
  readonly #open = new Set<Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  add(waiting: Waiting): void {
    if (this.#open.size === 0) this.#timer = setTimeout(() => this.#rejectLate(), this.#deadlineMs);
    this.#open.add(waiting);
  }

  has(waiting: Waiting): boolean {
    return this.#open.has(waiting);
  }

  /** Settles a check once. */
  settle(waiting: Waiting, how: () => void): void {
    if (!this.#open.delete(waiting)) return;
    if (this.#open.size === 0) clearTimeout(this.#timer);
    how();
  }

  /** One timer serves all checks, because their deadlines are equally long. */
  #rejectLate(): void {
    const now = performance.now();
    for (const waiting of this.#open) {
      const leftMs = waiting.endsAt - now;
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#rejectLate(), leftMs);
        return;
      }
      this.settle(waiting, () => waiting.reject(timedOut(this.#deadlineMs)));
    }
  }
}

/**
 * Returns a function that asks about a check: at once if no request is under way, else together with those that come meanwhile. It
 * rejects with the error of this check at its deadline, whatever becomes of the others.
 */
export function gatheredChecks({ ask, note, deadlineMs }: Asking): (check: Check) => Promise<CheckAnswer> {
  const open = new OpenChecks(deadlineMs);
  let olderUntil = Number.NEGATIVE_INFINITY;

  async function askAlone(waiting: Waiting): Promise<void> {
    const { check, idempotencyKey, endsAt } = waiting;
    const leftMs = Math.max(1, endsAt - performance.now());
    try {
      const question = { path: '/v1/check', body: () => check, idempotencyKey, leftMs };
      const answer = await ask(question, (data, sentAt) => ({ data, sentAt }));
      open.settle(waiting, () => waiting.resolve(answer));
    } catch (error) {
      open.settle(waiting, () => waiting.reject(error));
    }
  }

  function settleEntry(waiting: Waiting, entry: unknown, sentAt: Instant, answer: Answered): void {
    const { error: refused } = Object(entry);
    if (refused === undefined) open.settle(waiting, () => waiting.resolve({ data: entry, sentAt }));
    else {
      const error = refusalOf(entry, answer);
      note(error);
      open.settle(waiting, () => waiting.reject(error));
    }
  }

  async function askTogether(all: readonly Waiting[]): Promise<void> {
    const last = all.at(-1) as Waiting;
    let asked = all;
    const body = () => {
      asked = asked.filter((waiting) => open.has(waiting));
      return { checks: asked.map(entryOf) };
    };
    const question = { path: '/v1/checks/each', body, leftMs: Math.max(1, last.endsAt - performance.now()) };
    try {
      await ask(question, (data, sentAt, answer) => {
        const entries: unknown = Object(data).checks;
        if (!Array.isArray(entries) || entries.length !== asked.length) throw foreign();
        for (const [index, waiting] of asked.entries()) settleEntry(waiting, entries[index], sentAt, answer);
      });
    } catch (error) {
      const isKnown = error instanceof SvcError;
      if (isKnown && error.status === NOT_FOUND) olderUntil = performance.now() + OLDER_MS;
      // One check may be what spoils the request, and only that one must fail.
      if (!isKnown || isWrong(error)) await Promise.all(asked.map(askAlone));
      else for (const waiting of asked) open.settle(waiting, () => waiting.reject(error));
    }
  }

  async function send(gathered: readonly Waiting[]): Promise<void> {
    const asked = gathered.filter((waiting) => open.has(waiting));
    const [only, another] = asked;
    if (only === undefined) return;
    if (another === undefined) await askAlone(only);
    else await askTogether(asked);
  }

  const add = gather(send, TOGETHER_MAX);
  const isAlone = isWorker();
  return (check) =>
    new Promise((resolve, reject) => {
      const now = performance.now();
      const waiting = {
        check,
        idempotencyKey: crypto.randomUUID(),
        endsAt: now + deadlineMs,
        resolve,
        reject,
      };
      open.add(waiting);
      if (isAlone || now < olderUntil) void askAlone(waiting);
      else add(waiting);
    });
}

function entryOf({ check: { namespace, identifier, limit, window, cost }, idempotencyKey }: Waiting) {
  return { namespace, identifier, limit, window, cost, idempotencyKey };
}

/** The error of one check. Its status is that of the same check alone. */
function refusalOf(entry: unknown, { headers }: Answered): SvcError {
  const { error, retry_after_ms: retryAfterMs = null } = Object(entry);
  const { code, message } = Object(error);
  if (typeof code !== 'string' || typeof message !== 'string') return foreign();
  return new SvcError(code as ErrorCode, message, {
    status: ERROR_STATUSES[code as ErrorCode] ?? null,
    requestId: headers.get('x-request-id'),
    retryAfterMs: Number.isFinite(retryAfterMs) ? retryAfterMs : null,
  });
}
