import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  CHECK,
  check,
  checkEach,
  engine,
  gateway,
  KEYS,
  keyIdOf,
  post,
  refusal,
  serveChecks,
  state,
  used,
} from '../../infra/testing/check-gateway.fixture.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import { CHECK_EACH_MAX } from '../../topics/ports/limiter.ts';

serveChecks({ windows: 40, livePerMinute: 400, testPerMinute: 400, testPerMonth: 400 });

const A = { identifier: 'a' };
const B = { identifier: 'b' };

describe('POST /v1/checks/each', () => {
  it('answers each with the documented fields and no others, in order', async () => {
    const answer = await checkEach([{ ...B, limit: 9, cost: 2 }, A, { ...A, limit: 1 }]);
    expect(answer.status).toBe(200);
    const shared = { reset_at: engine.clock.now() + CHECK.window, namespace: 'api' };
    expect(answer.body).toEqual({
      data: {
        checks: [
          { allowed: true, remaining: 7, limit: 9, identifier: 'b', ...shared },
          { allowed: true, remaining: 4, limit: 5, identifier: 'a', ...shared },
          {
            allowed: false,
            remaining: 0,
            limit: 1,
            identifier: 'a',
            ...shared,
            retry_after_ms: CHECK.window,
          },
        ],
      },
    });
    expect(answer.headers.ratelimit).toBe('"minute";r=397;t=50');
  });

  it('refuses a wrong entry in its place as /v1/check refuses it, and decides the others', async () => {
    const wrong = [
      { ...CHECK, limit: 0 },
      { ...CHECK, identifier: undefined },
      { ...CHECK, window: '60000' },
      { ...CHECK, identifier: 'x'.repeat(257) },
      7,
      null,
      [CHECK],
    ];
    const answer = await post(
      '/v1/checks/each',
      JSON.stringify({ checks: wrong.flatMap((each) => [each, CHECK]) }),
    );
    const { checks } = answer.body.data;
    for (const [index, each] of wrong.entries()) {
      const { message, code } = (await check({ body: JSON.stringify(each) })).body.error;
      expect(checks[2 * index]).toEqual({ error: { code, message } });
    }
    const remaining = wrong.map((_, index) => checks[2 * index + 1].remaining);
    expect(remaining).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(answer.headers.ratelimit).toBe('"minute";r=393;t=50');
  });

  it.each([
    ['a NUL', '{"namespace":"api","identifier":"a\\u0000","limit":5,"window":60000}'],
    ['half of a surrogate pair', '{"namespace":"api","identifier":"\\ud800","limit":5,"window":60000}'],
    ['a member twice', '{"namespace":"api","identifier":"a, [","limit":5,"limit":6,"window":60000}'],
    ['a member named __proto__', `{"__proto__":{},${JSON.stringify(CHECK).slice(1)}`],
    ['too many levels', `${'['.repeat(40)}${']'.repeat(40)}`],
  ])('refuses %s in its place', async (_, wrong) => {
    const entries = [JSON.stringify({ ...CHECK, ...A }), wrong, JSON.stringify({ ...CHECK, ...B })];
    const { status, body } = await post('/v1/checks/each', `{"checks": [${entries.join(' , ')}]}`);
    expect(status).toBe(200);
    const { message, code } = (await check({ body: wrong })).body.error;
    expect(body.data.checks).toMatchObject([
      { remaining: 4 },
      { error: { code, message } },
      { remaining: 4 },
    ]);
  });

  it('tells the quotas also where no entry is right', async () => {
    const { body, headers } = await post('/v1/checks/each', '{"checks":[{}]}');
    expect(body.data.checks).toMatchObject([{ error: { code: 'bad_request' } }]);
    expect(headers.ratelimit).toBe('"minute";r=400;t=50');
  });

  it('refuses what the quotas have no room for in its place, with the time to wait', async () => {
    state.monthUse = 398;
    const headers = { authorization: `Bearer ${KEYS.test}` };
    const answer = await checkEach([A, A, A, { ...A, cost: 0 }, B], headers);
    const { checks } = answer.body.data;
    const refused = { error: { code: 'rate_limited', message: expect.stringContaining('request.rate') } };
    expect(checks).toMatchObject([{ remaining: 4 }, { remaining: 3 }, refused, { remaining: 3 }, refused]);
    expect(checks[2].retry_after_ms).toBe(Date.UTC(2027, 1) - engine.clock.now());
    expect(answer.headers.ratelimit).toMatch(/^"month";r=0;t=/);
    const many = await checkEach(Array.from({ length: 42 }, (_, index) => ({ identifier: `user ${index}` })));
    const codes = many.body.data.checks.map((each: { error?: { code: string } }) => each.error?.code);
    // One window is there already.
    expect(codes.slice(38)).toEqual([undefined, 'limit_reached', 'limit_reached', 'limit_reached']);
    const full = Array.from({ length: 250 }, () => ({ identifier: 'user 0' }));
    const [beyond, more] = [await checkEach(full), await checkEach(full)];
    expect(beyond.body.data.checks.at(-1)).toMatchObject({ allowed: false });
    expect(more.body.data.checks.at(-1)).toMatchObject({ ...refused, retry_after_ms: 50_000 });
    expect(more.headers.ratelimit).toBe('"minute";r=0;t=50');
  });

  it('has a key of each entry, which is that of /v1/check', async () => {
    const keyed = [
      { ...A, idempotencyKey: 'a' },
      { ...A, cost: 2, idempotencyKey: 'b' },
      { ...A, idempotencyKey: 'c' },
    ];
    const first = await checkEach(keyed);
    expect((await checkEach(keyed)).body).toEqual(first.body);
    const part = await checkEach([B, ...keyed.slice(1)]);
    expect(part.body.data.checks.slice(1)).toEqual(first.body.data.checks.slice(1));
    const alone = await check({ json: A, headers: { 'idempotency-key': 'c' } });
    expect(alone.body.data).toEqual(first.body.data.checks[2]);
    expect(await used(A)).toBe(4);
    const other = await checkEach([{ ...A, cost: 2, idempotencyKey: 'a' }, { ...B, idempotencyKey: 'ü' }, B]);
    expect(other.body.data.checks).toMatchObject([
      { error: { code: 'idempotency_conflict', message: expect.stringContaining('body.idempotencyKey') } },
      { error: { code: 'bad_request' } },
      { remaining: 3 },
    ]);
  });

  it.each([
    ['no entry', '{"checks":[]}'],
    ['251 entries', JSON.stringify({ checks: Array.from({ length: 251 }, () => 0) })],
    ['no list', JSON.stringify(CHECK)],
    ['a member that is not known', '{"checks":[{}],"more":1}'],
    ['two lists', '{"checks":[{}],"checks":[{}]}'],
    ['no JSON', '{"checks":[}'],
  ])('is answered with 400 and charged nowhere: %s', async (_, body) => {
    expect(refusal(await post('/v1/checks/each', body))).toEqual([400, 'bad_request']);
  });

  it('puts 401 and 402 before everything, and answers 500 without an answer of the limiter', async () => {
    expect(refusal(await post('/v1/checks/each', '{', { authorization: 'Bearer x' }))).toEqual([
      401,
      'unauthorized',
    ]);
    state.status = 'payment-required';
    for (const body of ['{', '{"checks":[{}]}', JSON.stringify({ checks: [CHECK] })]) {
      expect(refusal(await post('/v1/checks/each', body))).toEqual([402, 'payment_required']);
    }
    vi.spyOn(engine.limiter, 'checkEach').mockRejectedValue(new EngineUnavailableError('rate limiter'));
    expect(refusal(await checkEach([A]))).toEqual([500, 'internal_error']);
    vi.spyOn(engine.limiter, 'checkEach').mockResolvedValue({ kind: 'share-full' });
    expect(refusal(await checkEach([A]))).toEqual([429, 'rate_limited']);
  });

  it('says in its place what happened after others were decided', async () => {
    const decide = engine.limiter.checkEach.bind(engine.limiter);
    const spy = vi.spyOn(engine.limiter, 'checkEach').mockImplementation(async (key, calls) => {
      if (spy.mock.calls.length === 2) throw new EngineUnavailableError('rate limiter');
      return spy.mock.calls.length === 3 ? { kind: 'share-full' } : await decide(key, calls);
    });
    await used();
    spy.mockClear();
    const entries = Array.from({ length: 2 * CHECK_EACH_MAX + 1 }, () => ({ ...A, limit: 1_000 }));
    const { status, body, headers } = await checkEach(entries);
    expect(status).toBe(200);
    const { checks } = body.data;
    expect(checks[CHECK_EACH_MAX - 1]).toMatchObject({ remaining: 1_000 - CHECK_EACH_MAX });
    expect(checks[CHECK_EACH_MAX]).toEqual({
      error: { code: 'internal_error', message: 'The limiter did not answer in time.' },
    });
    expect(checks.at(-1)).toMatchObject({ error: { code: 'rate_limited' }, retry_after_ms: 1_000 });
    expect(headers.ratelimit).toBe(`"minute";r=${399 - CHECK_EACH_MAX};t=50`);
  });

  it('leaves one line in the log, without key, namespace and identifier', async () => {
    await checkEach([{ namespace: 'private-1', identifier: 'private-2' }, { identifier: 3 }]);
    await vi.waitFor(() => expect(gateway.lines.length).toBeGreaterThanOrEqual(1));
    expect(gateway.lines.join('')).not.toMatch(/private|svc_limiter/);
    expect(JSON.parse(gateway.lines[0] ?? '')).toMatchObject({ route: 'checkEach', caller: keyIdOf('live') });
  });

  it('gives the answers of the same entries alone, however they are put together', async () => {
    const entry = fc.record(
      {
        identifier: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<unknown>('', 7)),
        limit: fc.constantFrom<unknown>(1, 2, 5, 0, 1.5),
        cost: fc.constantFrom<unknown>(0, 1, 2, -1),
        idempotencyKey: fc.constantFrom('x', 'y'),
      },
      { requiredKeys: ['identifier', 'limit'] },
    );
    const batches = fc.array(fc.array(entry, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
    let runs = 0;
    const property = async (drawn: readonly (readonly Entry[])[]) => {
      runs += 1;
      // Neither the minute nor the windows of earlier runs count.
      engine.clock.advance(120_000);
      const alone: object[] = [];
      for (const each of drawn.flat()) alone.push(await answerAlone(named('alone', runs, each)));
      const together: object[] = [];
      for (const batch of drawn) {
        const { body } = await checkEach(batch.map((each) => named('together', runs, each)));
        together.push(...body.data.checks.map(withCodeAlone));
      }
      expect(together).toEqual(
        alone.map((each) => ('namespace' in each ? { ...each, namespace: `together ${runs}` } : each)),
      );
    };
    await fc.assert(fc.asyncProperty(batches, property), { numRuns: 40 });
  });
});

interface Entry {
  readonly identifier: unknown;
  readonly limit: unknown;
  readonly cost?: unknown;
  readonly idempotencyKey?: string;
}

/** The entry in a namespace of this run, with a key that no other run has. */
function named(kind: string, run: number, { idempotencyKey, ...each }: Entry) {
  const namespace = `${kind} ${run}`;
  const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${namespace} ${idempotencyKey}` };
  return { ...CHECK, ...each, namespace, ...key };
}

async function answerAlone({ idempotencyKey, ...json }: ReturnType<typeof named>): Promise<object> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const { body } = await check({ json, headers });
  return body.data ?? { error: body.error.code };
}

function withCodeAlone(entry: { readonly error?: { readonly code: string } }): object {
  return entry.error === undefined ? entry : { error: entry.error.code };
}
