import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  ChecklistsCustomer,
  subjectOf,
} from '../../infra/testing/e2e/checklists/checklists-customer.fixture.ts';
import { ORIGIN } from '../../infra/testing/e2e/customer.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ERROR_CODES, ERRORS, isRetriable } from '../../schemas/base/error-codes.ts';
import { DisturbingProxy } from '../testing/proxy.fixture.ts';
import { recordAll } from './backfill.ts';
import { SvcError } from './error.ts';
import { type EventsOptions, events } from './events.ts';
import { createProgressSession } from './sessions.ts';
import { subjectDigest } from './subject-digest.ts';

let customer: ChecklistsCustomer<ServiceInProcess>;
let proxy: DisturbingProxy;
beforeAll(async () => {
  const limits = { plans: { preview: { checklistEnrollments: 1_000, checklistEvents: 1_000 } } };
  customer = await ChecklistsCustomer.of(await ServiceInProcess.start({ limits }), ['connect', 'invite']);
  proxy = await DisturbingProxy.start(customer.service.url);
});
afterAll(async () => {
  await proxy.close();
  await customer.service.dispose();
});
afterEach(() => proxy.reset());

function optionsWith(changes: Partial<EventsOptions> = {}): EventsOptions {
  const { credential, installationId, checklistId } = customer;
  return { baseUrl: proxy.url, credential, installationId, checklistId, cohort: 'test', ...changes };
}

const milestone = (user: string, eventKey = 'connect') => ({ subjectDigest: subjectOf(user), eventKey });

describe('record', () => {
  it('says whether a step is new, the last one, or was completed before', async () => {
    const { record } = events(optionsWith());
    expect(await record(milestone('ada'))).toMatchObject({
      outcome: 'recorded',
      completedSteps: 1,
      totalSteps: 2,
    });
    expect(await record(milestone('ada'))).toMatchObject({ outcome: 'already', completedSteps: 1 });
    expect(await record(milestone('ada', 'invite'))).toMatchObject({ outcome: 'completed', complete: true });
  });

  it.each(['lose', 'cut'] as const)(
    'records once if the proxy should %s the first answers',
    async (fault) => {
      proxy.decide = ({ number }) => (number <= 2 ? fault : 'forward');
      const outcome = await events(optionsWith()).record(milestone(`bob, ${fault}`));
      expect(outcome).toMatchObject({ outcome: 'recorded', completedSteps: 1 });
      expect(proxy.passed).toHaveLength(3);
      const keys = proxy.passed.map(({ body }) => JSON.parse(body).idempotencyKey);
      expect(new Set(keys)).toEqual(new Set([outcome.idempotencyKey]));
    },
  );

  it('waits as long as Retry-After says in a storm of 503', async () => {
    proxy.decide = ({ number }) =>
      number <= 10 ? refusal(503, 'unavailable', { 'retry-after': '1' }) : 'forward';
    const { record } = events(optionsWith());
    const begunAt = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, each) => record(milestone(`storm ${each}`))),
    );
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(1_000);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['recorded']));
  });

  it('does not repeat before a Retry-After that is a date', async () => {
    const date = new Date(Date.now() + 2_000).toUTCString();
    proxy.decide = ({ number }) =>
      number === 1 ? refusal(503, 'unavailable', { 'retry-after': date }) : 'forward';
    const begunAt = performance.now();
    expect(await events(optionsWith()).record(milestone('hal'))).toMatchObject({ outcome: 'recorded' });
    // A date has whole seconds.
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(900);
  });

  it('is not yet accepted where Retry-After passes the deadline', async () => {
    proxy.decide = () => refusal(503, 'unavailable', { 'retry-after': '99999999' });
    const outcome = await events(optionsWith()).record(milestone('ida'));
    expect(outcome).toMatchObject({ outcome: 'not_yet', retryAfterMs: 2_147_483_647 });
    expect(proxy.passed).toHaveLength(1);
  });

  it('is not yet accepted when the deadline ends, and later with the same key', async () => {
    proxy.decide = () => new Promise(() => undefined);
    const late = await events(optionsWith({ deadlineMs: 100 })).record(milestone('cleo'));
    expect(late).toMatchObject({
      outcome: 'not_yet',
      error: { code: 'timeout' },
      retryAfterMs: expect.any(Number),
    });
    proxy.reset();
    const { idempotencyKey } = late;
    const { record } = events(optionsWith());
    expect(await record({ ...milestone('cleo'), idempotencyKey })).toMatchObject({
      outcome: 'recorded',
      idempotencyKey,
    });
  });

  it.each([
    ['a wrong digest', { subjectDigest: 'ada' }, 'refused', 'bad_request'],
    ['a key of another milestone', { idempotencyKey: 'used before' }, 'refused', 'idempotency_conflict'],
  ])('refuses %s for good', async (_what, changes, outcome, code) => {
    const { record } = events(optionsWith());
    await record({ ...milestone('dan'), idempotencyKey: 'used before' });
    const refused = await record({ ...milestone('dan', 'invite'), ...changes });
    expect(refused).toMatchObject({ outcome, error: { code, retryable: false } });
  });

  it.each([
    ['a missing claim', { cohort: 'live' }, 'claim_required'],
    ['a wrong credential', { credential: 'svc_project_wrong' }, 'unauthorized'],
    ['an unknown checklist', { checklistId: 'chk_aaaaaaaaaaaaaaaaaaaaaaaa' }, 'not_found'],
  ] as const)('leaves %s to a person', async (_what, changes, code) => {
    const outcome = await events(optionsWith(changes)).record(milestone('eve'));
    expect(outcome).toMatchObject({ outcome: 'not_yet', retryAfterMs: null, error: { code } });
  });

  it.each([
    ['an hour after a pause', refusal(403, 'workspace_paused'), 3_600_000],
    ['until the month ends', refusal(429, 'limit_reached', { 'retry-after': '7200' }), 7_200_000],
    ['for a person where no month helps', refusal(429, 'limit_reached'), null],
  ])('waits %s', async (_what, answer, retryAfterMs) => {
    proxy.decide = () => answer;
    expect(await events(optionsWith()).record(milestone('flo'))).toMatchObject({
      outcome: 'not_yet',
      retryAfterMs,
    });
    expect(proxy.passed).toHaveLength(1);
  });
});

