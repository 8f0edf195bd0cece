import { type Fault, serviceError } from '../../../schemas/base/errors.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import type { GatewayServices } from '../../services.ts';

/** At most `limit` attempts in `windowMs`. */
export interface ThrottleRule {
  /** Names the counter. Whom it counts is in it as an HMAC only. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Counts one attempt against every rule. If one rule denies it, the attempt counts against none.
 *
 * @returns a function that takes the attempt back. If the counters are down by then, it stays counted until its
 *   window ends.
 * @throws {ServiceError} `rate_limited` with the seconds until the window ends; the message is that of `fault`
 * @throws {EngineUnavailableError} while the counters are down: an attempt that cannot be counted is not admitted
 */
export async function throttle(
  { counters, clock }: Pick<GatewayServices, 'counters' | 'clock'>,
  rules: readonly ThrottleRule[],
  fault: Fault,
): Promise<() => Promise<void>> {
  const counted: (ThrottleRule & { readonly resetAt: number })[] = [];
  const giveBack = async (): Promise<void> => {
    await Promise.allSettled(
      counted.map(({ key, windowMs, resetAt }) => counters.giveBack(key, windowMs, resetAt)),
    );
  };
  for (const rule of rules) {
    const taken = await counters.take(rule.key, rule.limit, rule.windowMs);
    if (!taken.allowed) {
      await giveBack();
      const seconds = Math.max(1, Math.ceil((taken.resetAt - clock.now()) / SECOND_MS));
      throw serviceError('rate_limited', fault, seconds);
    }
    counted.push({ ...rule, resetAt: taken.resetAt });
  }
  return giveBack;
}
