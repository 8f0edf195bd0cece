import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LimiterService } from '../../infra/testing/e2e/limits/limiter-service.fixture.ts';
import type { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { freePort } from '../../infra/tools/service-process/service-process.ts';
import { SvcError } from './error.ts';
import { type Limiter, limiter } from './limiter.ts';
import { expressLimit, fastifyLimit, fetchLimit, honoLimit } from './middleware.ts';

const LIMIT = { namespace: 'requests', limit: 2, window: 60_000 };

let service: LimiterService<ServiceInProcess>;
let limits: Limiter;
let unreachable: Limiter;
beforeAll(async () => {
  service = await LimiterService.start();
  const { key } = await service.newKey('test');
  limits = limiter({ key, baseUrl: service.main.url, onNoAnswer: 'throw', deadlineMs: 20_000 });
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  unreachable = limiter({ key, baseUrl: nowhere, onNoAnswer: 'deny', deadlineMs: 20_000 });
});
afterAll(() => service.dispose());

/** Sends requests of one user to an application of a framework. */
interface Application {
  readonly send: (user: string) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** An application of a server of Node. */
async function served(server: Server): Promise<Application> {
  if (!server.listening) await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    send: (user) => fetch(url, { headers: { user } }),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const FRAMEWORKS: Readonly<Record<string, (limiter: Limiter) => Promise<Application>>> = {
  Express: async (limiter) => {
    const app = express();
    app.use(
      expressLimit(limiter, {
        ...LIMIT,
        identifier: (request) => request.get('user') ?? '',
      }),
    );
    app.get('/', (_request, response) => void response.send('hello'));
    return await served(app.listen(0, '127.0.0.1'));
  },
  'node:http': async (limiter) => {
    const identifier = ({ headers }: { headers: Record<string, unknown> }) => String(headers['user']);
    const limit = expressLimit(limiter, { ...LIMIT, identifier });
    const server = createServer((request, response) => {
      void limit(request, response, (error) => {
        response.statusCode = error === undefined ? 200 : 500;
        response.end(error === undefined ? 'hello' : String(error));
      });
    });
    return await served(server.listen(0, '127.0.0.1'));
  },
  'a fetch handler': async (limiter) => {
    const identifier = ({ headers }: Request) => headers.get('user') ?? '';
    const limited = fetchLimit(limiter, { ...LIMIT, identifier });
    const handler = limited((_request, text: string) => new Response(text));
    const send = (user: string) => handler(new Request('http://127.0.0.1', { headers: { user } }), 'hello');
    // A runtime answers an error so.
    const failed = (error: unknown) => new Response(String(error), { status: 500 });
    return { send: (user) => send(user).catch(failed), close: async () => undefined };
  },
  Fastify: async (limiter) => {
    const app = fastify();
    app.addHook(
      'onRequest',
      fastifyLimit(limiter, { ...LIMIT, identifier: ({ headers }) => String(headers['user']) }),
    );
    app.get('/', async () => 'hello');
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { send: (user) => fetch(url, { headers: { user } }), close: () => app.close() };
  },
  Hono: async (limiter) => {
    const app = new Hono();
    app.use(honoLimit(limiter, { ...LIMIT, identifier: ({ req }) => req.header('user') ?? '' }));
    app.get('/', () => new Response('hello'));
    return { send: async (user) => app.request('/', { headers: { user } }), close: async () => undefined };
  },
};

describe.each(Object.entries(FRAMEWORKS))('a request of %s', (name, start) => {
  async function answers(limiter: Limiter, count: number) {
    const app = await start(limiter);
    const all: { status: number; headers: Headers; text: string }[] = [];
    for (let each = 0; each < count; each += 1) {
      const { status, headers, ...response } = await app.send(`user of ${name}`).then(async (answer) => ({
        status: answer.status,
        headers: answer.headers,
        text: await answer.text(),
      }));
      all.push({ status, headers, ...response });
    }
    await app.close();
    return all;
  }

  it('passes with its headers until the limit, then is answered 429', async () => {
    const [first, second, third] = await answers(limits, 3);
    expect([first, second].map((answer) => [answer?.status, answer?.text])).toEqual([
      [200, 'hello'],
      [200, 'hello'],
    ]);
    expect(first?.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60');
    expect(first?.headers.get('ratelimit')).toMatch(/^"requests";r=1;t=([1-5]?[0-9]|60)$/);
    expect(second?.headers.get('retry-after')).toBeNull();
    expect(third?.status).toBe(429);
    expect(third?.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=/);
    expect(third?.headers.get('retry-after')).toMatch(/^([1-5]?[0-9]|60)$/);
    expect(third?.headers.get('content-type')).toContain('application/json');
    expect(JSON.parse(third?.text ?? '')).toMatchObject({
      error: { code: 'rate_limited', limit: 'requests' },
    });
  });

  it('is answered 503 without an answer that is needed', async () => {
    const [only] = await answers(unreachable, 1);
    expect(only?.status).toBe(503);
    expect(JSON.parse(only?.text ?? '')).toMatchObject({ error: { code: 'unavailable' } });
  });

  it('fails as the framework lets requests fail if the check throws', async () => {
    const fail = () => Promise.reject(new Error('no answer'));
    const [only] = await answers({ ...limits, check: fail }, 1);
    expect(only?.status).toBe(500);
  });

  it.each([400, 401, 404])('is 500 without the reason if the check throws with status %i', async (status) => {
    const facts = { status, requestId: null, retryAfterMs: null };
    const error = new SvcError('bad_request', 'body.identifier: seen a string of 0 characters', facts);
    const [only] = await answers({ ...limits, check: () => Promise.reject(error) }, 1);
    expect(only?.status).toBe(500);
    expect(only?.text).not.toContain('identifier');
  });

  it.each(['allow', 'deny'] as const)(
    'is answered 503 quota_used_up with %s if a quota of the key is used up',
    async (onNoAnswer) => {
      const key = `svc_limiter_test_${'k'.repeat(32)}`;
      const error = { code: 'rate_limited', message: 'No.', request_id: 'req_1' };
      const answer = { status: 429, headers: { 'retry-after': '30' } };
      const fetch = async () => Response.json({ error }, answer);
      const onDecision = () => undefined;
      const usedUp = limiter({ key, baseUrl: 'https://api.example.com', onNoAnswer, fetch, onDecision });
      const [only] = await answers(usedUp, 1);
      expect(only?.status).toBe(503);
      expect(only?.headers.get('retry-after')).toBe('30');
      expect(JSON.parse(only?.text ?? '')).toMatchObject({ error: { code: 'quota_used_up' } });
    },
  );
});

describe('expressLimit in a server of Node', () => {
  it.each(['allowed', 'denied', 'thrown'])(
    'leaves a response alone that was answered before the check was %s',
    async (result) => {
      let decide = () => {};
      const decided = new Promise<void>((resolve) => {
        decide = resolve;
      });
      const check: Limiter['check'] = async (asked) => {
        await decided;
        if (result === 'thrown') throw new SvcError('timeout', 'Late.');
        const others = { source: 'service', remaining: 0, resetAt: 0, retryAfterMs: 1, error: null } as const;
        return { ...asked, ...others, allowed: result === 'allowed' };
      };
      const limit = expressLimit({ ...limits, check }, { ...LIMIT, identifier: () => 'ada' });
      const passed: unknown[] = [];
      const running: Promise<void>[] = [];
      const server = createServer((request, response: ServerResponse) => {
        running.push(limit(request, response, (error) => passed.push(error)));
        response.statusCode = 503;
        response.end('too late');
      });
      const app = await served(server.listen(0, '127.0.0.1'));
      expect((await app.send('ada')).status).toBe(503);
      decide();
      await Promise.all(running);
      expect(passed).toEqual(result === 'thrown' ? [expect.any(Error)] : []);
      await app.close();
    },
  );

  it('gives the error of a check to next, with the SvcError as its cause and without a status', async () => {
    const error = new SvcError('unauthorized', 'No.', { status: 401 });
    const failing = { ...limits, check: () => Promise.reject(error) };
    const seen: unknown[] = [];
    const response = { statusCode: 200, setHeader: () => undefined, end: () => undefined };
    const limit = expressLimit(failing, { ...LIMIT, identifier: () => 'ada' });
    await limit({}, response, (given) => seen.push(given));
    expect(seen).toEqual([expect.objectContaining({ cause: error })]);
    expect(seen[0]).not.toHaveProperty('status');
    expect(String(seen[0])).toBe('Error: The rate limiter did not decide about a request: unauthorized.');
  });

  it('gives an error of the application as it is', async () => {
    const mine = Object.assign(new Error('not signed in'), { status: 401 });
    const seen: unknown[] = [];
    const response = { statusCode: 200, setHeader: () => undefined, end: () => undefined };
    const identifier = () => {
      throw mine;
    };
    await expressLimit(limits, { ...LIMIT, identifier })({}, response, (given) => seen.push(given));
    expect(seen).toEqual([mine]);
  });
});

describe('an answer that is frozen', () => {
  let upstream: Application;
  let url: string;
  beforeAll(async () => {
    const server = createServer((_request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.end('upstream');
    });
    upstream = await served(server.listen(0, '127.0.0.1'));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => upstream.close());

  const HANDLERS: Readonly<Record<string, () => Response | Promise<Response>>> = {
    'of fetch': () => fetch(url),
    'of Response.redirect': () => Response.redirect('https://app.example/'),
    'of a handler': () => new Response('own', { headers: { ratelimit: 'of the handler' } }),
  };

  it.each(Object.keys(HANDLERS))('gets its headers from Hono and from a fetch handler: %s', async (name) => {
    const handler = HANDLERS[name] ?? (() => Response.error());
    const limit = { ...LIMIT, namespace: `frozen ${name}`, limit: 9, identifier: () => 'ada' };
    const app = new Hono().use(honoLimit(limits, limit)).get('/', () => handler());
    const answers = [await app.request('/'), await fetchLimit(limits, limit)(handler)(new Request(url))];
    const plain = await handler();
    for (const answer of answers) {
      expect(answer.headers.get('ratelimit')).toContain(`"frozen ${name}";r=`);
      expect(answer.headers.getSetCookie()).toEqual(plain.headers.getSetCookie());
      expect(answer.headers.get('location')).toBe(plain.headers.get('location'));
      expect(answer.status).toBe(plain.status);
    }
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
      Array(2).fill(await plain.text()),
    );
  });
});

it('types the body of a request of Hono without its types', async () => {
  const app = new Hono();
  const identifier = async ({ req }: { req: { json(): Promise<{ email: string }> } }) =>
    (await req.json()).email;
  app.use(honoLimit(limits, { ...LIMIT, identifier: async (c) => (await c.req.json()).email }));
  app.post('/', honoLimit(limits, { ...LIMIT, namespace: 'typed', identifier }), () => new Response('hello'));
  const sent = { method: 'POST', body: JSON.stringify({ email: 'ada@example.com' }) };
  expect((await app.request('/', sent)).status).toBe(200);
  expect(await limits.peek({ ...LIMIT, identifier: 'ada@example.com' })).toMatchObject({ remaining: 1 });
});

it('counts a request against several limits, and tells of the strictest', async () => {
  const app = new Hono();
  const byUser = { namespace: 'by-user', limit: 2, window: 60_000, identifier: () => 'ada' };
  const byAddress = { namespace: 'by-address', limit: 9, window: 120_000, identifier: () => '203.0.113.7' };
  app.use(honoLimit(limits, byAddress, byUser));
  app.get('/', () => new Response('hello'));
  const first = await app.request('/');
  expect(first.headers.get('ratelimit-policy')).toBe('"by-user";q=2;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"by-user";r=1;t=/);
  await app.request('/');
  const refused = await app.request('/');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited', limit: 'by-user' } });
  const left = await limits.check({ ...byAddress, identifier: '203.0.113.7', cost: 0 });
  expect(left.remaining).toBe(7);
});
