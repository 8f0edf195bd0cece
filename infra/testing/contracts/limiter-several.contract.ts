import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcMonth } from '../../../schemas/base/time.ts';
import type { Check, CheckEntry, CheckingKey, ChecksResult } from '../../../topics/ports/limiter.ts';
import { timeOf, unique } from './engine.fixture.ts';
import { activate, ask, checkWith, LimiterModel, type Opened, pendingOf } from './limiter-probe.fixture.ts';

const RUNS = 60;

type Several = Extract<ChecksResult, { kind: 'answered' }>;

/** Describes the tests of calls with several entries. */
export function describeSeveral(opened: Opened): void {
  const askAll = async (key: CheckingKey, entries: readonly CheckEntry[]): Promise<Several> => {
    const result = await opened().limiter.checkAll(key, entries);
    if (result.kind === 'answered') return result;
    throw new Error(`expecting an answer, seen ${JSON.stringify(result)}`);
  };
  const usedOf = async (window: Check) => (await opened().limiter.readWindow(window))?.used ?? 0;
  const pairOf = (check: Check, differing: Partial<CheckEntry> = {}): [Check, Check] => [
    check,
    { ...check, identifier: 'another', ...differing },
  ];

  describe('several entries', () => {
    it('are taken together, each from its own window', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ limit: 5 })), { limit: 9, cost: 4 });
      const before = timeOf(opened());
      const { allowed, entries, quotas, now } = await askAll(check, [check, other]);
      expect(allowed).toBe(true);
      expect(entries).toMatchObject([
        { allowed: true, remaining: 4, retryAfterMs: 0 },
        { allowed: true, remaining: 5, retryAfterMs: 0 },
      ]);
      for (const { resetAt } of entries) expect(resetAt).toBe(now + check.windowMs);
      expect(now).toBeGreaterThanOrEqual(before);
      expect(quotas.minute.remaining).toBe(check.quota.minute - 2);
      expect(await ask(opened(), other)).toMatchObject({ remaining: 1 });
    });

    it('leave every window as it is if one of them does not fit, and say of each what it would be alone', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ limit: 1 })), { limit: 3 });
      const third = { ...check, identifier: 'third', limit: 2, cost: 3 };
      await askAll(check, [check, other]);
      const { allowed, entries, now } = await askAll(check, [other, check, third]);
      expect(allowed).toBe(false);
      expect(entries).toMatchObject([
        { allowed: true, remaining: 2, retryAfterMs: 0 },
        { allowed: false, remaining: 0 },
        { allowed: false, remaining: 2, resetAt: now + third.windowMs },
      ]);
      expect(entries[1]?.retryAfterMs).toBe((entries[1]?.resetAt ?? 0) - now);
      expect([await usedOf(check), await usedOf(other), await usedOf(third)]).toEqual([1, 1, 0]);
    });

    it('mix peeks and costs: a peek takes nothing, and denies the call where nothing is left', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ limit: 2 })));
      const look = { ...other, cost: 0 };
      expect((await askAll(check, [check, look])).entries).toMatchObject([
        { allowed: true, remaining: 1 },
        { allowed: true, remaining: 2 },
      ]);
      await ask(opened(), { ...other, cost: 2 });
      const denied = await askAll(check, [check, look]);
      expect(denied).toMatchObject({ allowed: false, entries: [{ allowed: true }, { allowed: false }] });
      expect(await usedOf(check)).toBe(1);
      const [usage] = await pendingOf(opened(), check);
      // One with a look, one by itself, and one that the look denied.
      expect(usage).toMatchObject({ allowed: 2, denied: 1, refused: 0 });
      const looks = await askAll(check, [{ ...check, cost: 0 }, look]);
      expect(looks.quotas.minute.remaining).toBe(denied.quotas.minute.remaining - 2);
    });

    it('name only the windows that denied, among the most denied', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ limit: 1 })), { limit: 9 });
      await askAll(check, [check, other]);
      await askAll(check, [check, other]);
      const { windows } = await opened().limiter.deniedWindows(check);
      expect(windows).toMatchObject([{ identifier: check.identifier, denied: 1 }]);
    });

    it('fit whole into the month or are refused whole', async () => {
      const quota = { minute: 1_000, month: 10 };
      const [check, other] = pairOf(await activate(opened(), checkWith({ quota, limit: 100 })));
      await opened().limiter.fillMonth({ ...check, month: utcMonth(timeOf(opened())), used: 8 });
      const third = { ...check, identifier: 'third' };
      expect(await opened().limiter.checkAll(check, [check, other, third])).toMatchObject({
        kind: 'quota-exceeded',
        scope: 'month',
        quotas: { month: { remaining: 2 } },
      });
      expect(await usedOf(check)).toBe(0);
      // A peek does not count in the month.
      const { quotas } = await askAll(check, [check, other, { ...third, cost: 0 }]);
      expect(quotas.month?.remaining).toBe(0);
      const [usage] = await pendingOf(opened(), check);
      expect(usage).toMatchObject({ allowed: 2, denied: 0, refused: 3 });
    });

    it('fit whole into the minute or are refused whole', async () => {
      const quota = { minute: 4, month: null };
      const [check, other] = pairOf(await activate(opened(), checkWith({ quota, limit: 100 })));
      const looks = [
        { ...check, identifier: 'third', cost: 0 },
        { ...check, identifier: 'fourth', cost: 0 },
        { ...check, identifier: 'fifth', cost: 0 },
      ];
      // More than a minute has, whenever the minute ends.
      expect(await opened().limiter.checkAll(check, [check, other, ...looks])).toMatchObject({
        kind: 'quota-exceeded',
        scope: 'minute',
      });
      expect(await usedOf(check)).toBe(0);
      expect((await askAll(check, [check, other, ...looks.slice(1)])).allowed).toBe(true);
    });

    it.each([
      ['let through', { limit: 100, minute: 1_000 }, { allowed: 4, denied: 0, refused: 0 }],
      ['denied', { limit: 1, minute: 1_000 }, { allowed: 2, denied: 2, refused: 0 }],
      // Fewer than the entries of one call, whenever the minute ends.
      ['refused', { limit: 100, minute: 2 }, { allowed: 0, denied: 0, refused: 4 }],
    ])(
      'count in month and usage as many calls as have a cost when they are %s',
      async (_outcome, of, counts) => {
        const quota = { minute: of.minute, month: 1_000 };
        const [check, other] = pairOf(await activate(opened(), checkWith({ quota, limit: of.limit })));
        await opened().limiter.fillMonth({ ...check, month: utcMonth(timeOf(opened())), used: 0 });
        const look = { ...check, identifier: 'third', cost: 0 };
        for (let call = 0; call < 2; call += 1) await opened().limiter.checkAll(check, [check, other, look]);
        const usage = await pendingOf(opened(), check);
        const total = (what: keyof typeof counts) => usage.reduce((sum, each) => sum + each[what], 0);
        expect({
          allowed: total('allowed'),
          denied: total('denied'),
          refused: total('refused'),
        }).toEqual(counts);
        const { quotas } = await askAll({ ...check, quota: { minute: 1_000, month: 1_000 } }, [look]);
        expect(quotas.month?.remaining).toBe(1_000 - counts.allowed - counts.denied);
      },
    );

    it('begin all their windows, or none where the account has no room for all', async () => {
      const [check, other] = pairOf(
        await activate(opened(), checkWith({ windowsMax: 2, windowMs: DAY_MS, limit: 9 })),
      );
      await ask(opened(), check);
      const third = { ...check, identifier: 'third' };
      const refused = await opened().limiter.checkAll(check, [check, other, third]);
      expect(refused).toMatchObject({ kind: 'windows-exhausted' });
      expect([await usedOf(check), await usedOf(other)]).toEqual([1, 0]);
      expect((await askAll(check, [check, other])).allowed).toBe(true);
      const [usage] = await pendingOf(opened(), check);
      expect(usage).toMatchObject({ allowed: 3, refused: 3 });
    });

    it('are refused without a time to wait where the account has room for fewer windows at any time', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ windowsMax: 1 })));
      expect(await opened().limiter.checkAll(check, [check, other])).toMatchObject({
        kind: 'windows-exhausted',
        retryAfterMs: 0,
      });
    });

    it('share one Idempotency-Key, also of a denial', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ limit: 1 })), { limit: 5 });
      const keyed = (key: string, input: string) => ({
        ...check,
        idempotency: { digest: sha256Hex(key), inputDigest: sha256Hex(input) },
      });
      const first = await askAll(keyed('a', 'both'), [check, other]);
      const denied = await askAll(keyed('b', 'both'), [check, other]);
      expect([first.allowed, denied.allowed]).toEqual([true, false]);
      await opened().limiter.endWindow(check);
      for (const [key, told] of [
        ['a', first],
        ['b', denied],
      ] as const) {
        const again = await askAll(keyed(key, 'both'), [check, other]);
        const known = told.entries.map(({ allowed, remaining, resetAt }) => ({
          allowed,
          remaining,
          resetAt,
        }));
        expect(again).toMatchObject({ allowed: told.allowed, entries: known });
      }
      expect(await usedOf(other)).toBe(1);
      expect(await opened().limiter.checkAll(keyed('a', 'one'), [check])).toEqual({
        kind: 'idempotency-conflict',
      });
    });

    it('admit exactly what each limit has room for, under parallel calls of several keys', async () => {
      const [check, other] = pairOf(await activate(opened(), checkWith({ limit: 70 })), { limit: 90 });
      const second = await activate(opened(), { ...check, keyId: unique('key') });
      const answers = await Promise.all(
        Array.from({ length: 150 }, (_, index) =>
          // In either order, so that a lock by window would stand still.
          askAll(index % 2 === 0 ? check : second, index % 3 === 0 ? [other, check] : [check, other]),
        ),
      );
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(70);
      expect([await usedOf(check), await usedOf(other)]).toEqual([70, 70]);
    });
  });

  describe('a look and a reset', () => {
    it('tell what stands, and end the window at once', async () => {
      const check = await activate(opened(), checkWith({ limit: 3 }));
      expect(await opened().limiter.readWindow(check)).toBeNull();
      expect(await opened().limiter.endWindow(check)).toBe(false);
      const { resetAt } = await ask(opened(), { ...check, cost: 3 });
      expect(await opened().limiter.readWindow(check)).toEqual({ used: 3, resetAt });
      expect(await ask(opened(), check)).toMatchObject({ allowed: false });
      expect(await opened().limiter.endWindow(check)).toBe(true);
      expect(await opened().limiter.readWindow(check)).toBeNull();
      expect(await opened().limiter.endWindow(check)).toBe(false);
      expect(await ask(opened(), check)).toMatchObject({ allowed: true, remaining: 2 });
    });

    it('are about this window alone', async () => {
      const check = await activate(opened(), checkWith({ limit: 1 }));
      const others: Check[] = [
        { ...check, identifier: 'another' },
        { ...check, namespace: 'another' },
        { ...check, windowMs: check.windowMs + 1 },
        { ...check, mode: 'test' },
        await activate(opened(), checkWith({ limit: 1 })),
      ];
      for (const each of [check, ...others]) await ask(opened(), each);
      await opened().limiter.endWindow(check);
      for (const other of others) expect(await ask(opened(), other)).toMatchObject({ allowed: false });
    });

    it.each([
      ['a minute', MINUTE_MS],
      ['an hour', HOUR_MS],
      ['a day', DAY_MS],
    ])('give the place of a window of %s back', async (_, windowMs) => {
      const check = await activate(opened(), checkWith({ windowsMax: 1, windowMs }));
      const other = { ...check, identifier: 'another' };
      await ask(opened(), check);
      expect(await opened().limiter.check(other)).toMatchObject({ kind: 'windows-exhausted' });
      await opened().limiter.endWindow(check);
      expect(await ask(opened(), other)).toMatchObject({ allowed: true });
      expect(await opened().limiter.check(check)).toMatchObject({ kind: 'windows-exhausted' });
    });

    it('hold over a restart', async ({ skip }) => {
      const engine = opened();
      if (engine.reopen === undefined) return skip();
      const check = await activate(engine, checkWith({ limit: 1, windowMs: HOUR_MS }));
      await ask(engine, check);
      await engine.limiter.endWindow(check);
      await engine.reopen();
      await activate(engine, check);
      expect(await ask(engine, check)).toMatchObject({ allowed: true });
    });
  });

  it('does what the model says, whatever is asked: several entries, one, repeats, looks and resets', async () => {
    const window = {
      identifier: fc.constantFrom('a', 'b', 'c'),
      windowMs: fc.constantFrom(HOUR_MS - 1, DAY_MS),
    };
    const entry = fc.record({
      ...window,
      limit: fc.integer({ min: 1, max: 12 }),
      cost: fc.integer({ min: 0, max: 5 }),
    });
    const entries = fc.uniqueArray(entry, {
      minLength: 1,
      maxLength: 6,
      selector: ({ identifier, windowMs }) => `${identifier} ${windowMs}`,
    });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ entries, key: fc.constantFrom(null, null, 'x', 'y') }) },
      { weight: 1, arbitrary: fc.record({ ended: fc.record(window) }) },
      { weight: 1, arbitrary: fc.record({ read: fc.record(window) }) },
    );
    type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;
    const play = async (check: Check, model: LimiterModel, asked: Step): Promise<void> => {
      const { limiter } = opened();
      if ('ended' in asked) {
        const ended = { ...check, ...asked.ended };
        expect(await limiter.endWindow(ended)).toBe(model.end(ended));
      } else if ('read' in asked) {
        const read = { ...check, ...asked.read };
        expect((await limiter.readWindow(read))?.used ?? 0).toBe(model.usedOf(read));
      } else {
        const given = asked.entries.map((each) => ({ ...each, namespace: check.namespace }));
        const inputDigest = sha256Hex(JSON.stringify(given));
        const idempotency = asked.key === null ? null : { digest: sha256Hex(asked.key), inputDigest };
        const key = { ...check, idempotency };
        expect(await limiter.checkAll(key, given)).toMatchObject(model.take(key, given));
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 50 }), async (steps) => {
        const quota = { minute: 1_000_000, month: 60 };
        const check = await activate(opened(), checkWith({ quota, windowsMax: 4 }));
        await opened().limiter.fillMonth({ ...check, month: utcMonth(timeOf(opened())), used: 0 });
        const model = new LimiterModel(check);
        for (const asked of steps) await play(check, model, asked);
      }),
      { numRuns: RUNS },
    );
  });
}