describe('milestones that are reported at the same time', () => {
  it('travel together, and each has its own outcome', async () => {
    const { record } = events(optionsWith());
    await record({ ...milestone('together 0'), idempotencyKey: 'together' });
    const wrong = [
      { subjectDigest: 'ada', eventKey: 'connect' },
      { ...milestone('together 2'), eventKey: 'x'.repeat(100_000) },
      { ...milestone('together 3'), idempotencyKey: 'together' },
      { subjectDigest: 7n, eventKey: null },
      { ...milestone('together 4'), eventKey: 'connect\ud800' },
    ];
    const right = Array.from({ length: 20 }, (_, each) => milestone(`together ${10 + each}`));
    proxy.reset();
    const outcomes = await Promise.all([right[0], ...wrong, ...right].map((each) => record(each as never)));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'recorded',
      ...Array(5).fill('refused'),
      'already',
      ...Array(19).fill('recorded'),
    ]);
    expect(outcomes.slice(1, 6)).toMatchObject([
      { error: { code: 'bad_request', status: 400 } },
      { error: { code: 'bad_request', status: 400 } },
      { error: { code: 'idempotency_conflict', status: 409, retryable: false } },
      { error: { code: 'bad_request' } },
      { error: { code: 'bad_request' } },
    ]);
    // The first one alone, unless the answer before it has only just arrived.
    const paths = proxy.passed.map(({ path }) => path.replace(/.*\/events/, ''));
    expect([['/batch'], ['', '/batch']]).toContainEqual(paths);
  });

  it('are recorded once if the answer of their request is lost', async () => {
    proxy.decide = ({ number }) => (number === 2 ? 'lose' : 'forward');
    const { record } = events(optionsWith());
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, each) => record(milestone(`lost ${each}`))),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(5).fill('recorded'));
    expect(proxy.passed).toHaveLength(3);
  });

  it('are sent again alone where the service failed on one of them', async () => {
    proxy.decide = ({ number }) => {
      if (number !== 2) return 'forward';
      const failed = { error: { code: 'internal_error', message: 'No.' } };
      const late = { error: { code: 'limit_reached', message: 'No.' }, retryAfterMs: 60_000 };
      return {
        status: 200,
        body: JSON.stringify({ schemaVersion: '2026-09-07', results: [failed, late, {}] }),
      };
    };
    const { record } = events(optionsWith());
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, (_, each) => record(milestone(`failed ${each}`))),
    );
    expect(outcomes).toMatchObject([
      { outcome: 'recorded' },
      { outcome: 'recorded' },
      { outcome: 'not_yet', retryAfterMs: 60_000, error: { status: 429 } },
      { outcome: 'not_yet', error: { code: 'unexpected_answer' } },
    ]);
  });

  it('share what refuses their request', async () => {
    const { record } = events(optionsWith({ credential: 'svc_project_wrong' }));
    const outcomes = await Promise.all([1, 2, 3].map((each) => record(milestone(`wrong ${each}`))));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ outcome: 'not_yet', error: { code: 'unauthorized', status: 401 } });
  });
});

