import { type Fault, type Refusal, refusal, ServiceError } from '../../schemas/base/errors.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { SECOND_MS } from '../../schemas/base/time.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import { EngineFullError, EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { CheckResult, ChecksResult } from '../../topics/ports/limiter.ts';
import { unauthorized } from '../http/callers/bearer.ts';
import { failureAnswer } from '../http/failures.ts';
import type { DirectAnswer, DirectExchange } from '../http/routing/route.ts';
import type { GatewayServices } from '../services.ts';
import type { Checker, EachDecision, Refused } from './checker.ts';
import { limiterPrincipal } from './limiter-principal.ts';
import { quotaHeaders } from './quota-headers.ts';

/** `Retry-After` while the limiter is full: windows of one minute have ended by then. */
const FULL_RETRY_SECONDS = 60;

type Answered = Extract<CheckResult | ChecksResult, { kind: 'answered' }> | EachDecision;

/** The parts of a route: it reads what it is asked, decides it, and tells what was decided. */
interface Deciding<Asked, Told extends Answered> {
  /** @throws {ServiceError} `bad_request` for every fault of the body */
  readonly read: (exchange: DirectExchange, bytesMax: number) => Promise<Asked>;
  readonly decide: (checker: Checker, key: ApiKeyTarget, asked: Asked) => Promise<Told | Refused>;
  readonly tell: (asked: Asked, told: NoInfer<Told>, services: GatewayServices) => JsonObject;
  /** The bound of the body; that of every JSON body by default. */
  readonly limit?: 'jsonBytes' | 'configurationBytes';
}

/**
 * Makes the answer of a route in the order of all routes: key, subscription, body. If the body is invalid, only the status of
 * the key is read, because 401 and 402 precede 400.
 */
export function answerDirectly<Asked, Told extends Answered>({
  read,
  decide,
  tell,
  limit = 'jsonBytes',
}: Deciding<Asked, Told>) {
  return async (exchange: DirectExchange, services: GatewayServices): Promise<DirectAnswer> => {
    const { checker, limits, hosts } = services;
    try {
      const principal = await limiterPrincipal(exchange.request, services, exchange.addressKey);
      if (principal === null) throw unauthorized('limiter', exchange.request);
      exchange.accepted(principal);
      exchange.principal = 'limiter';
      exchange.caller = principal.id;
      const asked = await read(exchange, limits.http[limit]).catch(async (error) => {
        await checker.requireUsable(principal.key);
        throw error;
      });
      const decision = await decide(checker, principal.key, asked);
      if (decision.kind === 'quota-exceeded' || decision.kind === 'windows-exhausted') {
        const { headers, ...answer } = failureAnswer(
          refusalOf(decision, checker.windowsMax),
          exchange.requestId,
          hosts,
        );
        return { ...answer, headers: { ...headers, ...quotaHeaders(decision) } };
      }
      return {
        status: 200,
        headers: quotaHeaders(decision),
        body: { data: tell(asked, decision, services) },
      };
    } catch (error) {
      throw failureOf(error);
    }
  };
}

/** Without a count there is no answer: the caller has to decide (infra/docs/rate-limits.md#without-an-answer). */
export function failureOf(error: unknown): unknown {
  if (error instanceof EngineFullError) return new ServiceError(noRoom());
  if (error instanceof EngineUnavailableError) {
    const refused = refusal('internal_error', 'The limiter did not answer in time.');
    return new ServiceError(refused, { cause: error });
  }
  return error;
}

export function noRoom(): Refusal {
  return refusal('unavailable', 'The rate limiter has no room to count this check.', FULL_RETRY_SECONDS);
}

/** A quota of the key or the account is used up. The identifier's window was not touched. */
export function refusalOf(decision: Refused, windowsMax: number): Refusal {
  const wait = Math.max(1, Math.ceil(decision.retryAfterMs / SECOND_MS));
  if (decision.kind === 'windows-exhausted') {
    const fault: Fault = {
      at: 'organization.windows',
      seen: `${windowsMax} windows that have not ended`,
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
