import { afterEach, describe, expect, it, vi } from 'vitest';
import { readGuide } from '../../infra/docs/guide-code.fixture.ts';
import type { LimiterOptions } from './check.ts';
import { type Limiter, limiter } from './limiter.ts';
import type { OnNoAnswer } from './no-answer.ts';

const CHECK = { namespace: 'login', identifier: 'ada', limit: 2, window: 60_000 };
const CHOICES: readonly OnNoAnswer[] = ['allow', 'deny', 'throw'];

/** A limiter whose `fetch` answers like this. */
function answered(fetch: LimiterOptions['fetch'], options: Partial<LimiterOptions> = {}): Limiter {
  const key = `svc_limiter_test_${'k'.repeat(32)}`;
  const changed = { ...(fetch && { fetch }), onDecision: () => undefined, ...options };
  return limiter({ key, baseUrl: 'https://api.example.com', onNoAnswer: 'allow', ...changed });
}

/** Returns what a request meets: a word of the table. */
async function resultOf({ check }: Limiter): Promise<string> {
  try {
    return (await check(CHECK)).allowed ? 'let through' : 'refused';
  } catch {
    return 'thrown';
  }
}

/** The words of the table in the guide, by status: for `allow`, `deny` and `throw`. The first row counts that names a status. */
function documented(): ReadonlyMap<number, readonly string[]> {
  const [, table = ''] = /\n\| status (.*?)\n\n/s.exec(readGuide('client.md')) ?? [];
  const results = new Map<number, readonly string[]>();
  for (const line of table.split('\n').slice(2)) {
    const [, statuses = '', ...words] = line.split('|').map((cell) => cell.trim());
    for (const [, first, last = first] of statuses.matchAll(/(\d{3})(?: to (\d{3}))?/g)) {
      for (let status = Number(first); status <= Number(last); status += 1) {
        if (!results.has(status)) results.set(status, words.slice(0, CHOICES.length));
      }
    }
  }
  return results;
}

const OF_THE_SERVICE = JSON.stringify({ error: { code: 'forbidden', message: 'No.', request_id: 'req_1' } });
const BODIES = { 'the service': OF_THE_SERVICE, 'another server': '<html>', JSON: 'null' };
const STATUSES = Array.from({ length: 400 }, (_, each) => 200 + each);
/** They have no body. */
const BARE = [204, 205, 304];

describe('an answer with each status', () => {
  it.each(CHOICES)('leads to what the guide says for %s, for each server', async (onNoAnswer) => {
    const table = documented();
    for (const status of STATUSES) {
      for (const [server, body] of Object.entries(BODIES)) {
        const answer = () => Promise.resolve(new Response(BARE.includes(status) ? null : body, { status }));
        const result = await resultOf(answered(answer, { onNoAnswer }));
        expect(result, `${status} of ${server}`).toBe(table.get(status)?.[CHOICES.indexOf(onNoAnswer)]);
      }
    }
  });
});

describe('a check without an answer', () => {
  const never: LimiterOptions['fetch'] = (_url, { signal }) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
  const broken = () => Promise.reject(new TypeError('fetch failed'));

  it.each([
    ['allow', 'let through'],
    ['deny', 'refused'],
    ['throw', 'thrown'],
  ] as const)('is with %s %s', async (onNoAnswer, result) => {
    expect(await resultOf(answered(broken, { onNoAnswer }))).toBe(result);
    expect(await resultOf(answered(never, { onNoAnswer, deadlineMs: 1 }))).toBe(result);
  });

  it.each([
    { data: { allowed: true, remaining: 1, reset_at: 2, retry_after_ms: '3' } },
    { data: [] },
    7,
    null,
  ])('is one whose answer is %j', async (body) => {
    const decision = await answered(async () => Response.json(body)).check(CHECK);
    expect(decision).toMatchObject({ source: 'no_answer', error: { code: 'unexpected_answer' } });
  });
});

describe('a limiter without onDecision', () => {
  const seen: Error[] = [];
  const collect = (warning: Error) => seen.push(warning);
  afterEach(() => {
    process.off('warning', collect);
    vi.useRealTimers();
    seen.length = 0;
  });

  it.each([
    ['allow', 401, 'let through'],
    ['allow', 402, 'let through'],
    ['deny', 503, 'refused'],
    ['allow', 429, 'refused'],
  ] as const)('warns with %s of %i, and then once a minute', async (onNoAnswer, status, result) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    process.on('warning', collect);
    const answer = async () =>
      new Response(OF_THE_SERVICE.replace('forbidden', `code_${status}`), { status });
    const { check, checkAll } = answered(answer, { onNoAnswer, onDecision: undefined } as object);
    for (let each = 0; each < 20; each += 1) await check(CHECK);
    await checkAll([CHECK]);
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]).toMatchObject({ name: 'SvcLimiterWarning', code: `code_${status}` });
    expect(seen[0]?.message).toBe(`A request was ${result} without an answer of the rate limiter. No.`);
    vi.advanceTimersByTime(59_000);
    await check(CHECK);
    vi.advanceTimersByTime(1_000);
    await check(CHECK);
    await check(CHECK);
    await expect.poll(() => seen.length).toBe(2);
  });

  it('warns of nothing that the service decides, and of nothing that is thrown or told to onDecision', async () => {
    process.on('warning', collect);
    const denied = { data: { allowed: false, remaining: 0, reset_at: 2, retry_after_ms: 3 } };
    await answered(async () => Response.json(denied), { onDecision: undefined } as object).check(CHECK);
    const failing = async () => new Response('', { status: 503 });
    await resultOf(answered(failing, { onNoAnswer: 'throw', onDecision: undefined } as object));
    await resultOf(answered(failing));
    process.emitWarning('the last one');
    await expect.poll(() => seen.map(({ message }) => message)).toEqual(['the last one']);
  });
});

describe('a pause that an answer asks for', () => {
  const date = (ms: number) => new Date(ms).toUTCString();
  const NOW = Date.UTC(2026, 9, 21, 7, 28);

  it.each([
    ['2', 2_000],
    ['0', 0],
    ['99999999', 2 ** 31 - 1],
    ['9'.repeat(400), 2 ** 31 - 1],
    [date(NOW + 3_000), 3_000],
    [date(NOW - 3_000), 0],
    [date(NOW + 2 ** 40), 2 ** 31 - 1],
    ['Wednesday, 21-Oct-26 07:28:30 GMT', 30_000],
    ['Wed Oct 21 07:29:00 2026 GMT', 60_000],
    ['-3', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
  ])('is read from Retry-After: %s', async (header, retryAfterMs) => {
    const headers = { 'retry-after': header, date: date(NOW) };
    const { error } = await answered(async () => new Response('', { status: 503, headers })).check(CHECK);
    expect(error?.retryAfterMs).toBe(retryAfterMs);
  });

  it('is measured by the clock here where the answer has no date', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const headers = { 'retry-after': date(NOW + 5_000) };
    const { error } = await answered(async () => new Response('', { status: 503, headers })).check(CHECK);
    expect(error?.retryAfterMs).toBe(5_000);
    vi.useRealTimers();
  });
});
