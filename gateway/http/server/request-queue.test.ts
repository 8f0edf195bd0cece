import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { secretFrom } from '../../../schemas/base/secrets.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import type { TurnedAway } from '../../../topics/ports/meter.ts';
import {
  bytesOf,
  HOSTS,
  ORIGIN,
  type RunningGateway,
  SECRETS,
  startGateway,
  type TestRequest,
} from '../gateway.fixture.ts';
import { defineRoute } from '../routing/route.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import { INTERVAL_MS, LoopTestClock } from './overload.fixture.ts';
import { Overload, UNDER_WAY_MIN } from './overload.ts';

const BURST = UNDER_WAY_MIN + 40;
const DECIDED_MS_MAX = 20_000;

/** Sends a request and closes the connection. Argument: the port. */
const SENDS_AND_GOES = `
  const body = JSON.stringify({ name: 'gone' });
  const head = ['POST /v1/held HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: ' + body.length];
  require('node:net').connect(Number(process.argv[1]), '127.0.0.1').end([...head, '', body].join('\\r\\n'), () => process.exit());
`;

let clock: LoopTestClock;
let running: RunningGateway;
let handled: string[];
let turnedAway: TurnedAway[];
let release: PromiseWithResolvers<void>;

/** A route that answers once the test lets it. */
const HELD = defineRoute({
  name: 'held',
  summary: 'Answers later.',
  description: 'A route of a test.',
  method: 'POST',
  path: '/v1/held',
  host: 'base',
  principal: 'none',
  rate: 'none',
  body: { kind: 'json', schema: z.strictObject({ name: z.string() }), limit: 'configurationBytes' },
  success: { status: 200, schema: z.looseObject({}), description: 'The name.' },
  errors: [],
  handle: async ({ body }) => {
    handled.push(body.name);
    await release.promise;
    return { body };
  },
});

beforeEach(async () => {
  clock = new LoopTestClock();
  handled = [];
  turnedAway = [];
  release = Promise.withResolvers();
  running = await startGateway([HELD, ...TEST_ROUTES], {
    // Each test says from which address a request comes.
    trustedProxies: ['127.0.0.0/8'],
    limits: DEFAULT_LIMITS,
    overload: new Overload(clock),
    overloadMeter: { turnedAway: (reason) => turnedAway.push(reason) },
  });
  await saturate();
});
afterEach(async () => {
  release.resolve();
  await running.close();
});

/** Lets an interval pass without idle time, and a request measure it. */
async function saturate(): Promise<void> {
  clock.pass(INTERVAL_MS, 1);
  await running.send({ path: '/v1/unknown' });
}

/** The callers of requests that name no other. */
let addresses = 0;
beforeEach(() => {
  addresses = 0;
});

