import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { secretFrom } from '../../../schemas/base/secrets.ts';
import {
  bytesOf,
  HOSTS,
  IMPORT,
  ORIGIN,
  type RunningGateway,
  SECRETS,
  startGateway,
  type TestAnswer,
  workspaceNamed,
} from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';

const PATH = '/v1/browser/things';
const ELSEWHERE = 'https://elsewhere.example';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway(TEST_ROUTES);
});
afterAll(() => running.close());
beforeEach(() => {
  running.world.origin = ORIGIN;
  running.world.workspace = workspaceNamed('own');
});

const headersOf = (origin: string | null, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${SECRETS.import}`,
  'content-type': 'application/json',
  ...(origin === null ? {} : { origin }),
  ...more,
});

const send = (origin: string | null, more: Record<string, string> = {}, body = '{"name":"a"}') =>
  running.send({ method: 'POST', path: PATH, headers: headersOf(origin, more), body });

const preflight = (origin: string, path = PATH, method = 'POST') =>
  running.send({
    method: 'OPTIONS',
    path,
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x' },
  });

const allowed = ({ headers }: TestAnswer) => headers['access-control-allow-origin'];

describe('a request from a page', () => {
  it('is answered to exactly the origin of its session, without cookies', async () => {
    const answer = await send(ORIGIN);
    expect(answer).toMatchObject({ status: 201, body: { actor: { kind: 'session' } } });
    expect(allowed(answer)).toBe(ORIGIN);
    expect(answer.headers).toMatchObject({
      vary: 'Origin',
      'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('is answered to a page of the console, wherever that is', async () => {
    const origin = new URL(HOSTS.console).origin;
    running.world.origin = origin;
    expect(allowed(await send(origin))).toBe(origin);
    expect(allowed(await preflight(origin))).toBe(origin);
  });

  it.each([
    ['another origin', ELSEWHERE],
    ['a sibling that the origin is the start of', `${ORIGIN}.evil.example`],
    ['the same host over HTTP', ORIGIN.replace('https', 'http')],
    ['an origin with a path', `${ORIGIN}/`],
    ['the origin in other letters', ORIGIN.toUpperCase()],
    ['an opaque origin', 'null'],
    ['no page at all', null],
  ])('is refused from %s, and no page can read that', async (_name, origin) => {
    const answer = await send(origin);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'origin_not_allowed' } } });
    expect(answer.headers.vary).toBe('Origin');
    expect(allowed(answer)).toBeUndefined();
  });

  it('is refused with two origins', async () => {
    const headers = { ...headersOf(null), origin: [ORIGIN, ORIGIN] };
    const answer = await running.send({ method: 'POST', path: PATH, headers, body: '{"name":"a"}' });
    expect(answer.status).toBe(403);
  });

  it.each<[string, number, () => Promise<TestAnswer>]>([
    ['400', 400, () => send(ORIGIN, {}, '{}')],
    ['413', 413, () => send(ORIGIN, {}, `{"name":"${'a'.repeat(2_000)}"}`)],
    ['415', 415, () => send(ORIGIN, { 'content-type': 'text/plain' })],
    ['a token that has ended', 401, () => send(ORIGIN, { authorization: `Bearer ${ENDED}` })],
    ['no token', 401, () => send(ORIGIN, { authorization: '' })],
    ['405', 405, () => running.send({ method: 'PUT', path: PATH, headers: { origin: ORIGIN } })],
    [
      'a path that is no UTF-8',
      400,
      () => running.send({ path: '/v1/uploads/%E0%A4', headers: { origin: ORIGIN } }),
    ],
    [
      'a paused workspace',
      403,
      () => {
        running.world.workspace = workspaceNamed('own', { state: 'paused' });
        return send(ORIGIN);
      },
    ],
  ])('can be read when it is refused: %s', async (_name, status, request) => {
    const answer = await request();
    expect(answer.status).toBe(status);
    expect(allowed(answer)).toBe(ORIGIN);
    expect(answer.headers.vary).toBe('Origin');
  });

  it('can be read when its body is no HTTP', async () => {
    const headers = Object.entries({ host: 'a', ...headersOf(ORIGIN), 'transfer-encoding': 'chunked' });
    const head = [`POST ${PATH} HTTP/1.1`, ...headers.map((header) => header.join(': '))];
    const answer = await running.sendRaw(`${head.join('\r\n')}\r\n\r\nzz\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`Access-Control-Allow-Origin: ${ORIGIN}`);
  });

  it('is refused before anything is told about the workspace', async () => {
    running.world.workspace = workspaceNamed('own', { state: 'paused' });
    expect((await send(ELSEWHERE)).body.error.code).toBe('origin_not_allowed');
  });
});

const ENDED = secretFrom('import', bytesOf('ended'));

describe('a preflight', () => {
  it('names the methods and headers that are needed, and may be kept', async () => {
    const answer = await preflight(ORIGIN);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Traceparent',
      'access-control-max-age': '3600',
      vary: 'Origin',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await preflight(ORIGIN, `/v1/uploads/${IMPORT}`, 'PUT')).headers).toMatchObject({
      'access-control-allow-methods': 'PUT',
    });
  });

  it.each(['http://customer.example', 'http://localhost:3000', 'null'])(
    'admits no page of %s',
    async (origin) => {
      const answer = await preflight(origin);
      expect(answer.status).toBe(204);
      expect(allowed(answer)).toBeUndefined();
      expect(answer.headers).not.toHaveProperty('access-control-allow-methods');
    },
  );

  it('admits pages on no other route', async () => {
    for (const path of ['/v1/echo', `/v1/delivery/a/b`, '/livez']) {
      const answer = await preflight(ORIGIN, path);
      expect(answer.status).toBe(204);
      expect(allowed(answer)).toBeUndefined();
      expect(answer.headers).not.toHaveProperty('vary');
    }
  });
});

describe('an upload', () => {
  const upload = (origin: string | null) => {
    const headers = headersOf(origin, {
      authorization: `Bearer ${SECRETS.upload}`,
      'content-type': 'text/csv',
    });
    return running.send({ method: 'PUT', path: `/v1/uploads/${IMPORT}`, headers, body: 'a\n1\n' });
  };

  it("comes from the session's own page, where there is a session", async () => {
    expect(allowed(await upload(ORIGIN))).toBe(ORIGIN);
    for (const origin of [ELSEWHERE, null]) {
      expect((await upload(origin)).body.error.code).toBe('origin_not_allowed');
    }
  });

  it("comes from anywhere and is answered to no page, where the import is an agent's", async () => {
    running.world.origin = null;
    for (const origin of [ORIGIN, ELSEWHERE, null]) {
      const answer = await upload(origin);
      expect(answer.status).toBe(200);
      expect(allowed(answer)).toBeUndefined();
    }
  });
});

describe('pages of this machine', () => {
  const LOCAL = 'http://localhost:3000';

  it('are admitted where the configuration says so, and only at its ports', async () => {
    running.world.origin = LOCAL;
    expect((await send(LOCAL)).status).toBe(403);
    const local = await startGateway(TEST_ROUTES, { loopbackPorts: [3_000] });
    local.world.origin = LOCAL;
    const request = { method: 'POST', path: PATH, headers: headersOf(LOCAL), body: '{"name":"a"}' };
    const answer = await local.send(request);
    expect(answer.status).toBe(201);
    expect(allowed(answer)).toBe(LOCAL);
    local.world.origin = 'http://localhost:4000';
    expect((await local.send({ ...request, headers: headersOf('http://localhost:4000') })).status).toBe(403);
    await local.close();
  });
});