describe('recordAll', () => {
  const past = (count: number, what: string) =>
    Array.from({ length: count }, (_, id) => ({
      ...{ id, idempotencyKey: `${what} ${id}`, ...milestone(`${what} ${id}`) },
    }));

  it('records in batches, reports refused ones and the last of those with an outcome', async () => {
    const rows = past(120, 'all').map((row) => (row.id === 7 ? { ...row, eventKey: 'none' } : row));
    const refused: number[] = [];
    let held = 0;
    let heldMost = 0;
    async function* pages() {
      for (const row of rows) {
        held += 1;
        heldMost = Math.max(heldMost, held);
        yield row;
      }
    }
    const reported: unknown[] = [];
    const recorder = events(optionsWith());
    const ended = await recordAll(
      {
        record: async (row) => {
          const outcome = await recorder.record(row);
          held -= 1;
          return outcome;
        },
      },
      pages(),
      {
        heldMax: 50,
        onProgress: ({ last }) => void reported.push(last?.id),
        onRefused: ({ id }) => void refused.push(id),
      },
    );
    expect(ended).toMatchObject({ accepted: 119, refused: 1, last: { id: 119 }, stoppedBy: null });
    expect([refused, reported]).toEqual([[7], [119]]);
    expect(heldMost).toBeLessThanOrEqual(51);
    expect(proxy.passed.length).toBeLessThan(20);
  });

  it('stops at the first milestone that is not accepted yet, and continues from the last one', async () => {
    const rows = past(30, 'stop');
    proxy.decide = ({ number }) => (number === 1 ? 'forward' : refusal(403, 'workspace_paused'));
    const stopped = await recordAll(events(optionsWith()), rows);
    expect(stopped).toMatchObject({ accepted: 1, last: { id: 0 }, stoppedBy: { outcome: 'not_yet' } });
    proxy.reset();
    const ended = await recordAll(events(optionsWith()), rows.slice(1 + (stopped.last?.id ?? 0)));
    expect(ended).toMatchObject({ accepted: 29, refused: 0, last: { id: 29 }, stoppedBy: null });
  });

  it('rejects with what its source throws, after what is under way', async () => {
    function* broken() {
      yield* past(3, 'broken');
      throw new Error('reading the table');
    }
    await expect(recordAll(events(optionsWith()), broken())).rejects.toThrow('reading the table');
  });

  it('rejects a number of held milestones that is none', async () => {
    await expect(recordAll(events(optionsWith()), [], { heldMax: 0 })).rejects.toThrow(TypeError);
  });
});

describe('an answer that is no outcome of a milestone', () => {
  it.each([
    'null',
    '7',
    '[]',
    '"ok"',
    '{}',
    '{"complete":true}',
    '{"complete":true,"eventId":null}',
    '<html>',
  ])('is not yet accepted, and no rejection: %s', async (body) => {
    proxy.decide = () => ({ status: 200, body });
    const outcome = await events(optionsWith({ deadlineMs: 300 })).record(milestone('odd'));
    expect(outcome).toMatchObject({ outcome: 'not_yet', error: { code: 'unexpected_answer' } });
  });
});

