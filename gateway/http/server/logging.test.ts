import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { SWITCHES_ON } from '../../../schemas/organizations/switches.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { type RunningGateway, SECRETS, startGateway, workspaceNamed } from '../gateway.fixture.ts';
import { defineRoute } from '../routing/route.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import { createLogger, logRequest, logUnexpected } from './logging.ts';
import { UnservedLog } from './unserved-log.ts';

const PRIVATE = 'private-value';

/** Breaks in a way that quotes what the caller sent. */
const BREAKING = defineRoute({
  name: 'breaking',
  summary: 'Breaks.',
  description: 'A route of a test.',
  method: 'POST',
  path: '/v1/break/:what',
  host: 'base',
  principal: 'none',
  rate: 'none',
  params: z.strictObject({ what: z.string() }),
  body: { kind: 'json', schema: z.looseObject({ text: z.string() }), limit: 'jsonBytes' },
  success: { status: 200, schema: z.looseObject({}), description: 'Never.' },
  errors: [],
  handle: async ({ body, params }) => {
    switch (params.what) {
      case 'json':
        JSON.parse(body.text);
        break;
      case 'zod':
        z.literal('a').parse(body.text);
        z.strictObject({}).parse({ [body.text]: 1 });
        break;
      case 'node':
        Buffer.from('', body.text as BufferEncoding);
        break;
      case 'unserved':
        throw new EngineUnavailableError('counters');
      case 'cause':
        throw new Error('reading the thing', { cause: new Error(`"${body.text}"`) });
      default:
        throw body.text;
    }
    return { body: {} };
  },
});

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway([...TEST_ROUTES, BREAKING]);
});
afterAll(() => running.close());

const written = () => running.lines.join('');

