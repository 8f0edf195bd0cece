import { type Fault, type Refusal, refusal, ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { MINUTE_MS, SECOND_MS, startOfUtcMonthBefore } from '../../schemas/base/time.ts';
import { checkAnswerSchema, checkRequestSchema } from '../../schemas/limiter/http.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import { EngineFullError, EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { KeyQuota } from '../../topics/ports/limiter.ts';
import { unauthorized } from '../http/bearer.ts';
import { failureAnswer } from '../http/failures.ts';
import { type DirectAnswer, type DirectExchange, defineRoute } from '../http/route.ts';
import type { GatewayServices, Hosts } from '../services.ts';
import type { AskedCheck, Decision } from './checker.ts';
import { limiterPrincipal } from './limiter-principal.ts';
import { readCheck } from './read-check.ts';

/** An exhausted limit is an answer, not an error. */
export const checkRoute = defineRoute({
  name: 'check',
  summary: 'Check and count one request against a limit',
  description:
    'Counts one request against the limit that the body names, and returns whether to allow it. A window begins with the first request that it allows. The headers `RateLimit-Policy` and `RateLimit` are about the quota of the key itself.',
  method: 'POST',
  path: '/v1/check',
  host: 'limiter',
  principal: 'limiter',
  rate: 'none',
  body: { kind: 'json', schema: checkRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  quotaHeaders: true,
  success: { status: 200, schema: checkAnswerSchema, description: 'Whether it is allowed, and what is left' },
  errors: [
    'bad_request',
    'unauthorized',
    'payment_required',
    'idempotency_conflict',
    'rate_limited',
    'limit_reached',
    'internal_error',
    'unavailable',
  ],
  direct: answerCheck,
});

/** `Retry-After` while the limiter is full: windows of one minute have ended by then. */
const FULL_RETRY_SECONDS = 60;

/**
 * Answers a check in the order of all routes: key, subscription, body. If the body is invalid, only the status of the key is
 * read, because 401 and 402 precede 400.
 */
async function answerCheck(exchange: DirectExchange, services: GatewayServices): Promise<DirectAnswer> {
  try {
    const principal = await limiterPrincipal(exchange.request, services, exchange.addressKey);
    if (principal === null) throw unauthorized('limiter', exchange.request);
    exchange.principal = 'limiter';
    exchange.caller = principal.id;
    const asked = await readOrRefuse(exchange, principal.key, services);
    const decision = await services.checker.check(principal.key, asked);
    if (decision.kind === 'answered') return checked(asked, decision);
    return refusedByQuota(decision, exchange.requestId, services.hosts);
  } catch (error) {
    // Without a count there is no answer: the caller has to decide (infra/docs/rate-limits.md#without-an-answer).
    if (error instanceof EngineFullError) {
      throw serviceError(
        'unavailable',
        'The rate limiter has no room to count this check.',
        FULL_RETRY_SECONDS,
      );
    }
    if (error instanceof EngineUnavailableError) {
      throw new ServiceError(refusal('internal_error', 'The limiter did not answer in time.'), {
        cause: error,
      });
    }
    throw error;
  }
}

async function readOrRefuse(
  exchange: DirectExchange,
  key: ApiKeyTarget,
  { checker, limits }: GatewayServices,
): Promise<AskedCheck> {
  try {
    return await readCheck(exchange, limits.http.jsonBytes);
  } catch (error) {
    await checker.requireUsable(key);
    throw error;
  }
}

function checked(
  { namespace, identifier, limit, cost }: AskedCheck,
  decision: Extract<Decision, { kind: 'answered' }>,
): DirectAnswer {
  const { allowed, remaining, resetAt, retryAfterMs } = decision;
  const data = { allowed, remaining, limit, reset_at: resetAt, namespace, identifier };
  // A cost beyond the limit fits into no window, however long the caller waits.
  const waitingHelps = !allowed && cost <= limit;
  return {
    status: 200,
    headers: quotaHeaders(decision),
    body: { data: waitingHelps ? { ...data, retry_after_ms: retryAfterMs } : data },
  };
}

type Refused = Exclude<Decision, { kind: 'answered' }>;

/** 429: a quota of the key or the account is used up. The identifier's window was not touched. */
function refusedByQuota(decision: Refused, requestId: string, hosts: Hosts): DirectAnswer {
  const { headers, ...answer } = failureAnswer(refusalOf(decision), requestId, hosts);
  return { ...answer, headers: { ...headers, ...quotaHeaders(decision) } };
}

function refusalOf(decision: Refused): Refusal {
  const wait = Math.max(1, Math.ceil(decision.retryAfterMs / SECOND_MS));
  if (decision.kind === 'windows-exhausted') {
    const fault: Fault = {
      at: 'organization.windows',
      seen: `${decision.windowsMax} windows that have not ended`,
      expected: 'fewer before this call begins another one',
    };
    return refusal('limit_reached', fault, wait);
  }
  const { scope, quotas } = decision;
  const limit = quotas[scope]?.limit;
  if (limit === undefined)
    throw new Error(`refusing a check by a quota of the ${scope} that the key has not`);
  const period = scope === 'minute' ? 'minute' : 'calendar month (UTC)';
  const fault: Fault = {
    at: 'request.rate',
    seen: `more than ${limit} checks of this key in a ${period}`,
    expected: `at most ${limit} checks`,
  };
  return refusal('rate_limited', fault, wait);
}

/**
 * The key's quotas as draft-ietf-httpapi-ratelimit-headers writes them (lists of RFC 9651): what is left, and the seconds
 * until minute or month end, rounded up. The quota with less left stands first; of two with the same, the longer one.
 */
function quotaHeaders({ quotas: { minute, month }, now }: Decision): Record<string, string> {
  const ofMinute = headersOf('minute', minute, MINUTE_MS, now);
  if (month === null) return ofMinute;
  const monthMs = month.resetAt - startOfUtcMonthBefore(month.resetAt);
  const ofMonth = headersOf('month', month, monthMs, now);
  return month.remaining <= minute.remaining ? joined(ofMonth, ofMinute) : joined(ofMinute, ofMonth);
}

interface QuotaHeaders extends Record<string, string> {
  readonly 'RateLimit-Policy': string;
  readonly RateLimit: string;
}

function headersOf(name: string, quota: KeyQuota, windowMs: number, now: number): QuotaHeaders {
  return {
    'RateLimit-Policy': `"${name}";q=${quota.limit};w=${windowMs / SECOND_MS}`,
    RateLimit: `"${name}";r=${quota.remaining};t=${Math.ceil((quota.resetAt - now) / SECOND_MS)}`,
  };
}

function joined(first: QuotaHeaders, second: QuotaHeaders): QuotaHeaders {
  return {
    'RateLimit-Policy': `${first['RateLimit-Policy']}, ${second['RateLimit-Policy']}`,
    RateLimit: `${first.RateLimit}, ${second.RateLimit}`,
  };
}
