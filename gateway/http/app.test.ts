import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorEnvelopeSchema, serviceError } from '../../schemas/base/errors.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import {
  HOSTS,
  IMPORT,
  type RunningGateway,
  SECRETS,
  startGateway,
  workspaceNamed,
} from './gateway.fixture.ts';
import { defineRoute, type Route } from './routing/route.ts';
import { TEST_ROUTES } from './routing/test-routes.fixture.ts';

const REQUEST_ID = /^req_[0-9A-Za-z]{24}$/;
const JSON_TYPE = { 'content-type': 'application/json' };

/** A route that throws what its path names. */
const THROWING: Route = defineRoute({
  name: 'throwing',
  summary: 'Throws.',
  description: 'A route of a test.',
  method: 'GET',
  path: '/v1/throw/:what',
  host: 'base',
  principal: 'none',
  rate: 'none',
  params: z.strictObject({ what: z.enum(['refusal', 'engine', 'bug', 'nothing', 'later']) }),
  body: { kind: 'none' },
  success: { status: 200, schema: z.looseObject({}), description: 'Never.' },
  errors: ['state_conflict'],
  handle: async ({ params }) => {
    switch (params.what) {
      case 'refusal':
        throw serviceError('limit_reached', { at: 'import', seen: 'one that runs', expected: 'none' }, 7);
      case 'engine':
        throw new EngineUnavailableError('store');
      case 'bug':
        throw new TypeError('reading "hidden" of undefined');
      case 'nothing':
        throw undefined;
      case 'later':
        await new Promise((_resolve, reject) => setImmediate(reject, new Error('breaking later')));
        return {};
    }
  },
});

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway([...TEST_ROUTES, THROWING]);
});
afterAll(() => running.close());

const echo = (body: string | Uint8Array, headers: Record<string, string | string[]> = JSON_TYPE) =>
  running.send({ method: 'POST', path: '/v1/echo', headers, body });

