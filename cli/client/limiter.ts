import { asking, foreign } from './asking.ts';
import type { Check, Decision, LimiterOptions } from './check.ts';
import { Denials, type Instant } from './denials.ts';
import { gatheredChecks } from './gathered-checks.ts';
import { warning, without } from './no-answer.ts';
import { wholeNumber } from './options.ts';

/**
 * The decision about one request with several limits. Its other fields are those of the limit that decides: of a denial, one that
 * denied it, with the longest wait; else the one with least left.
 */
export interface Decisions extends Decision {
  /**
   * The decision about each limit, in order. Of a denial, `allowed` says whether this limit alone would have allowed the request,
   * and `remaining` is null for one that was not asked, because another one is known to deny.
   */
  readonly checks: readonly Decision[];
}

export interface Limiter {
  /**
   * Counts one request and decides about it. Checks may run at the same time: while a request is under way, further ones are
   * gathered and travel together in the next request. Each is decided, and fails, alone.
   *
   * @throws {SvcError} if the check or the address is wrong, and without an answer if `onNoAnswer` is `throw`
   */
  check(check: Check): Promise<Decision>;
  /**
   * Counts one request against up to ten limits and decides about it: either all their windows change, or none does.
   *
   * @throws {SvcError} like {@link check}
   */
  checkAll(checks: readonly Check[]): Promise<Decisions>;
  /**
   * Reads a window without counting: `remaining` is what is left of the limit. Like {@link check}, it counts in the minute of the key.
   *
   * @throws {SvcError} like {@link check}
   */
  peek(check: Omit<Check, 'cost'>): Promise<Decision>;
  /**
   * Ends a window, so that the next check starts a new one. Other processes may deny it from memory for ten seconds more.
   *
   * @returns true if the window was running
   * @throws {SvcError} without an answer, whatever `onNoAnswer` says
   */
  reset(window: WindowName): Promise<boolean>;
}

/** The part of a check that names its window. */
export type WindowName = Pick<Check, 'namespace' | 'identifier' | 'window'>;

const REMEMBERED_MAX = 10_000;
/** A window that is remembered as denied may be reset meanwhile. */
const REMEMBERED_MS = 10_000;

/**
 * Makes a limiter. Make it once and use it for all requests: it keeps the denials and shares connections.
 *
 * @throws {TypeError} if an option is missing or wrong
 */
