import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import {
  type AskedCheck,
  CHECK_EACH_MAX,
  type Check,
  type CheckResult,
  type EachAnswered,
  type EachResult,
} from '../../../topics/ports/limiter.ts';
import { timeOf } from './engine.fixture.ts';
import { activate, ask, beginMinute, checkWith, type Opened, pendingOf } from './limiter-probe.fixture.ts';

const RUNS = 60;

/** Describes the tests of independent calls that are decided in one step. */
export function describeEach(opened: Opened): void {
  const askEach = async (check: Check, calls: readonly AskedCheck[]): Promise<EachAnswered> => {
    const answer = await opened().limiter.checkEach(check, calls);
    if (answer.kind === 'each-answered') return answer;
    throw new Error(`expecting results, seen ${JSON.stringify(answer)}`);
  };
  const used = async (window: Check) => (await opened().limiter.readWindow(window))?.used ?? 0;
  const keyed = (call: AskedCheck, key: string): AskedCheck => {
    const { namespace, identifier, limit, windowMs, cost } = call;
    const inputDigest = sha256Hex(JSON.stringify([namespace, identifier, limit, windowMs, cost]));
    return { ...call, idempotency: { digest: sha256Hex(key), inputDigest } };
  };

  const callsOf = (check: Check, drawn: readonly Drawn[]) =>
    drawn.map(({ key, ...entry }): AskedCheck => {
      const asked = { ...check, ...entry, idempotency: null };
      return key === null ? asked : keyed(asked, key);
    });
  /** Makes an active key of a new account, of whose month nothing is used. */
  const keyWith = async (differing: Partial<Check>): Promise<Check> => {
    const check = await activate(opened(), checkWith(differing));
    await opened().limiter.fillMonth({ ...check, month: utcMonth(timeOf(opened())), used: 0 });
    return check;
  };

  describe('independent calls', () => {
    it('are decided one after the other, also in one window', async () => {
      const check = await activate(opened(), checkWith({ limit: 3 }));
      const other = { ...check, identifier: 'another', limit: 1 };
      const { results, quotas } = await askEach(check, [check, other, { ...check, cost: 2 }, other, check]);
      expect(results).toMatchObject([
        { kind: 'answered', allowed: true, remaining: 2 },
        { kind: 'answered', allowed: true, remaining: 0 },
        { kind: 'answered', allowed: true, remaining: 0 },
        { kind: 'answered', allowed: false, remaining: 0 },
        { kind: 'answered', allowed: false, remaining: 0 },
      ]);
      expect(quotas.minute.remaining).toBe(check.quota.minute - 5);
      expect([await used(check), await used(other)]).toEqual([3, 1]);
      expect(await pendingOf(opened(), check)).toMatchObject([{ allowed: 3, denied: 2, refused: 0 }]);
    });

    it('read the quotas where there is no call, and count nothing', async () => {
      const check = await activate(opened(), checkWith());
      await ask(opened(), check);
      const { results, quotas, now } = await askEach(check, []);
      expect(results).toEqual([]);
      const resetAt = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
      expect(quotas).toEqual({ minute: { limit: 1_000_000, remaining: 999_999, resetAt }, month: null });
    });

    it('are none or all decided by what is known of the key', async () => {
      const check = checkWith({ quota: { minute: 1_000, month: 1_000 } });
      const calls = [check, { ...check, identifier: 'another' }];
      const { limiter } = opened();
      expect(await limiter.checkEach(check, calls)).toMatchObject({ kind: 'status-missing' });
      await activate(opened(), check);
      expect(await limiter.checkEach(check, calls)).toMatchObject({ kind: 'month-missing' });
      await limiter.fillMonth({ ...check, month: utcMonth(timeOf(opened())), used: 0 });
      expect((await askEach(check, calls)).quotas.month?.remaining).toBe(998);
      const { account, keyId } = check;
      await limiter.putKeyStatus({ account, keyId, status: 'payment-required', version: 2 });
      expect(await limiter.checkEach(check, calls)).toEqual({ kind: 'payment-required' });
      await limiter.putKeyStatus({ account, keyId, status: 'revoked', version: 3 });
      expect(await limiter.checkEach(check, calls)).toEqual({ kind: 'revoked' });
      expect(await used(check)).toBe(1);
    });

    it('answer a repeat of the whole, of a part and of one alone, and count once', async () => {
      const check = await activate(opened(), checkWith({ limit: 2 }));
      const calls = ['a', 'b', 'c'].map((key) => keyed(check, key));
      const first = (await askEach(check, calls)).results.map(answerOf);
      expect(first).toMatchObject([{ allowed: true }, { allowed: true }, { allowed: false }]);
      await opened().limiter.endWindow(check);
      expect((await askEach(check, calls)).results.map(answerOf)).toEqual(first);
      expect((await askEach(check, calls.slice(1))).results.map(answerOf)).toEqual(first.slice(1));
      const alone = { ...check, ...calls[2] } as Check;
      expect(answerOf(await opened().limiter.check(alone))).toEqual(first[2]);
      expect(await used(check)).toBe(0);
      const other = keyed({ ...check, cost: 2 }, 'a');
      expect((await askEach(check, [other, { ...check, idempotency: null }])).results).toMatchObject([
        { kind: 'idempotency-conflict' },
        { kind: 'answered', allowed: true },
      ]);
    });

    it(`are ${CHECK_EACH_MAX} at most, beside others of the same key`, async () => {
      const check = await activate(opened(), checkWith({ limit: 250 }));
      const calls = Array.from({ length: CHECK_EACH_MAX }, () => check);
      const answers = await Promise.all([
        askEach(check, calls),
        ask(opened(), check),
        askEach(check, calls),
        askEach(check, calls),
      ]);
      const remaining = [answers[0], answers[2], answers[3]].flatMap(({ results }) => results.map(answerOf));
      expect(remaining.filter(({ allowed }) => allowed)).toHaveLength(249);
      expect(await used(check)).toBe(250);
    });

    it('get the answers of the same calls alone, whatever they are and however they are put together', async () => {
      const call = fc.record({
        identifier: fc.constantFrom('a', 'b', 'c'),
        windowMs: fc.constantFrom(HOUR_MS - 1, DAY_MS),
        limit: fc.integer({ min: 1, max: 8 }),
        cost: fc.integer({ min: 0, max: 4 }),
        key: fc.constantFrom(null, null, 'x', 'y', 'z'),
      });
      const batches = fc.array(fc.array(call, { minLength: 1, maxLength: 12 }), {
        minLength: 1,
        maxLength: 8,
      });
      const ofKey = fc.record({
        month: fc.constantFrom(5, 20, 1_000),
        minute: fc.constantFrom(8, 30, 1_000),
        windowsMax: fc.constantFrom(2, 4, 1_000),
      });
      await fc.assert(
        fc.asyncProperty(batches, ofKey, async (drawn, { month, minute, windowsMax }) => {
          beginMinute(opened());
          const startedAt = timeOf(opened());
          const ofBoth = { quota: { minute, month }, windowsMax };
          const [alone, together] = [await keyWith(ofBoth), await keyWith(ofBoth)];
          const expected: object[] = [];
          for (const asked of callsOf(alone, drawn.flat())) {
            expected.push(answerOf(await opened().limiter.check({ ...alone, ...asked })));
          }
          const seen: object[] = [];
          for (const batch of drawn) {
            const { results } = await askEach(together, callsOf(together, batch));
            seen.push(...results.map(answerOf));
          }
          const isOneMinute = Math.floor(startedAt / MINUTE_MS) === Math.floor(timeOf(opened()) / MINUTE_MS);
          if (isOneMinute) expect(seen).toEqual(expected);
        }),
        { numRuns: RUNS },
      );
    });
  });
}

type Drawn = Pick<AskedCheck, 'identifier' | 'windowMs' | 'limit' | 'cost'> & { readonly key: string | null };

/** The part of a result that does not depend on the time, and not on which of two used-up quotas is cached. */
function answerOf(result: CheckResult | EachResult) {
  const { kind, allowed, remaining } = result as Partial<Record<'kind' | 'allowed' | 'remaining', unknown>>;
  return { kind, allowed, remaining };
}
