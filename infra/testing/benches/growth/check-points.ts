import { randomBytes } from 'node:crypto';
import { ID_BYTES, idFrom } from '../../../../schemas/base/ids.ts';
import { HOUR_MS, utcMonth } from '../../../../schemas/base/time.ts';
import type { Check, Limiter } from '../../../../topics/ports/limiter.ts';
import type { Point } from './point.ts';

const AT_ONCE = 100;
const OUT_OF_REACH = 1_000_000_000;
/** A prime number: its multiples visit the identifiers in an order that no cache foresees. */
const STRIDE = 7_919;

/**
 * The cost of a check without HTTP, each size in a separate account.
 *
 * @param cpuMicroseconds the CPU time that the limiter has used so far, all its processes together
 */
export function checkPoints(
  sizes: readonly number[],
  sample: number,
  limiter: Limiter,
  cpuMicroseconds: () => number,
): Point[] {
  return sizes.map((size) => {
    const check = checkOf(size);
    const run = async (count: number, identifierAt: (n: number) => number): Promise<void> => {
      for (let done = 0; done < count; done += AT_ONCE) {
        // Its status lasts a minute.
        if (done % (AT_ONCE * AT_ONCE) === 0)
          await limiter.putKeyStatus({ ...check, status: 'active', version: 1 });
        const checks = Array.from({ length: Math.min(AT_ONCE, count - done) }, async (_, index) => {
          const result = await limiter.check({
            ...check,
            identifier: `customer-${identifierAt(done + index)}`,
          });
          if (result.kind !== 'answered' || !result.allowed)
            throw new Error(`checking: ${JSON.stringify(result)}`);
        });
        await Promise.all(checks);
      }
    };
    return {
      sort: 'identifiers',
      size,
      async fill() {
        await limiter.putKeyStatus({ ...check, status: 'active', version: 1 });
        await limiter.fillMonth({ ...check, month: utcMonth(Date.now()), used: 0 });
        await run(size, (n) => n);
      },
      async measure() {
        const before = cpuMicroseconds();
        await run(sample, (n) => (n * STRIDE) % size);
        return (cpuMicroseconds() - before) / sample;
      },
    };
  });
}

function checkOf(identifiers: number): Omit<Check, 'identifier'> {
  return {
    account: idFrom('organization', randomBytes(ID_BYTES)),
    keyId: idFrom('key', randomBytes(ID_BYTES)),
    mode: 'test',
    namespace: 'requests',
    limit: OUT_OF_REACH,
    windowMs: HOUR_MS,
    cost: 1,
    windowsMax: identifiers * 2,
    quota: { minute: OUT_OF_REACH, month: OUT_OF_REACH },
    idempotency: null,
  };
}
