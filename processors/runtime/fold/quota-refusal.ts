import { type Fault, type Refusal, refusal } from '../../../schemas/base/errors.ts';
import type { Quota } from '../../../schemas/base/quota.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';

/**
 * Returns the refusal of one more unit of a used-up quota, or null while there is one left. It names the time to wait only where
 * waiting helps.
 *
 * @param now Unix milliseconds
 */
export function quotaRefusal(at: Fault['at'], quota: Quota, now: number): Refusal | null {
  const { limit, used, remaining, resetsAt } = quota;
  if (remaining > 0) return null;
  const seen = `${used} of ${limit} used`;
  if (resetsAt === null) {
    return refusal('limit_reached', {
      at,
      seen,
      expected: `a free one; the plan allows ${limit} in total`,
    });
  }
  const seconds = Math.ceil((resetsAt - now) / SECOND_MS);
  const expected = `a free one; the plan allows ${limit} a calendar month (UTC)`;
  return refusal('limit_reached', { at, seen, expected }, seconds);
}