describe('a milestone that is none', () => {
  it.each([
    ['without members', {}],
    ['that is missing', undefined],
    ['that is null', null],
    ['with a member that JSON does not have', { subjectDigest: 7n, eventKey: 'connect' }],
  ])('%s is refused, and no rejection', async (_what, wrong) => {
    const outcome = await events(optionsWith()).record(wrong as never);
    expect(outcome).toMatchObject({ outcome: 'refused', error: { code: 'bad_request' } });
    expect(outcome.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the queue', () => {
  it('is bounded, and flush waits for all that is in it', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    proxy.decide = () => released.then(() => 'forward' as const);
    const recorder = events(optionsWith({ queueMax: 12 }));
    const outcomes: string[] = [];
    for (let each = 0; each < 14; each += 1) {
      void recorder.record(milestone(`queued ${each}`)).then(({ outcome }) => outcomes.push(outcome));
    }
    await expect.poll(() => [...outcomes]).toEqual(['not_yet', 'not_yet']);
    // The first one alone, then those that came meanwhile.
    await expect.poll(() => proxy.passed.length).toBe(2);
    release();
    await recorder.flush();
    expect(outcomes.slice(2)).toEqual(Array(12).fill('recorded'));
  });

  it('is flushed and closed when the recorder is disposed of', async () => {
    const recorder = events(optionsWith());
    const recording = recorder.record(milestone('gil'));
    await recorder[Symbol.asyncDispose]();
    expect(await recording).toMatchObject({ outcome: 'recorded' });
    expect(await recorder.record(milestone('gil'))).toMatchObject({ error: { code: 'queue_full' } });
  });
});

describe('createProgressSession', () => {
  it('makes a token with which a page reads the progress, once if the answer is lost', async () => {
    const { cohort: _, ...options } = optionsWith();
    const digest = await subjectDigest('secret of the backend', 'ada');
    expect(digest).toBe(createHmac('sha256', 'secret of the backend').update('ada').digest('hex'));
    await events(optionsWith()).record({ subjectDigest: digest, eventKey: 'invite' });
    proxy.reset();
    proxy.decide = ({ number }) => (number === 1 ? 'lose' : 'forward');
    const session = await createProgressSession({
      ...options,
      cohort: 'test',
      subjectDigest: digest,
      origin: ORIGIN,
    });
    const answer = await fetch(session.progressUrl, {
      headers: { authorization: `Bearer ${session.token}`, origin: ORIGIN },
    });
    expect(await answer.json()).toMatchObject({ completedSteps: 1, totalSteps: 2 });
    const issued = proxy.passed.filter(({ method }) => method === 'POST');
    expect(issued).toHaveLength(2);
    expect(new Set(issued.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it.each(['null', '{}', '{"expiresAt":"2026-09-07T10:30:00.000Z"}'])(
    'throws unexpected_answer for %s',
    async (body) => {
      proxy.decide = () => ({ status: 201, body });
      const asked = { ...optionsWith(), subjectDigest: subjectOf('ada'), origin: ORIGIN };
      await expect(createProgressSession(asked)).rejects.toMatchObject({ code: 'unexpected_answer' });
    },
  );

  it('throws an error that shows no credential', async () => {
    const { credential } = customer;
    const asked = { ...optionsWith(), subjectDigest: subjectOf('ada'), origin: 'https://elsewhere.example' };
    const error = await createProgressSession(asked).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SvcError);
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(credential);
    expect(inspect(events(optionsWith()), { showHidden: true, depth: 9 })).not.toContain(credential);
  });
});

it('knows which codes of the service are worth a repeat', () => {
  for (const code of ERROR_CODES) {
    const { status } = ERRORS[code];
    expect(new SvcError(code, '', { status }).retryable, code).toBe(isRetriable(code));
  }
});

function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}) {
  return { status, headers, body: JSON.stringify({ error: { code, message: 'No.', request_id: 'req_1' } }) };
}
