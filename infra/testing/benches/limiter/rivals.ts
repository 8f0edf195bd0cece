// The same service written by hand in four ways, without request ids, log, limits or error answers.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { utcMonth } from '../../../../schemas/base/time.ts';
import type { CheckRequest } from '../../../../schemas/limiter/http.ts';
import { KEY_ID, QUOTA } from './scene.ts';
import { carriesKey, openScript } from './script.ts';

const MINUTE_SECONDS = 60;
const MONTH_SECONDS = 31 * 86_400;

/** Bare `node:http` that parses the body and runs the same script. */
export async function serveNodeHttp(url: string): Promise<number> {
  const check = await openScript(url);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!carriesKey(request.headers.authorization)) {
        response.writeHead(401).end();
        return;
      }
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as CheckRequest;
      void check(asked).then((data) => {
        const body = JSON.stringify({ data });
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        });
        response.end(body);
      });
    });
  });
  return await portOf(server);
}

/** Express and its JSON parser, with the same script. */
export async function serveExpress(url: string): Promise<number> {
  const check = await openScript(url);
  const application = express();
  application.use(express.json());
  application.post('/v1/check', async (request, response) => {
    if (!carriesKey(request.headers.authorization)) response.status(401).end();
    else response.json({ data: await check(request.body as CheckRequest) });
  });
  return await portOf(createServer(application));
}

/**
 * Fastify, whose limits are those of rate-limiter-flexible: key and minute, key and month, identifier and window, all three
 * asked at once. With the client as that library's documentation opens it, or with commands that travel together.
 */
export async function serveFastify(
  url: string,
  { enableAutoPipelining }: { readonly enableAutoPipelining: boolean },
): Promise<number> {
  const storeClient = new Redis(url, { enableAutoPipelining, enableOfflineQueue: false, lazyConnect: true });
  await storeClient.connect();
  const limiterOf = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterRedis({ storeClient, keyPrefix, points, duration });
  const minute = limiterOf('minute', QUOTA.minute, MINUTE_SECONDS);
  const month = limiterOf('month', QUOTA.month ?? 0, MONTH_SECONDS);
  const windows = new Map<string, RateLimiterRedis>();
  const windowOf = ({ namespace, limit, window }: CheckRequest): RateLimiterRedis => {
    const name = `${namespace}:${limit}:${window}`;
    const limiter = windows.get(name) ?? limiterOf(name, limit, window / 1_000);
    windows.set(name, limiter);
    return limiter;
  };
  const server = fastify();
  server.post('/v1/check', { schema: { body: BODY } }, async (request, reply) => {
    if (!carriesKey(request.headers.authorization)) return reply.code(401).send();
    const asked = request.body as CheckRequest;
    const { namespace, identifier, limit } = asked;
    try {
      const [, , { remainingPoints, msBeforeNext }] = await Promise.all([
        minute.consume(KEY_ID),
        month.consume(`${KEY_ID}:${utcMonth(Date.now())}`),
        windowOf(asked).consume(identifier),
      ]);
      const reset = Date.now() + msBeforeNext;
      return {
        data: { allowed: true, remaining: remainingPoints, limit, reset_at: reset, namespace, identifier },
      };
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return {
        data: { allowed: false, remaining: 0, limit, reset_at: refused.msBeforeNext, namespace, identifier },
      };
    }
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

/** `node:http` that answers the body it gets, without any limiter: what HTTP alone costs. */
export async function serveEcho(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
    });
  });
  return await portOf(server);
}

const BODY = {
  type: 'object',
  required: ['namespace', 'identifier', 'limit', 'window'],
  properties: {
    namespace: { type: 'string', minLength: 1, maxLength: 128 },
    identifier: { type: 'string', minLength: 1, maxLength: 256 },
    limit: { type: 'integer', minimum: 1 },
    window: { type: 'integer', minimum: 1 },
  },
} as const;

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