describe('every answer', () => {
  it.each([
    ['200', { path: '/livez' }, 200],
    ['201', { method: 'POST', path: '/v1/echo', headers: JSON_TYPE, body: '{"name":"a"}' }, 201],
    ['400', { path: '/v1/throw/%ff' }, 400],
    ['404', { path: '/nowhere' }, 404],
    ['405', { method: 'DELETE', path: '/v1/echo' }, 405],
    ['429', { path: '/v1/throw/refusal' }, 429],
    ['500', { path: '/v1/throw/bug' }, 500],
    ['503', { path: '/v1/throw/engine' }, 503],
    ['HEAD', { method: 'HEAD', path: '/livez' }, 200],
    ['OPTIONS', { method: 'OPTIONS', path: '/v1/echo' }, 204],
    ['an unknown method', { method: 'PROPFIND', path: '/v1/echo' }, 405],
  ])('of %s has a new request id and the security headers', async (_name, request, status) => {
    const headers = { ...('headers' in request ? request.headers : {}), 'X-Request-Id': 'req_mine' };
    const answer = await running.send({ ...request, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-request-id': expect.stringMatching(REQUEST_ID),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const name of ['x-powered-by', 'etag', 'strict-transport-security', 'set-cookie']) {
      expect(answer.headers[name]).toBeUndefined();
    }
    if (status >= 400 && answer.text !== '') {
      const { error } = errorEnvelopeSchema.parse(answer.body);
      expect(error.request_id).toBe(answer.headers['x-request-id']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('has another request id than the one before', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await running.send({ path: '/livez' })).headers),
    );
    expect(new Set(ids.map((headers) => headers['x-request-id'])).size).toBe(3);
  });
});

describe('paths and methods', () => {
  it.each(['/V1/echo', '/v1/echo/', '//v1/echo', '/v1//echo', '/', '/v1/echo/more', '/v1/ech%6f/x', '*'])(
    '%s leads nowhere',
    async (path) => {
      const answer = await running.send({ method: 'POST', path, headers: JSON_TYPE, body: '{"name":"a"}' });
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    },
  );

  it('takes a whole address for the path in it', async () => {
    const path = `http://any.example/v1/echo?from=a/b`;
    const answer = await running.send({ method: 'DELETE', path });
    expect(answer).toMatchObject({ status: 405 });
  });

  it('names the methods of a path', async () => {
    const path = `/v1/installations/${workspaceNamed('own').installationId}/things`;
    const refused = await running.send({ method: 'DELETE', path });
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS, POST' } });
    const asked = await running.send({ method: 'OPTIONS', path });
    expect(asked).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS, POST' }, text: '' });
    expect((await running.send({ method: 'OPTIONS', path: '/nowhere' })).status).toBe(404);
  });

  it('answers HEAD like GET, without the body', async () => {
    const get = await running.send({ path: '/livez' });
    const head = await running.send({ method: 'HEAD', path: '/livez' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('asks for a credential with the scheme, where it is a bearer route', async () => {
    const { installationId } = workspaceNamed('own');
    const path = `/v1/installations/${installationId}/things`;
    const metadata = `resource_metadata="${HOSTS.base}/.well-known/oauth-protected-resource"`;
    const none = await running.send({ path });
    expect(none).toMatchObject({ status: 401, headers: { 'www-authenticate': `Bearer ${metadata}` } });
    const wrong = await running.send({ path, headers: { authorization: 'Bearer svc_project_no' } });
    expect(wrong).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': `Bearer error="invalid_token", ${metadata}` },
    });
    const ofPage = await running.send({ method: 'PUT', path: `/v1/uploads/${IMPORT}` });
    expect(ofPage).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    const signOut = await running.send({ method: 'POST', path: '/v1/console/leave' });
    expect(signOut.status).toBe(401);
    expect(signOut.headers['www-authenticate']).toBeUndefined();
  });
});

describe('errors', () => {
  it.each([
    ['refusal', 429, 'limit_reached', '7'],
    ['engine', 503, 'unavailable', '1'],
    ['bug', 500, 'internal_error', undefined],
    ['nothing', 500, 'internal_error', undefined],
    ['later', 500, 'internal_error', undefined],
  ])('%s becomes %d %s', async (what, status, code, retryAfter) => {
    const answer = await running.send({ path: `/v1/throw/${what}` });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(answer.text).not.toMatch(/hidden|breaking|at .*\.ts/);
  });
});

describe('bodies', () => {
  it.each([
    ['application/json', 201],
    ['Application/JSON; Charset=UTF-8', 201],
    ['application/json; charset="utf-8"', 201],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/vnd.api+json', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json, text/plain', 415],
    ['json', 415],
  ])('content type %s: %d', async (contentType, status) => {
    expect((await echo('{"name":"a"}', { 'content-type': contentType })).status).toBe(status);
  });

  it('refuses what could be read in two ways', async () => {
    const body = '{"name":"a"}';
    expect((await echo(body, {})).status).toBe(415);
    expect((await echo(body, { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await echo(body, { 'content-type': ['application/json', 'text/plain'] })).status).toBe(415);
    const twice = { ...JSON_TYPE, 'idempotency-key': ['a', 'b'] };
    expect(await echo(body, twice)).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['an overlong encoding', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
    ['an array', Buffer.from('[]')],
    ['a member twice', Buffer.from('{"name":"a","name":"b"}')],
    ['an unknown member', Buffer.from('{"name":"a","admin":true}')],
    ['__proto__', Buffer.from('{"name":"a","__proto__":{"admin":true}}')],
  ])('%s: 400', async (_name, body) => {
    expect(await echo(body)).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });

  it('takes an idempotency key of printable ASCII from the header', async () => {
    const withKey = (key: string) => echo('{"name":"a"}', { ...JSON_TYPE, 'idempotency-key': key });
    expect((await withKey('a key')).body.idempotencyKey).toBe('a key');
    expect((await withKey('x'.repeat(129))).status).toBe(400);
    expect((await withKey('ä')).status).toBe(400);
    expect((await echo('{"name":"a"}')).body.idempotencyKey).toBeNull();
  });

  it('takes exactly as many bytes as allowed', async () => {
    const exact = '{"name":"a"}'.padEnd(1_024);
    expect((await echo(exact)).status).toBe(201);
    expect(await echo(`${exact} `)).toMatchObject({
      status: 413,
      body: { error: { code: 'payload_too_large' } },
    });
    const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    expect((await echo(exact, chunked)).status).toBe(201);
    expect((await echo(`${exact} `, chunked)).status).toBe(413);
  });

  it('takes no body where there is none', async () => {
    const { session } = SECRETS;
    const headers = { cookie: `svc_session_8787=${session}`, origin: HOSTS.console };
    const send = (body: string) => running.send({ method: 'POST', path: '/v1/console/leave', headers, body });
    expect((await send('')).status).toBe(204);
    expect((await send('{}')).status).toBe(400);
  });

  it('answers random bytes with the envelope, never with an internal error', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 1_200 }),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '0') })
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const answer = await echo(bytes);
        expect([400, 413]).toContain(answer.status);
        errorEnvelopeSchema.parse(answer.body);
      }),
      { numRuns: 300 },
    );
  });
});

