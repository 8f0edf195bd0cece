import { serviceError } from '../schemas/base/errors.ts';
import { SECOND_MS } from '../schemas/base/time.ts';
import type { GatewayServices } from './services.ts';

/** At most `limit` attempts in `windowMs`. */
export interface ThrottleRule {
  /** Names the counter. Whom it counts is in it as an HMAC only. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Counts one attempt against every rule, until one of them denies it.
 *
 * @throws {ServiceError} `rate_limited` with the seconds until the window ends; the message is `message`.
 * @throws {EngineUnavailableError} while the counters are down: what cannot be counted is not admitted.
 */
export async function throttle(
  { counters, clock }: Pick<GatewayServices, 'counters' | 'clock'>,
  rules: readonly ThrottleRule[],
  message: string,
): Promise<void> {
  for (const { key, limit, windowMs } of rules) {
    const taken = await counters.take(key, limit, windowMs);
    if (taken.allowed) continue;
    const seconds = Math.max(1, Math.ceil((taken.resetAt - clock.now()) / SECOND_MS));
    throw serviceError('rate_limited', message, seconds);
  }
}
