import { describe, expect, it, vi } from 'vitest';
import {
  CHECK,
  checkSeveral,
  engine,
  gateway,
  keyIdOf,
  post,
  refusal,
  serveChecks,
  state,
  used,
} from '../../infra/testing/check-gateway.fixture.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';

serveChecks({ windows: 4 });

const A = { identifier: 'a' };
const B = { identifier: 'b' };

describe('POST /v1/checks', () => {
  it('answers with the documented fields and no others, in order', async () => {
    const answer = await checkSeveral([{ ...B, limit: 9, cost: 2 }, A]);
    expect(answer.status).toBe(200);
    const told = { reset_at: engine.clock.now() + CHECK.window, namespace: 'api' };
    const checks = [
      { allowed: true, remaining: 7, limit: 9, identifier: 'b', ...told },
      { allowed: true, remaining: 4, limit: 5, identifier: 'a', ...told },
    ];
    expect(answer.body).toEqual({ data: { allowed: true, checks } });
    // As many calls as there are limits.
    expect(answer.headers.ratelimit).toBe('"minute";r=998;t=50');
  });

  it('denies the whole, and says which limit denies it and when to come again', async () => {
    await checkSeveral([{ ...A, limit: 1 }, B]);
    const { status, body } = await checkSeveral([B, { ...A, limit: 1 }, { identifier: 'c', cost: 6 }]);
    expect(status).toBe(200);
    expect(body.data.allowed).toBe(false);
    const [second, first, third] = body.data.checks;
    expect(second).toMatchObject({ allowed: true, remaining: 4 });
    expect(second).not.toHaveProperty('retry_after_ms');
    expect(first).toMatchObject({ allowed: false, remaining: 0, retry_after_ms: CHECK.window });
    // No waiting helps a cost beyond the limit.
    expect(third).toMatchObject({ allowed: false, remaining: 5 });
    expect(third).not.toHaveProperty('retry_after_ms');
    expect([await used(A), await used(B), await used({ identifier: 'c' })]).toEqual([1, 1, 0]);
  });

  it('has one Idempotency-Key for the whole, apart from those of /v1/check', async () => {
    const headers = { 'idempotency-key': 'sign-in 17' };
    const first = await checkSeveral([A, B], headers);
    expect((await checkSeveral([A, B], headers)).body).toEqual(first.body);
    expect(await used(A)).toBe(1);
    expect(refusal(await checkSeveral([B, A], headers))).toEqual([409, 'idempotency_conflict']);
    expect((await post('/v1/check', JSON.stringify({ ...CHECK, ...A }), headers)).status).toBe(200);
  });

  it.each([
    ['namespace', { namespace: 'other' }],
    ['identifier', { identifier: 'other' }],
    ['limit', { limit: 6 }],
    ['window', { window: CHECK.window + 1 }],
    ['cost', { cost: 2 }],
  ])('has no repeat with another %s in any entry, and counts none', async (_member, differing) => {
    const headers = { 'idempotency-key': 'sign-in 18' };
    await checkSeveral([A, B], headers);
    for (const entries of [
      [{ ...A, ...differing }, B],
      [A, { ...B, ...differing }],
    ]) {
      expect(refusal(await checkSeveral(entries, headers))).toEqual([409, 'idempotency_conflict']);
    }
    expect(refusal(await checkSeveral([A], headers))).toEqual([409, 'idempotency_conflict']);
    expect([await used(A), await used(B)]).toEqual([1, 1]);
  });

  it('begins all windows or none where the organization has no room for them', async () => {
    await checkSeveral([A, B, { identifier: 'c' }]);
    const refused = await checkSeveral([{ identifier: 'd' }, { identifier: 'e' }]);
    expect(refusal(refused)).toEqual([429, 'limit_reached']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await checkSeveral([A, { identifier: 'd' }])).body.data.allowed).toBe(true);
  });

  it.each([
    ['no entry', '{"checks":[]}'],
    [
      '11 entries',
      JSON.stringify({ checks: Array.from({ length: 11 }, (_, n) => ({ ...CHECK, window: n + 1 })) }),
    ],
    ['no list', JSON.stringify(CHECK)],
    ['the same window twice', JSON.stringify({ checks: [CHECK, { ...CHECK, limit: 6, cost: 0 }] })],
    ['a member that is not known', JSON.stringify({ checks: [CHECK], more: 1 })],
    ['an entry with a member that is not known', JSON.stringify({ checks: [{ ...CHECK, more: 1 }] })],
    ['a wrong entry', JSON.stringify({ checks: [CHECK, { ...CHECK, identifier: 'other', limit: 0 }] })],
    ['no JSON', '{'],
  ])('is answered with 400 and charged nowhere: %s', async (_, body) => {
    const answer = await post('/v1/checks', body);
    expect(refusal(answer)).toEqual([400, 'bad_request']);
    expect(answer.body.error.message).not.toContain('user-1');
    expect(await used()).toBe(0);
  });

  it('says which entries name one window', async () => {
    const windows = [A, B, { ...A, limit: 6 }, B].map((each) => ({ ...CHECK, ...each }));
    const { body } = await post('/v1/checks', JSON.stringify({ checks: windows }));
    const seen = (entry: number, earlier: number) =>
      `body.checks[${entry}]: seen an object, expected another namespace, identifier or window than in checks[${earlier}]`;
    expect(body.error.message).toBe(`${seen(2, 0)}; ${seen(3, 1)}.`);
  });

  it('takes ten entries, and the same identifier in different windows', async () => {
    const entries = Array.from({ length: 4 }, (_, index) => ({ window: CHECK.window + index }));
    const looks = Array.from({ length: 6 }, (_, index) => ({ window: CHECK.window - 1 - index, cost: 0 }));
    expect((await checkSeveral([...entries, ...looks])).body.data).toMatchObject({ allowed: true });
  });

  it('refuses with 429 what the organization sends beyond its share of the limiter', async () => {
    vi.spyOn(engine.limiter, 'checkAll').mockResolvedValueOnce({ kind: 'share-full' });
    const refused = await checkSeveral([A]);
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await checkSeveral([A])).status).toBe(200);
  });

  it('puts 401 and 402 before 400, and answers 500 without an answer of the limiter', async () => {
    expect(refusal(await post('/v1/checks', '{', { authorization: 'Bearer x' }))).toEqual([
      401,
      'unauthorized',
    ]);
    state.status = 'payment-required';
    expect(refusal(await post('/v1/checks', '{'))).toEqual([402, 'payment_required']);
    vi.spyOn(engine.limiter, 'checkAll').mockRejectedValue(new EngineUnavailableError('rate limiter'));
    expect(refusal(await checkSeveral([A]))).toEqual([500, 'internal_error']);
  });

  it('leaves one line in the log, without key, namespace and identifier', async () => {
    await checkSeveral([{ namespace: 'private-1', identifier: 'private-2' }]);
    await vi.waitFor(() => expect(gateway.lines.length).toBeGreaterThanOrEqual(1));
    expect(gateway.lines.join('')).not.toMatch(/private|svc_limiter/);
    expect(JSON.parse(gateway.lines[0] ?? '')).toMatchObject({
      route: 'checkSeveral',
      caller: keyIdOf('live'),
    });
  });
});