describe('query parameters', () => {
  const { installationId } = workspaceNamed('own');
  const read = (query: string) =>
    running.send({
      path: `/v1/installations/${installationId}/things${query}`,
      headers: { authorization: `Bearer ${SECRETS.project}` },
    });

  it.each([
    ['', 200],
    ['?index=3', 200],
    ['?index=-1', 400],
    ['?index=x', 400],
    ['?index=1&index=2', 400],
    ['?other=1', 400],
    ['?index=%ff', 400],
    ['?__proto__=1', 400],
  ])('%j: %d', async (query, status) => {
    expect((await read(query)).status).toBe(status);
  });
});

describe('hosts', () => {
  let apart: RunningGateway;
  const hosts = {
    base: 'https://api.example',
    limiter: 'https://limiter.example',
    ingest: 'https://ingest.example:8443',
    console: 'https://console.example',
    dashboard: 'https://console.example',
  };
  beforeAll(async () => {
    apart = await startGateway(TEST_ROUTES, { hosts });
  });
  afterAll(() => apart.close());

  const status = async (host: string, path: string, method = 'GET') =>
    (await apart.send({ method, path, headers: { host } })).status;

  it.each([
    ['api.example', '/v1/echo', 'POST', 415],
    ['API.example:443', '/v1/echo', 'POST', 415],
    ['api.example:80', '/v1/echo', 'POST', 404],
    ['console.example', '/v1/echo', 'POST', 404],
    ['console.example', '/v1/console/leave', 'POST', 401],
    ['api.example', '/v1/console/leave', 'POST', 404],
    ['ingest.example:8443', '/v1/uploads/x', 'PUT', 401],
    ['ingest.example', '/v1/uploads/x', 'PUT', 404],
    ['unknown.example', '/v1/echo', 'POST', 404],
    ['api.example', '/openapi.json', 'GET', 200],
    ['console.example', '/openapi.json', 'GET', 404],
    ['10.0.0.7:8787', '/livez', 'GET', 200],
    ['limiter.example', '/readyz', 'GET', 200],
  ])('on %s %s', async (host, path, method, expected) => {
    expect(await status(host, path, method)).toBe(expected);
  });

  it('insists on HTTPS where it is HTTPS', async () => {
    const { headers } = await apart.send({ path: '/livez', headers: { host: 'api.example' } });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('probes', () => {
  it('tell apart running and ready', async () => {
    expect(await running.send({ path: '/readyz' })).toMatchObject({ status: 200, body: { status: 'ok' } });
    running.world.ready = false;
    expect(await running.send({ path: '/readyz' })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { error: { message: 'Not ready just now. A test says so.' } },
    });
    expect(await running.send({ path: '/livez' })).toMatchObject({ status: 200, body: { status: 'ok' } });
    running.world.ready = true;
  });
});
