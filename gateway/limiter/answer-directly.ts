import { type Fault, type Refusal, refusal, ServiceError, serviceError } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import { EngineFullError, EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { CheckResult, ChecksResult } from '../../topics/ports/limiter.ts';
import { unauthorized } from '../http/callers/bearer.ts';
import { failureAnswer } from '../http/failures.ts';
import type { DirectAnswer, DirectExchange } from '../http/routing/route.ts';
import type { GatewayServices, Hosts } from '../services.ts';
import type { Checker, Refused } from './checker.ts';
import { limiterPrincipal } from './limiter-principal.ts';
import { quotaHeaders } from './quota-headers.ts';

/** `Retry-After` while the limiter is full: windows of one minute have ended by then. */
const FULL_RETRY_SECONDS = 60;

type Answered = Extract<CheckResult | ChecksResult, { kind: 'answered' }>;

/** The parts of a route: it reads what it is asked, decides it, and tells what was decided. */
interface Deciding<Asked, Told extends Answered> {
  /** @throws {ServiceError} `bad_request` for every fault of the body */
  readonly read: (exchange: DirectExchange, bytesMax: number) => Promise<Asked>;
  readonly decide: (checker: Checker, key: ApiKeyTarget, asked: Asked) => Promise<Told | Refused>;
  readonly tell: (asked: Asked, told: NoInfer<Told>) => JsonObject;
}

/**
 * Makes the answer of a route in the order of all routes: key, subscription, body. If the body is invalid, only the status of
 * the key is read, because 401 and 402 precede 400.
 */
export function answerDirectly<Asked, Told extends Answered>({ read, decide, tell }: Deciding<Asked, Told>) {
  return async (exchange: DirectExchange, services: GatewayServices): Promise<DirectAnswer> => {
    const { checker, limits, hosts } = services;
    try {
      const principal = await limiterPrincipal(exchange.request, services, exchange.addressKey);
      if (principal === null) throw unauthorized('limiter', exchange.request);
      exchange.accepted(principal);
      exchange.principal = 'limiter';
      exchange.caller = principal.id;
      const asked = await read(exchange, limits.http.jsonBytes).catch(async (error) => {
        await checker.requireUsable(principal.key);
        throw error;
      });
      const decision = await decide(checker, principal.key, asked);
      if (decision.kind !== 'answered') return refusedByQuota(decision, exchange.requestId, hosts);
      return { status: 200, headers: quotaHeaders(decision), body: { data: tell(asked, decision) } };
    } catch (error) {
      throw failureOf(error);
    }
  };
}

/** Without a count there is no answer: the caller has to decide (infra/docs/rate-limits.md#without-an-answer). */
function failureOf(error: unknown): unknown {
  if (error instanceof EngineFullError) {
    return serviceError(
      'unavailable',
      'The rate limiter has no room to count this check.',
      FULL_RETRY_SECONDS,
    );
  }
  if (error instanceof EngineUnavailableError) {
    const refused = refusal('internal_error', 'The limiter did not answer in time.');
    return new ServiceError(refused, { cause: error });
  }
  return error;
}

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
    throw new Error(`refusing a check by a quota of the ${scope} that the key does not have`);
  const period = scope === 'minute' ? 'minute' : 'calendar month (UTC)';
  const fault: Fault = {
    at: 'request.rate',
    seen: `more than ${limit} checks of this key in a ${period}`,
    expected: `at most ${limit} checks`,
  };
  return refusal('rate_limited', fault, wait);
}
