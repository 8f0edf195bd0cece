import { refusal, serviceError } from '../../schemas/base/errors.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import { checkAnswerSchema, checkRequestSchema } from '../../schemas/limiter/http.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { failureAnswer } from '../failures.ts';
import { type DirectAnswer, type DirectExchange, defineRoute, type LimiterPrincipal } from '../route.ts';
import type { GatewayServices } from '../services.ts';
import { type AskedCheck, type Decision, unauthorized } from './checker.ts';
import { limiterPrincipal } from './limiter-principal.ts';
import { readCheck } from './read-check.ts';

const MINUTE_SECONDS = 60;

/** POST `/v1/check`: counts one request and says whether it is allowed. An exhausted limit is an answer, not an error. */
export const checkRoute = defineRoute({
  name: 'check',
  summary: 'Check and count one request against a limit',
  method: 'POST',
  path: '/v1/check',
  host: 'limiter',
  principal: 'limiter',
  rate: 'none',
  body: { kind: 'json', schema: checkRequestSchema, limit: 'jsonBytes' },
  idempotencyHeader: true,
  success: { status: 200, schema: checkAnswerSchema, description: 'Whether it is allowed, and what is left' },
  errors: [
    'bad_request',
    'unauthorized',
    'payment_required',
    'idempotency_conflict',
    'rate_limited',
    'internal_error',
  ],
  direct: answerCheck,
});

/**
 * In the order of all routes: key, subscription, body. So the limiter, which knows the key's standing, is asked for it alone
 * when there is something wrong with the body.
 */
async function answerCheck(exchange: DirectExchange, services: GatewayServices): Promise<DirectAnswer> {
  try {
    const principal = await limiterPrincipal(exchange.request, services);
    if (principal === null) throw unauthorized();
    exchange.principal = 'limiter';
    const asked = await readOrRefuse(exchange, principal, services);
    const decision = await services.checker.check(principal, asked);
    return decision.kind === 'answered' ? checked(asked, decision) : overQuota(decision, exchange.requestId);
  } catch (error) {
    // What cannot be counted is not answered; a caller is told to decide by itself (specification 7).
    if (error instanceof EngineUnavailableError) {
      throw serviceError('internal_error', 'The limiter did not answer in time.');
    }
    throw error;
  }
}

async function readOrRefuse(
  exchange: DirectExchange,
  principal: LimiterPrincipal,
  { checker, limits }: GatewayServices,
): Promise<AskedCheck> {
  try {
    return await readCheck(exchange, limits.http.jsonBytes);
  } catch (error) {
    await checker.requireStanding(principal);
    throw error;
  }
}

function checked(
  { namespace, identifier, limit }: AskedCheck,
  decision: Extract<Decision, { kind: 'answered' }>,
): DirectAnswer {
  const { allowed, remaining, resetAt, retryAfterMs } = decision;
  const data = { allowed, remaining, limit, reset_at: resetAt, namespace, identifier };
  return {
    status: 200,
    headers: quotaHeaders(decision),
    body: { data: allowed ? data : { ...data, retry_after_ms: retryAfterMs } },
  };
}

/** 429: the key's own allowance is used up. The identifier's window was not touched. */
function overQuota(decision: Extract<Decision, { kind: 'quota-exceeded' }>, requestId: string): DirectAnswer {
  const { scope, retryAfterMs, minute } = decision;
  const message =
    scope === 'minute'
      ? `Seen more than ${minute.limit} checks of this key in a minute.`
      : 'Seen more checks of this key than are allowed in a calendar month.';
  const refused = refusal('rate_limited', message, Math.max(1, Math.ceil(retryAfterMs / SECOND_MS)));
  const { headers, ...answer } = failureAnswer(refused, requestId);
  return { ...answer, headers: { ...headers, ...quotaHeaders(decision) } };
}

/**
 * The key's quota as draft-ietf-httpapi-ratelimit-headers writes it (lists of RFC 9651): what is left of the minute, and
 * the seconds until it ends, rounded up.
 */
function quotaHeaders({ minute, now }: Decision): Record<string, string> {
  const seconds = Math.ceil((minute.resetAt - now) / SECOND_MS);
  return {
    'RateLimit-Policy': `"minute";q=${minute.limit};w=${MINUTE_SECONDS}`,
    RateLimit: `"minute";r=${minute.remaining};t=${seconds}`,
  };
}