describe('the log', () => {
  it('holds one line a request, with nothing of the caller but the method', async () => {
    const before = running.lines.length;
    const { installationId } = workspaceNamed('own');
    const { headers } = await running.send({
      path: `/v1/installations/${installationId}/things?index=12345`,
      headers: { authorization: `Bearer ${SECRETS.project}`, 'user-agent': PRIVATE },
    });
    await expect.poll(() => running.lines.length).toBe(before + 1);
    expect(JSON.parse(running.lines[before] ?? '')).toEqual({
      level: 'info',
      time: expect.any(String),
      msg: 'RequestAnswered',
      requestId: headers['x-request-id'],
      route: 'project-read',
      method: 'GET',
      status: 200,
      durationMs: expect.any(Number),
      principal: 'project',
      caller: expect.stringMatching(/^crd_/),
      workspace: workspaceNamed('own').workspaceId,
    });
  });

  it('names the person and the workspace that a console route is about', async () => {
    const lineOf = async (request: Parameters<RunningGateway['send']>[0]) => {
      const before = running.lines.length;
      await running.send(request);
      await expect.poll(() => running.lines.length).toBe(before + 1);
      return JSON.parse(running.lines[before] ?? '');
    };
    const { workspaceId } = workspaceNamed('own');
    const path = `/v1/console/workspaces/${workspaceId}/things`;
    const cookie = `svc_session_8787=${SECRETS.session}`;
    const headers = { cookie, origin: 'http://127.0.0.1:8787', 'content-type': 'application/json' };
    expect(await lineOf({ method: 'POST', path, headers, body: '{' })).toMatchObject({
      principal: 'console',
      caller: expect.stringMatching(/^usr_/),
      workspace: workspaceId,
    });
    expect(await lineOf({ path: '/livez' })).toMatchObject({ caller: null, workspace: null });
  });

  it('keeps secrets and private values out, wherever they are sent', async () => {
    const secrets = [...Object.values(SECRETS), PRIVATE];
    for (const secret of secrets) {
      const headers = {
        authorization: `Bearer ${secret}`,
        cookie: `svc_session_8787=${secret}`,
        'content-type': 'application/json',
        'idempotency-key': secret,
        'x-forwarded-for': secret,
        'x-request-id': secret,
        origin: `https://${secret}.example`,
        [secret]: secret,
      };
      const body = JSON.stringify({ name: secret, [secret]: secret, token: secret });
      for (const path of ['/v1/echo', `/v1/uploads/${secret}`, `/${secret}`, '/v1/console/leave']) {
        for (const method of ['POST', 'PUT', 'DELETE']) {
          await running.send({ method, path: `${path}?secret=${secret}&${secret}=1`, headers, body });
        }
      }
      await running.sendRaw(`GET /${secret} HTTP/9\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
    }
    for (const secret of secrets) expect(written()).not.toContain(secret);
    expect(written()).not.toMatch(/127\.0\.0\.1|::1/);
  });

  it.each(['json', 'zod', 'node', 'cause', 'thrown'])('tells a fault without its value: %s', async (what) => {
    const before = running.lines.length;
    const body = JSON.stringify({ text: `${PRIVATE}"'\n${PRIVATE}` });
    const headers = { 'content-type': 'application/json' };
    const answer = await running.send({ method: 'POST', path: `/v1/break/${what}`, headers, body });
    expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
    await expect.poll(() => running.lines.length).toBe(before + 2);
    expect(JSON.parse(running.lines[before] ?? '')).toMatchObject({
      level: 'error',
      requestId: answer.headers['x-request-id'],
      route: 'breaking',
      error: { name: expect.any(String) },
    });
    expect(written()).not.toContain(PRIVATE);
  });
});

describe('UnservedLog', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('says at once that requests are refused, and then their number once a second', () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = new UnservedLog(createLogger({ level: 'warn', destination }));
    for (let request = 0; request < 1_011; request += 1) log.add(new EngineUnavailableError('counters'));
    const requests = () => lines.map((line) => JSON.parse(line).requests);
    expect(requests()).toEqual([1]);
    vi.advanceTimersByTime(10 * SECOND_MS);
    expect(requests()).toEqual([1, 1_010]);
    log.add(new EngineUnavailableError('store'));
    expect(requests()).toEqual([1, 1_010, 1]);
  });

  it('gets every refusal that has its reason in the service, but not those of probes and switches', async () => {
    const before = running.lines.length;
    running.world.ready = false;
    expect((await running.send({ path: '/readyz' })).status).toBe(503);
    running.world.ready = true;
    const body = JSON.stringify({ text: '' });
    const headers = { 'content-type': 'application/json' };
    const answer = await running.send({ method: 'POST', path: '/v1/break/unserved', headers, body });
    expect(answer.status).toBe(503);
    running.world.switches = { ...SWITCHES_ON, creation: false };
    const wanted = await running.send({
      method: 'POST',
      path: `/v1/installations/${workspaceNamed('own').installationId}/things`,
      headers: { ...headers, authorization: `Bearer ${SECRETS.project}` },
      body: '{"name":"a"}',
    });
    running.world.switches = SWITCHES_ON;
    expect(wanted.status).toBe(503);
    await expect.poll(() => running.lines.length).toBe(before + 4);
    const lines = running.lines.slice(before).map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg !== 'RequestAnswered')).toMatchObject([
      { level: 'warn', msg: 'RequestsNotServed', requests: 1, error: { message: 'reaching the counters' } },
    ]);
  });
});

describe('createLogger', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };

  it('hides secrets that are logged by mistake', () => {
    const logger = createLogger({ level: 'info', destination });
    const limiterKey = `svc_limiter_live_${'a1'.repeat(16)}`;
    logger.info(
      { authorization: PRIVATE, nested: { password: PRIVATE, deeper: SECRETS.project } },
      limiterKey,
    );
    logUnexpected(logger, { requestId: 'req_1', route: null }, new Error(`reading ${SECRETS.upload}`));
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toMatch(
      new RegExp([PRIVATE, SECRETS.project, SECRETS.upload, limiterKey].join('|')),
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ nested: { password: '[hidden]' }, msg: '[hidden]' });
  });

  it('writes the line of a request as it would write any other', () => {
    const record = {
      requestId: 'req_1',
      route: null,
      method: 'GET',
      status: 200,
      durationMs: 1,
      principal: 'project',
      caller: null,
      workspace: null,
    } as const;
    const taken: string[] = [];
    const logger = createLogger({ level: 'info', destination: { write: (line) => void taken.push(line) } });
    logRequest(logger, record);
    logger.info(record, 'RequestAnswered');
    const [ours = '', theirs = ''] = taken.map((line) => line.replace(/"time":"[^"]*"/, '"time":""'));
    expect(ours).toBe(theirs);
    logger.level = 'warn';
    logRequest(logger, record);
    expect(taken).toHaveLength(2);
  });

  it('says as much as it is told to', () => {
    lines.length = 0;
    const logger = createLogger({ level: 'warn', destination });
    logger.info('quiet');
    logger.warn('loud');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', msg: 'loud' }]);
  });
});
