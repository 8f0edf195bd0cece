import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretFrom } from '../../../../schemas/base/secrets.ts';
import { ORIGIN, refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { ChecklistsCustomer } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];
const PROGRESS = '/v1/activate/progress';
const ELSEWHERE = 'https://elsewhere.example';
const UNKNOWN = secretFrom('progress', new Uint8Array(32).fill(7));

let customer: ChecklistsCustomer<ServiceInProcess>;

beforeAll(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  const service = await ServiceInProcess.start({
    limits: { http, workspace },
    environment: { LOG_LEVEL: 'debug' },
  });
  customer = await ChecklistsCustomer.of(service, KEYS);
});

afterAll(async () => {
  await customer.service.dispose();
});

const allowedOrigin = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

describe('a page', () => {
  it('asks again with the ETag that it has, and is answered only what is new', async () => {
    const token = await customer.token('etag');
    const first = await customer.progress(token);
    const etag = String(first.headers.get('etag'));
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('access-control-expose-headers')).toContain('ETag');
    const same = await customer.progress(token, { ifNoneMatch: etag });
    expect([same.status, same.body]).toEqual([304, null]);
    expect(same.headers.get('etag')).toBe(etag);
    expect(same.headers.get('cache-control')).toBe('no-store');
    expect(same.headers.has('content-length')).toBe(false);
    expect(allowedOrigin(same)).toBe(ORIGIN);
    for (const list of [`W/${etag}`, `"other", ${etag}`, '*']) {
      expect((await customer.progress(token, { ifNoneMatch: list })).status).toBe(304);
    }
    await customer.event('etag', 'import');
    const changed = await customer.progress(token, { ifNoneMatch: etag });
    expect([changed.status, changed.body.completedSteps]).toEqual([200, 1]);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('gets one token for one Idempotency-Key, which is stored nowhere', async () => {
    const key = 'page view of user-4711';
    const first = await customer.session('keyed', {}, key);
    expect(first.status).toBe(201);
    expect((await customer.session('keyed', {}, key)).body).toEqual(first.body);
    expect((await customer.session('keyed', {}, `${key}, again`)).body.token).not.toBe(first.body.token);
    expect(refusal(await customer.session('another', {}, key))).toEqual([409, 'idempotency_conflict']);
    expect((await customer.progress(first.body.token)).status).toBe(200);
  });

  it('is let in from exactly its origin, and can read nothing elsewhere', async () => {
    const token = await customer.token('ada');
    for (const origin of [
      ELSEWHERE,
      `${ORIGIN}.evil.example`,
      ORIGIN.replace('https', 'http'),
      'null',
      null,
    ]) {
      const answer = await customer.progress(token, { origin });
      expect(refusal(answer)).toEqual([403, 'origin_not_allowed']);
      expect(allowedOrigin(answer)).toBeNull();
      expect(answer.headers.get('vary')).toBe('Origin');
    }
  });

  it('can read why it is refused, also without a token that holds', async () => {
    const mistyped = `${UNKNOWN.slice(0, -1)}${UNKNOWN.endsWith('0') ? '1' : '0'}`;
    for (const token of [UNKNOWN, mistyped, 'nonsense']) {
      const answer = await customer.progress(token);
      expect(refusal(answer)).toEqual([401, 'unauthorized']);
      expect(allowedOrigin(answer)).toBe(ORIGIN);
    }
    const token = await customer.token('ada');
    const target = `${PROGRESS}?subject=other`;
    const queried = await customer.send('GET', target, { bearer: token, origin: ORIGIN });
    expect([refusal(queried), allowedOrigin(queried)]).toEqual([[400, 'bad_request'], ORIGIN]);
    const written = await customer.send('POST', PROGRESS, { bearer: token, origin: ORIGIN, json: {} });
    expect([refusal(written), allowedOrigin(written)]).toEqual([[405, 'method_not_allowed'], ORIGIN]);
  });

  it('may send the headers that it needs, as its preflight says', async () => {
    const response = await fetch(new URL(PROGRESS, customer.service.url), {
      method: 'OPTIONS',
      headers: {
        Origin: ORIGIN,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization,if-none-match',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET');
    expect(response.headers.get('access-control-allow-headers')).toContain('If-None-Match');
    expect(response.headers.get('access-control-max-age')).toBe('3600');
  });

  it('cannot write anything with its token, nor read anything else', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    const bearer = await neighbour.token('ada');
    const under = `/v1/installations/${neighbour.installationId}/svcactivate/checklists`;
    const event = {
      schemaVersion: '2026-09-07',
      idempotencyKey: 'key',
      subjectDigest: 'a'.repeat(64),
      cohort: 'test',
      eventKey: 'connect',
    };
    const answers = [
      await neighbour.send('POST', `${under}/${neighbour.checklistId}/events`, { bearer, json: event }),
      await neighbour.send('GET', under, { bearer }),
      await neighbour.send('GET', '/v1/agent/svcactivate', { bearer }),
      await neighbour.send('GET', '/v1/import/browser', { bearer, origin: ORIGIN }),
    ];
    for (const answer of answers) expect(refusal(answer)).toEqual([401, 'unauthorized']);
    const ofPeople = `/v1/console/workspaces/${neighbour.workspaceId}/checklists`;
    expect(refusal(await neighbour.send('GET', ofPeople, { bearer }))).toEqual([401, 'session_required']);
    expect((await neighbour.limits()).events.used).toBe(1);
  });

  it('sees its own subject only', async () => {
    await customer.event('grace', 'connect');
    const token = await customer.token('linus');
    expect((await customer.progress(token)).body.completedSteps).toBe(0);
    await customer.event('linus', 'invite');
    const { body } = await customer.progress(token);
    const done = body.steps.filter((step: { completed: boolean }) => step.completed);
    expect(done.map((step: { key: string }) => step.key)).toEqual(['invite']);
  });

  it('loses its session to the sixth of its subject', async () => {
    const tokens = [];
    for (let count = 0; count < 6; count += 1) tokens.push(await customer.token('many'));
    const statuses = [];
    for (const token of tokens) statuses.push((await customer.progress(token)).status);
    expect(statuses).toEqual([401, 200, 200, 200, 200, 200]);
  });

  it('is one of five at the same time, however many were asked for at once', async () => {
    const issued = await Promise.all(Array.from({ length: 50 }, () => customer.token('at once')));
    const answers = await Promise.all(issued.map((token) => customer.progress(token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 401)).toHaveLength(45);
  });

  it('is let in no more once a revision drops its origin', async () => {
    const neighbour = await customer.another(KEYS);
    const token = await neighbour.token('ada');
    const dropped = { name: 'Getting started', allowedOrigins: [ELSEWHERE], steps: [stepOf('connect')] };
    expect((await neighbour.revise(1, [], { configuration: dropped })).status).toBe(200);
    expect(refusal(await neighbour.progress(token))).toEqual([403, 'origin_not_allowed']);
    expect(refusal(await neighbour.session('ada'))).toEqual([403, 'origin_not_allowed']);
    expect((await neighbour.session('ada', { origin: ELSEWHERE })).status).toBe(201);
  });
});

const stepOf = (key: string) => ({ key, label: key, description: '', actionPath: '/' });

describe('what ends sessions', () => {
  it('is a pause for as long as it lasts, and an erasure meanwhile for good', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    await neighbour.claim();
    const [token, other] = [await neighbour.token('ada'), await neighbour.token('grace')];
    await neighbour.owner('POST', '/pause', {});
    const stopped = [
      await neighbour.progress(token),
      await neighbour.session('ada'),
      await neighbour.event('ada', 'connect'),
    ];
    for (const answer of stopped) expect(refusal(answer)).toEqual([403, 'workspace_paused']);
    expect(allowedOrigin(stopped[0]!)).toBe(ORIGIN);
    // Configuration, reads and all operations of the owner still work.
    expect((await neighbour.revise(1, ['connect'])).status).toBe(200);
    expect((await neighbour.summary()).enrollments).toBe(1);
    expect((await neighbour.erase('ada')).body).toMatchObject({ erased: true });
    await neighbour.owner('POST', '/resume', {});
    expect((await neighbour.progress(token)).status).toBe(401);
    expect((await neighbour.progress(other)).status).toBe(200);
    expect((await neighbour.progress(await neighbour.token('ada'))).status).toBe(200);
  });

  it('is no pause that is over: the earlier token works, and shows the steps completed since', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    await neighbour.claim();
    const token = await neighbour.token('ada');
    for (let round = 0; round < 2; round += 1) {
      await neighbour.owner('POST', '/pause', {});
      expect(refusal(await neighbour.progress(token))).toEqual([403, 'workspace_paused']);
      await neighbour.owner('POST', '/resume', {});
      expect((await neighbour.progress(token)).status).toBe(200);
    }
    expect((await neighbour.event('ada', 'connect')).body).toMatchObject({ completedSteps: 2 });
    expect((await neighbour.progress(token)).body.completedSteps).toBe(2);
  });

  it('is an erasure', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    const tokens = [await neighbour.token('ada'), await neighbour.token('grace')];
    await neighbour.erase('ada');
    const statuses = await Promise.all(tokens.map(async (token) => (await neighbour.progress(token)).status));
    expect(statuses).toEqual([401, 200]);
    expect((await neighbour.progress(await neighbour.token('ada'))).body.completedSteps).toBe(0);
  });

  it('is the disconnection of the workspace, after which its owner still reads and erases', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    const token = await neighbour.token('ada');
    await neighbour.owner('POST', '/disconnect', { confirm: 'Onboarding' });
    const stopped = [
      await neighbour.progress(token),
      await neighbour.session('ada'),
      await neighbour.event('ada', 'connect'),
      await neighbour.create(['only']),
      await neighbour.agent('GET', ''),
    ];
    for (const answer of stopped) expect(refusal(answer)).toEqual([403, 'workspace_disconnected']);
    const path = `/checklists/${neighbour.checklistId}`;
    expect((await neighbour.owner('GET', `${path}/summary?revision=1&cohort=test`)).body).toMatchObject({
      enrollments: 1,
    });
    expect((await neighbour.erase('ada')).body).toMatchObject({ erased: true });
    expect((await neighbour.owner('GET', `${path}/summary?revision=1&cohort=test`)).body).toMatchObject({
      enrollments: 0,
    });
  });
});

describe('tokens', () => {
  it('are in no log line', async () => {
    const token = await customer.token('logged');
    await customer.progress(token);
    expect(customer.service.output).toContain('readProgress');
    expect(customer.service.output).not.toContain('svc_progress_');
  });
});