export function limiter(options: LimiterOptions): Limiter {
  const { onNoAnswer, onDecision, rememberedDenials = REMEMBERED_MAX } = options;
  if (!['allow', 'deny', 'throw'].includes(onNoAnswer)) {
    throw new TypeError("onNoAnswer has to be 'allow', 'deny' or 'throw'.");
  }
  const denials = new Denials(wholeNumber('rememberedDenials', rememberedDenials, 0), REMEMBERED_MS);
  const service = asking(options);
  const { ask } = service;
  const askGathered = gatheredChecks(service);
  const warn = warning();

  /** Returns the denial that is known without a request, or null. */
  function recall(check: Check): Part | null {
    const { limit, cost = 1 } = check;
    const known = cost > 0 ? denials.find(nameOf(check), limit, cost) : null;
    if (known === null) return null;
    const { used, resetAt, leftMs } = known;
    const retryAfterMs = cost > limit ? null : Math.ceil(leftMs);
    return { source: 'memory', allowed: false, remaining: Math.max(0, limit - used), resetAt, retryAfterMs };
  }

  /** Reads the verdict about a check, and remembers a denial. @throws {SvcError} if it is none */
  function learn(check: Check, data: unknown, sentAt: Instant): Part {
    const verdict = verdictOf(data);
    const { allowed, remaining, resetAt, retryAfterMs } = verdict;
    if (!allowed && retryAfterMs !== null) {
      denials.add(nameOf(check), { used: check.limit - remaining, resetAt }, sentAt, retryAfterMs);
    }
    return verdict;
  }

  function tell<Told extends Decision>(decision: Told, begunAt: number): Told {
    try {
      if (onDecision) onDecision(decision, performance.now() - begunAt);
      else if (decision.error) warn(decision.allowed, decision.error);
    } catch {
      // A fault of the metrics changes no decision.
    }
    return decision;
  }

  /** Asks about one limit, together with the other checks of this moment. */
  async function check(asked: Check): Promise<Decision> {
    const begunAt = performance.now();
    let part = recall(asked);
    try {
      if (part === null) {
        const { data, sentAt } = await askGathered(asked);
        part = learn(asked, data, sentAt);
      }
    } catch (error) {
      part = without(error, onNoAnswer);
    }
    return tell(decisionOf(asked, part), begunAt);
  }

  /** Asks about all limits at once, unless one of them is known to deny. */
  async function partsOf(checks: readonly Check[]): Promise<readonly (Part | null)[]> {
    const known = checks.map(recall);
    if (known.some((part) => part !== null)) return known;
    try {
      return await ask(asOne('/v1/checks', { checks }), (data, sentAt) => {
        const verdicts: unknown = Object(data).checks;
        if (!Array.isArray(verdicts) || verdicts.length !== checks.length) throw foreign();
        return checks.map((each, index) => learn(each, verdicts[index], sentAt));
      });
    } catch (error) {
      const decided = without(error, onNoAnswer);
      return checks.map(() => decided);
    }
  }

  async function checkAll(asked: readonly Check[]): Promise<Decisions> {
    const begunAt = performance.now();
    const parts = await partsOf(asked);
    const checks = asked.map((each, index) => decisionOf(each, parts[index] ?? NOT_ASKED));
    const strictest = checks.reduce((one, other) => (strictness(other) > strictness(one) ? other : one));
    return { ...tell(strictest, begunAt), checks };
  }

  async function reset({ namespace, identifier, window }: WindowName): Promise<boolean> {
    const named = { namespace, identifier, window };
    const isEnded = await ask(asOne('/v1/checks/reset', named), (data) => {
      const { ended } = Object(data);
      if (typeof ended !== 'boolean') throw foreign();
      return ended;
    });
    denials.delete(nameOf(named));
    return isEnded;
  }

  return { check, checkAll, peek: (asked) => check({ ...asked, cost: 0 }), reset };
}

function asOne(path: string, body: object) {
  return { path, body: () => body, idempotencyKey: crypto.randomUUID() };
}

/** The part of a decision that does not repeat the check. */
type Part = Partial<Decision>;

/** The decision about a limit that was not asked, because another one is known to deny. */
const NOT_ASKED: Part = { source: 'memory' };

function decisionOf({ namespace, identifier, limit, window }: Check, part: Part): Decision {
  return {
    allowed: true,
    source: 'service',
    namespace,
    identifier,
    limit,
    window,
    remaining: null,
    resetAt: null,
    retryAfterMs: null,
    error: null,
    ...part,
  };
}

function nameOf({ namespace, identifier, window }: WindowName): string {
  return `${window} ${namespace.length} ${namespace}${identifier}`;
}

/** Denials come before what is allowed, longer ones before shorter ones, and less that is left before more. */
function strictness({ allowed, remaining, retryAfterMs }: Decision): number {
  return allowed ? -1 - (remaining ?? Number.MAX_VALUE) : (retryAfterMs ?? Number.MAX_VALUE);
}

interface Verdict {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAt: number;
  readonly retryAfterMs: number | null;
}

/** Reads what an answer says about one limit. @throws {SvcError} if it says nothing of the kind */
function verdictOf(data: unknown): Verdict {
  const { allowed, remaining, reset_at: resetAt, retry_after_ms: retryAfterMs = null } = Object(data);
  const isVerdict =
    typeof allowed === 'boolean' && [remaining, resetAt, retryAfterMs ?? 0].every(Number.isFinite);
  if (!isVerdict) throw foreign();
  return { allowed, remaining, resetAt, retryAfterMs };
}
