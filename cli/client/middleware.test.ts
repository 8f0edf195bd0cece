import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LimiterService } from '../../infra/testing/e2e/limits/limiter-service.fixture.ts';
import type { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { freePort } from '../../infra/tools/service-process/service-process.ts';
import { type Limiter, limiter } from './limiter.ts';
import { expressLimit, fastifyLimit, honoLimit } from './middleware.ts';

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
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      send: (user) => fetch(url, { headers: { user } }),
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
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
    const throwing: Limiter = { ...limits, check: fail, checkAll: fail };
    const [only] = await answers(throwing, 1);
    expect(only?.status).toBe(500);
  });
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
