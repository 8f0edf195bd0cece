import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  submissionListSchema,
  submissionReceiptSchema,
  verifiedSubmissionSchema,
  widgetAnswerSchema,
  widgetListSchema,
} from '../../../../schemas/feedback/http.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { exchange, ORIGIN, refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { storedStateOf } from '../stored-state-of.fixture.ts';
import { FeedbackCustomer, newSubmissionId } from './feedback-customer.fixture.ts';

const LIMITS = {
  workspace: ROOMY_LIMITS.workspace,
  http: { ...ROOMY_LIMITS.http, visitorPerMinute: 100_000 },
};

let customer: FeedbackCustomer<ServiceProcess>;

beforeAll(async () => {
  customer = await FeedbackCustomer.of(await ServiceProcess.start({ limits: LIMITS }));
});

afterAll(async () => {
  await customer.service.dispose();
});

const allowedOrigin = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

describe('feedback from a page to the inbox', () => {
  it('goes from a widget to a verified submission, a read message and a claim', async () => {
    const own = await customer.another();
    const created = await own.create({ idempotencyKey: 'widget 1' });
    expect(created.status).toBe(201);
    expect(widgetAnswerSchema.parse(created.body)).toMatchObject({
      widgetId: own.widgetId,
      origin: ORIGIN,
      loaderUrl: `${own.service.url}/v1/feedback/${own.widgetId}/loader.v1.js`,
    });
    const refused = await own.owner('POST', '/claim', {});
    expect(refusal(refused)).toEqual([409, 'state_conflict']);
    expect(refused.body.error.message).toContain('a verified feedback submission');

    const body = { message: 'Good,\r\nbut \u202eslow\u0007', rating: 4, path: '/map?user=7#top' };
    const sent = await own.submit({ body });
    expect(sent.status).toBe(202);
    const { submissionId, receivedAt } = submissionReceiptSchema.parse(sent.body);
    const verified = await own.verify(submissionId);
    expect([verified.status, verifiedSubmissionSchema.parse(verified.body)]).toEqual([
      200,
      {
        schemaVersion: '2026-08-27',
        widgetId: own.widgetId,
        submissionId,
        received: true,
        receivedAt,
      },
    ]);
    const inbox = await own.inbox();
    expect(submissionListSchema.parse(inbox.body)).toEqual({
      submissions: [
        { submissionId, message: 'Good,\nbut slow', rating: 4, path: '/map', receivedAt, state: 'open' },
      ],
      nextCursor: null,
    });
    const claimed = await own.owner('POST', '/claim', {});
    expect(claimed.status).toBe(200);
    expect(claimed.body).toMatchObject({
      plan: 'free',
      inventory: { feedbackWidgets: 1, feedbackSubmissions: 1 },
      results: [{ kind: 'feedback', id: submissionId, at: receivedAt, rows: null }],
    });
    const { limits } = await own.workspace();
    expect(limits.svcfeedback.submissions).toMatchObject({ limit: 1_000, used: 1 });
  });

  it('stores a submission once, however often a page sends it', async () => {
    const own = await customer.another();
    const submissionId = newSubmissionId();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        own.submit({ submissionId, body: { elapsedMs: 3_000 + index } }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    const changed = await own.submit({ submissionId, body: { message: 'Something else' } });
    expect(refusal(changed)).toEqual([409, 'idempotency_conflict']);
    expect((await own.workspace()).limits.svcfeedback.submissions.used).toBe(1);
    expect((await own.inbox()).body.submissions).toHaveLength(1);
  });

  it.each([
    ['a field is filled in that people do not see', { website: 'https://spam.example' }],
    ['it is sent within two seconds', { elapsedMs: 1_999 }],
  ])('holds a submission if %s, and does not tell', async (_reason, body) => {
    const own = await customer.another();
    const submissionId = await own.submitted(body);
    expect(refusal(await own.verify(submissionId))).toEqual([404, 'not_found']);
    expect((await own.inbox('?state=open')).body.submissions).toEqual([]);
    expect((await own.inbox('?state=held')).body.submissions).toMatchObject([
      { submissionId, state: 'held' },
    ]);
    expect((await own.move(submissionId, 'open')).body).toMatchObject({ submissionId, state: 'open' });
    expect((await own.verify(submissionId)).status).toBe(200);
  });

  it('reads the inbox page by page, by state, newest first', async () => {
    const own = await customer.another();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift(await own.submitted({ message: `Message ${index}`, website: index === 2 ? 'x' : '' }));
    }
    const first = (await own.inbox('?limit=2')).body;
    const second = (await own.inbox(`?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    const third = (await own.inbox(`?limit=2&cursor=${encodeURIComponent(second.nextCursor)}`)).body;
    const read = [first, second, third].flatMap(({ submissions }) => submissions);
    expect(read.map(({ submissionId }) => submissionId)).toEqual(ids);
    expect(third.nextCursor).toBeNull();
    expect((await own.move(ids[0] ?? '', 'done')).status).toBe(200);
    expect((await own.inbox('?state=open')).body.submissions).toHaveLength(3);
    const listed = widgetListSchema.parse((await own.owner('GET', '/widgets')).body);
    expect(listed.widgets).toMatchObject([{ widgetId: own.widgetId, counts: { open: 3, done: 1, held: 1 } }]);
    expect(refusal(await own.inbox('?cursor=nonsense'))).toEqual([400, 'bad_request']);
  });

  it('keeps the decision of the first of two people', async () => {
    const own = await customer.another();
    const submissionId = await own.submitted();
    expect((await own.move(submissionId, 'held', 'open')).status).toBe(200);
    const late = await own.move(submissionId, 'done', 'open');
    expect(refusal(late)).toEqual([409, 'state_conflict']);
    expect(late.body.error.message).toContain('held, the state of the submission now');
    expect((await own.move(submissionId, 'held', 'open')).body).toMatchObject({ state: 'held' });
    expect((await own.inbox('?state=held')).body.submissions).toMatchObject([{ submissionId }]);
  });

  it('lists widgets with their verified submission, and answers 304 while nothing has changed', async () => {
    const own = await customer.another();
    const submissionId = await own.submitted();
    const path = `/v1/console/workspaces/${own.workspaceId}/widgets`;
    const before = await own.send('GET', path, { cookie: own.cookie });
    expect(widgetListSchema.parse(before.body).widgets).toMatchObject([{ verified: null }]);
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    expect((await own.send('GET', path, { cookie: own.cookie, headers })).status).toBe(304);
    const { receivedAt } = (await own.verify(submissionId)).body;
    const after = await own.send('GET', path, { cookie: own.cookie, headers });
    expect(after.status).toBe(200);
    expect(after.body.widgets).toMatchObject([{ verified: { submissionId, receivedAt } }]);
  });

  it('is found by the origin and the id of a widget', async () => {
    const own = await customer.another();
    const find = async (text: string) => {
      const path = `/v1/console/search?text=${encodeURIComponent(text)}`;
      return (await own.send('GET', path, { cookie: own.cookie })).body.matches;
    };
    const match = { kind: 'widget', id: own.widgetId, name: ORIGIN, workspaceId: own.workspaceId };
    expect(await find(own.widgetId)).toMatchObject([match]);
    expect(await find('app.exam')).toContainEqual(expect.objectContaining(match));
  });

  it('erases a message with its bytes, and a workspace with all of them', async () => {
    const own = await customer.another();
    const kept = await own.submitted({ message: 'a message that stays for now' });
    const gone = await own.submitted({ message: 'a message that goes at once' });
    const state = await storedStateOf(own.service);
    expect((await own.remove(gone)).status).toBe(204);
    expect(refusal(await own.remove(gone))).toEqual([404, 'not_found']);
    expect((await own.inbox()).body.submissions).toMatchObject([{ submissionId: kept }]);
    expect(refusal(await own.verify(gone))).toEqual([404, 'not_found']);
    expect((await own.owner('POST', '/erase', { confirm: 'Neighbour' })).status).toBe(200);
    await expect.poll(() => state.rowKinds(own.installationId), WAIT).not.toContain('submission');
    const texts = async () => [...(await state.texts()).values()].flat().join('\n');
    await expect.poll(texts, WAIT).not.toContain('a message that');
    expect((await own.loader()).status).toBe(404);
    expect(refusal(await own.submit())).toEqual([404, 'not_found']);
  });
});

const WAIT = { timeout: 45_000, interval: 50 };

describe('the border of a widget', () => {
  it.each([
    ['another site', 'https://evil-app.example'],
    ['a site that begins like it', `${ORIGIN}.evil.example`],
    ['another port', `${ORIGIN}:8443`],
    ['another scheme', 'http://app.example'],
    ['upper case', 'https://APP.example'],
    ['a sandboxed page', 'null'],
    ['no page', null],
  ])('refuses %s, which cannot read the answer either', async (_what, origin) => {
    const answer = await customer.submit({ origin });
    expect(refusal(answer)).toEqual([403, 'origin_not_allowed']);
    expect(allowedOrigin(answer)).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  it('echoes the exact origin, also with a refusal, and never allows cookies', async () => {
    const stored = await customer.submit();
    expect([stored.status, allowedOrigin(stored)]).toEqual([202, ORIGIN]);
    expect(stored.headers.get('vary')).toContain('Origin');
    expect(stored.headers.get('access-control-allow-credentials')).toBeNull();
    expect(stored.headers.get('cache-control')).toBe('no-store');
    const refused = await customer.submit({ body: { rating: 6 } });
    expect([refused.status, allowedOrigin(refused)]).toEqual([400, ORIGIN]);
    const target = new URL(`/v1/feedback/${customer.widgetId}/submissions`, customer.service.url);
    const headers = {
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    };
    const preflight = await exchange(target, 'OPTIONS', { origin: ORIGIN, headers });
    expect([preflight.status, allowedOrigin(preflight)]).toEqual([204, ORIGIN]);
    expect(preflight.headers.get('access-control-max-age')).toBe('3600');
  });

  it.each([
    ['no message', { message: '' }],
    ['only control characters', { message: '\u202e\u0007' }],
    ['a long message', { message: 'x'.repeat(2_001) }],
    ['a number as a message', { message: 7 }],
    ['half a rating', { rating: 2.5 }],
    ['a path of another site', { path: 'https://evil.example/' }],
    ['an unknown field', { email: 'ada@example.com' }],
    ['another version', { schemaVersion: '2026-01-01' }],
    ['an id of another form', { submissionId: 'sub_1' }],
    ['a negative time', { elapsedMs: -1 }],
  ])('refuses %s', async (_what, body) => {
    expect(refusal(await customer.submit({ body }))).toEqual([400, 'bad_request']);
  });

  it('takes JSON of at most 64 KiB, and no form', async () => {
    const large = await customer.submit({ body: { website: 'x'.repeat(70_000) } });
    expect(refusal(large)).toEqual([413, 'payload_too_large']);
    const target = new URL(`/v1/feedback/${customer.widgetId}/submissions`, customer.service.url);
    const simple = await exchange(target, 'POST', {
      origin: ORIGIN,
      text: '{}',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(refusal(simple)).toEqual([415, 'unsupported_media_type']);
    const emoji = await customer.submit({ body: { message: '🙂'.repeat(2_000) } });
    expect(emoji.status).toBe(202);
  });

  it('keeps widgets and submissions of other workspaces apart', async () => {
    const neighbour = await customer.another();
    const submissionId = await customer.submitted();
    expect(refusal(await neighbour.verify(submissionId, customer.widgetId))).toEqual([404, 'not_found']);
    expect(refusal(await neighbour.verify(submissionId))).toEqual([404, 'not_found']);
    const foreign = `/widgets/${customer.widgetId}/submissions`;
    expect(refusal(await neighbour.owner('GET', foreign))).toEqual([404, 'not_found']);
    expect(refusal(await customer.submit({ widgetId: 'wid_aaaaaaaaaaaaaaaaaaaaaaaa' }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('makes one widget in a preview, for an HTTPS origin only', async () => {
    const own = await customer.another();
    expect((await own.create()).body.widgetId).toBe(own.widgetId);
    for (const origin of [
      'http://app.example',
      'https://*.example',
      'https://app.example/',
      'http://localhost:1',
    ]) {
      expect(refusal(await own.create({ origin }))).toEqual([400, 'bad_request']);
    }
    expect(
      refusal(await own.create({ idempotencyKey: 'widget 1', origin: 'https://other.example' })),
    ).toEqual([409, 'idempotency_conflict']);
  });

  it('replaces the widget of a preview by one of another origin until a submission arrives', async () => {
    const own = await customer.another();
    const former = own.widgetId;
    const { status, body } = await own.create({ origin: 'https://other.example' });
    expect([status, body.replacedOrigin]).toEqual([201, ORIGIN]);
    expect((await own.loader(former)).status).toBe(404);
    expect(refusal(await own.submit({ widgetId: former }))).toEqual([404, 'not_found']);
    const back = (await own.create()).body;
    expect(back).toMatchObject({ origin: ORIGIN, replacedOrigin: 'https://other.example' });
    own.widgetId = back.widgetId;
    expect((await own.workspace()).limits.svcfeedback.widgets).toMatchObject({ limit: 1, used: 1 });
    await own.submitted({ website: 'https://spam.example' });
    const refused = await own.create({ origin: 'https://other.example' });
    expect(refusal(refused)).toEqual([429, 'limit_reached']);
  });
});

describe('the limit of submissions', () => {
  it('counts those of a preview in all, and those of a plan by the month; a repeat is no further one', async () => {
    const plans = { preview: { feedbackSubmissions: 1 }, free: { feedbackSubmissions: 2 } };
    const limited = await FeedbackCustomer.of(await ServiceProcess.start({ limits: { ...LIMITS, plans } }));
    try {
      const submissionId = await limited.submitted();
      expect(refusal(await limited.submit())).toEqual([429, 'limit_reached']);
      expect((await limited.submit({ submissionId })).status).toBe(202);
      await limited.verify(submissionId);
      expect((await limited.owner('POST', '/claim', {})).status).toBe(200);
      await limited.submitted();
      const refused = await limited.submit();
      expect(refusal(refused)).toEqual([429, 'limit_reached']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.service.dispose();
    }
  });
});

describe('the loader', () => {
  it('is a script for every page, kept for minutes, and silent while the workspace is paused', async () => {
    const own = await customer.another();
    await own.verify(await own.submitted());
    const served = await own.loader();
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(served.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(served.headers.get('cache-control')).toBe('public, max-age=300');
    expect(served.headers.get('content-disposition')).toBeNull();
    const text = await served.text();
    expect(text).toContain(`"widgetId":"${own.widgetId}"`);
    const script = /import\("([^"]+)"\)/.exec(text)?.[1] ?? '';
    const behind = await fetch(script);
    expect(behind.status).toBe(200);
    expect(behind.headers.get('cache-control')).toContain('immutable');
    expect(behind.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await own.owner('POST', '/claim', {})).status).toBe(200);
    expect((await own.owner('POST', '/pause', {})).status).toBe(200);
    expect(refusal(await own.submit())).toEqual([403, 'workspace_paused']);
    expect(await (await own.loader()).text()).toMatch(/^\/\/ .*paused/);
    expect((await own.owner('POST', '/resume', {})).status).toBe(200);
    expect((await own.submit()).status).toBe(202);
  });
});