/** Sends a request, by default from an address that sends no other one. */
function post(name: string, caller: Readonly<Record<string, string>> = {}) {
  addresses += 1;
  return running.send({
    method: 'POST',
    path: '/v1/held',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}`,
      ...caller,
    },
    body: JSON.stringify({ name }),
  });
}

const SESSION_COOKIE = `svc_session_8787=${SECRETS.session}`;
const ONE_ADDRESS = { 'x-forwarded-for': '203.0.113.7' };

/** Waits until this many requests are handled or refused. */
async function untilDecided(requests: number): Promise<void> {
  await vi.waitFor(() => expect(handled.length + turnedAway.length).toBe(requests), DECIDED_MS_MAX);
}

/** The answers to requests of one caller, whose neighbour is answered. */
async function besideNeighbour(
  greedy: readonly ReturnType<typeof post>[],
  caller: Readonly<Record<string, string>>,
): Promise<number[]> {
  await untilDecided(greedy.length);
  const neighbour = post('neighbour', caller);
  await vi.waitFor(() => expect(handled).toContain('neighbour'), DECIDED_MS_MAX);
  release.resolve();
  expect((await neighbour).status).toBe(200);
  expect(new Set(turnedAway)).toEqual(new Set(['share']));
  return (await Promise.all(greedy)).map(({ status }) => status);
}

/** Sends a request that is accepted, and returns its credential in a form of few. */
async function accepted(kind: 'project' | 'progress' | 'session'): Promise<Readonly<Record<string, string>>> {
  const { installationId } = running.world.workspace;
  running.world.origin = ORIGIN;
  const requests: Record<typeof kind, TestRequest> = {
    project: {
      path: `/v1/installations/${installationId}/things`,
      headers: { authorization: `Bearer ${SECRETS.project}` },
    },
    progress: {
      path: '/v1/browser/progress',
      headers: { authorization: `Bearer ${SECRETS.progress}`, origin: ORIGIN },
    },
    session: {
      method: 'POST',
      path: '/v1/console/leave',
      headers: { cookie: SESSION_COOKIE, origin: HOSTS.console },
    },
  };
  const { status } = await running.send(requests[kind]);
  expect(status).toBeLessThan(300);
  return kind === 'session' ? { cookie: SESSION_COOKIE } : { authorization: `bearer   ${SECRETS[kind]}` };
}

describe('a saturated gateway', () => {
  it('handles each accepted request once, and nothing of a refused one', async () => {
    const answers = Array.from({ length: BURST }, async (_, index) => ({
      name: `request ${index}`,
      ...(await post(`request ${index}`)),
    }));
    await untilDecided(BURST);
    release.resolve();
    const all = await Promise.all(answers);
    const accepted = all.filter(({ status }) => status === 200);
    const refused = all.filter(({ status }) => status === 503);
    expect(accepted).toHaveLength(UNDER_WAY_MIN);
    expect(refused).toHaveLength(BURST - UNDER_WAY_MIN);
    expect(handled.toSorted()).toEqual(accepted.map(({ name }) => name).toSorted());
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['1']));
    expect(refused[0]?.body.error).toMatchObject({ code: 'unavailable' });
    expect(turnedAway).toEqual(refused.map(() => 'overload'));
  });

  it('counts a long JSON body as several requests', async () => {
    const long = (index: number) => `${index} `.padEnd(14 * 1_024, 'x');
    const answers = Array.from({ length: UNDER_WAY_MIN }, (_, index) => post(long(index)));
    await untilDecided(UNDER_WAY_MIN);
    release.resolve();
    await Promise.all(answers);
    // Each has a fourth piece of 4 KiB.
    expect(handled).toHaveLength(UNDER_WAY_MIN / 4);
  });

  it('refuses the caller that has its share with 429, and serves its neighbour', async () => {
    const greedy = Array.from({ length: BURST }, (_, index) => post(`request ${index}`, ONE_ADDRESS));
    expect(new Set(await besideNeighbour(greedy, {}))).toEqual(new Set([200, 429]));
  });

  it('counts credentials that were never accepted as their address', async () => {
    const greedy = Array.from({ length: BURST }, (_, index) => {
      const madeUp = secretFrom('project', bytesOf(`made up ${index}`));
      return post(`request ${index}`, { ...ONE_ADDRESS, authorization: `Bearer ${madeUp}` });
    });
    expect(new Set(await besideNeighbour(greedy, {}))).toEqual(new Set([200, 429]));
  });

  it('gives an accepted credential another share than its address', async () => {
    await accepted('project');
    const greedy = Array.from({ length: BURST }, (_, index) => post(`request ${index}`, ONE_ADDRESS));
    const neighbour = { ...ONE_ADDRESS, authorization: `Bearer ${SECRETS.project}` };
    expect(new Set(await besideNeighbour(greedy, neighbour))).toEqual(new Set([200, 429]));
  });

  it('counts all credentials of one organization together, however they are written', async () => {
    const greedy = await Promise.all((['project', 'progress', 'session'] as const).map(accepted));
    const requests = Array.from({ length: BURST }, (_, index) =>
      post(`request ${index}`, {
        ...greedy[index % greedy.length],
        ...(index % 2 === 0 ? {} : { cookie: `other=${index}; ${SESSION_COOKIE}` }),
      }),
    );
    const statuses = await besideNeighbour(requests, {});
    expect(statuses.filter((status) => status === 200)).toHaveLength(UNDER_WAY_MIN / 2);
  });

  it('answers what probes ask', async () => {
    const held = Array.from({ length: BURST }, (_, index) => post(`request ${index}`));
    await untilDecided(BURST);
    const probes = ['/livez', '/readyz'].map((path) => running.send({ path }));
    expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 200]);
    release.resolve();
    await Promise.all(held);
  });

  it('drops the request of a caller that has gone', async () => {
    // It blocks the event loop of this process until the other one has closed its connection.
    execFileSync(process.execPath, ['--eval', SENDS_AND_GOES, String(running.server.port)]);
    await vi.waitFor(() => expect(turnedAway).toEqual(['gone']), DECIDED_MS_MAX);
    expect(handled).toEqual([]);
  });

  it('keeps the connection of a refused request, and serves it later', async () => {
    const held = Array.from({ length: BURST }, (_, index) => post(`request ${index}`));
    await untilDecided(BURST);
    const again = post('refused');
    expect((await again).status).toBe(503);
    release.resolve();
    await Promise.all(held);
    clock.pass(INTERVAL_MS, 0);
    expect((await post('refused')).status).toBe(200);
    expect(handled).toContain('refused');
  });
});

describe('a page that a saturated gateway refuses', () => {
  const things = (origin: string, headers: Readonly<Record<string, string>> = {}) => ({
    path: '/v1/browser/things',
    headers: { origin, ...headers },
  });
  const authorization = `Bearer ${SECRETS.import}`;
  const preflight = { 'access-control-request-method': 'POST' };

  const whileFull = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const held = Array.from({ length: BURST }, (_, index) => post(`request ${index}`));
    await untilDecided(BURST);
    const result = await work();
    release.resolve();
    await Promise.all(held);
    return result;
  };

  it('can read why, and when to try again', async () => {
    const answer = await whileFull(() =>
      running.send({ method: 'POST', ...things(ORIGIN, { authorization }) }),
    );
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id',
      'retry-after': '1',
      vary: 'Origin',
    });
  });

  it('gets its preflight answered, so that the request itself is sent', async () => {
    const answer = await whileFull(() => running.send({ method: 'OPTIONS', ...things(ORIGIN, preflight) }));
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, Traceparent',
      'access-control-max-age': '3600',
    });
  });

  it.each([
    ['of a page without HTTPS', things('http://customer.example')],
    ['of a route for backends', { ...things(ORIGIN), path: '/v1/echo' }],
    ['of no route', { ...things(ORIGIN), path: '/v1/browser/things/' }],
  ])('learns nothing %s', async (_name, request) => {
    const answers = await whileFull(() =>
      Promise.all([
        running.send({ method: 'POST', ...request }),
        running.send({ method: 'OPTIONS', ...request, headers: { ...request.headers, ...preflight } }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    for (const { headers } of answers) expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
