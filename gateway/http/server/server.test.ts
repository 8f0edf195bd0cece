import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorEnvelopeSchema, serviceError } from '../../../schemas/base/errors.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { IMPORT, type RunningGateway, SECRETS, startGateway } from '../gateway.fixture.ts';
import { defineRoute } from '../routing/route.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';
import { listen } from './server.ts';

/** Requests that hang until the test lets them go. */
const held: (() => void)[] = [];

const HOLDING = defineRoute({
  name: 'holding',
  summary: 'Answers when the test says so.',
  description: 'A route of a test.',
  method: 'GET',
  path: '/v1/hold',
  host: 'base',
  principal: 'none',
  rate: 'none',
  body: { kind: 'none' },
  success: { status: 200, schema: z.looseObject({}), description: 'Late.' },
  errors: [],
  handle: async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { body: { late: true } };
  },
});

/** Takes a stream and refuses it after its first piece. */
const REFUSING = defineRoute({
  name: 'refusing',
  summary: 'Refuses a stream in the middle.',
  description: 'A route of a test.',
  method: 'PUT',
  path: '/v1/refuse',
  host: 'base',
  principal: 'none',
  rate: 'none',
  body: { kind: 'stream', contentType: 'text/csv' },
  success: { status: 200, schema: z.looseObject({}), description: 'Never.' },
  errors: [],
  handle: async ({ stream }) => {
    for await (const chunk of stream) {
      throw serviceError('payload_too_large', {
        at: 'body',
        seen: `${chunk.length} bytes`,
        expected: 'none',
      });
    }
    return { body: {} };
  },
});

/** Takes JSON by PUT, as the other two take theirs. */
const LONG = defineRoute({
  name: 'long',
  summary: 'Takes a bounded body.',
  description: 'A route of a test.',
  method: 'PUT',
  path: '/v1/long',
  host: 'base',
  principal: 'none',
  rate: 'none',
  body: { kind: 'json', schema: z.unknown(), limit: 'configurationBytes' },
  success: { status: 200, schema: z.looseObject({}), description: 'Nothing.' },
  errors: [],
  handle: async () => ({ body: {} }),
});

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway([...TEST_ROUTES, HOLDING, REFUSING, LONG]);
});
afterAll(() => running.close());

function parseRaw(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

describe('what is no request', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')],
    ['no host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['a header without a name', 'GET /livez HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
    ['a broken header line', 'GET /livez HTTP/1.1\r\nHost: a\r\nX-A: b\r\n folded\x00\r\n\r\n'],
    ['two lengths', 'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['a header beyond the bound', `GET /livez HTTP/1.1\r\nHost: a\r\nX-A: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['a path beyond the bound', `GET /${'b'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    [
      'a broken chunk',
      'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
  ])('%s is answered with the envelope and the connection is closed', async (_name, bytes) => {
    const { status, head, body } = parseRaw(await running.sendRaw(bytes));
    expect(status).toBe(400);
    const { error } = errorEnvelopeSchema.parse(JSON.parse(body));
    expect(error.code).toBe('bad_request');
    expect(head).toContain(`x-request-id: ${error.request_id.toLowerCase()}`);
    expect(head).toContain('x-content-type-options: nosniff');
    expect(head).toContain('connection: close');
  });

  it('is too late: neither headers nor body may take for ever', async () => {
    const bounds = { headersMs: 50, requestMs: 100, checkMs: 10 };
    const server = await listen(running.gateway, { host: '127.0.0.1', port: 0, bounds });
    for (const started of [
      'GET /livez HTTP/1.1\r\nHost: a\r\n',
      'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const answer = parseRaw(await readAll(write(server.port, started)));
      expect(answer).toMatchObject({
        status: 400,
        body: expect.stringContaining('request: seen a part of it, expected'),
      });
    }
    await server.close();
  });

  it('is too late when it takes longer than the gateway allows, which is longer than an upload may take', async () => {
    expect(running.gateway.requestMs).toBeGreaterThan(DEFAULT_LIMITS.imports.uploadMs);
    const bounds = { headersMs: 50, checkMs: 10 };
    const server = await listen(
      { ...running.gateway, requestMs: 100 },
      { host: '127.0.0.1', port: 0, bounds },
    );
    const started =
      'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
    const answer = parseRaw(await readAll(write(server.port, started)));
    expect(answer).toMatchObject({
      status: 400,
      body: expect.stringContaining('request: seen a part of it, expected'),
    });
    await server.close();
  });

  it('does not hang although the caller never closes its side', async () => {
    const bounds = { headersMs: 50, requestMs: 50, checkMs: 10 };
    const before = running.lines.length;
    const server = await listen(running.gateway, { host: '127.0.0.1', port: 0, bounds });
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.resume();
    const credential = `Authorization: Bearer ${SECRETS.upload}`;
    socket.write(
      `PUT /v1/uploads/${IMPORT} HTTP/1.1\r\nHost: a\r\n${credential}\r\nContent-Type: text/csv\r\nContent-Length: 9\r\n\r\n1`,
    );
    await once(socket, 'end');
    await expect
      .poll(() => running.lines.slice(before).map((line) => JSON.parse(line)))
      .toContainEqual(expect.objectContaining({ route: 'upload-bytes', status: null }));
    socket.destroy();
    await server.close();
  });
});

function write(port: number, bytes: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('a refused body', () => {
  const half = 'a'.repeat(256 * 1_024);
  const length = `Content-Length: ${2 * half.length}`;
  const chunk = `${half.length.toString(16)}\r\n${half}\r\n`;

  it.each([
    ['by its length', '/v1/long', 'application/json', length, [half, half]],
    ['in chunks', '/v1/long', 'application/json', 'Transfer-Encoding: chunked', [chunk, `${chunk}0\r\n\r\n`]],
    ['by a handler that stops reading', '/v1/refuse', 'text/csv', length, [half, half]],
  ] as const)(
    'refused %s can be sent to its end after the answer',
    async (_name, target, type, framing, parts) => {
      const head = `PUT ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`;
      const socket = write(running.server.port, head + parts[0]);
      const closed = once(socket, 'close');
      const [data] = await once(socket, 'data');
      const answer = parseRaw(String(data));
      expect(answer.status).toBe(413);
      expect(answer.head).toContain('connection: close');
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'payload_too_large' } });
      socket.write(parts[1]);
      // A reset would make `once` reject with the socket's error.
      await closed;
      expect(socket.bytesWritten).toBe(head.length + parts.join('').length);
    },
  );

  it('is not read for ever: what is never sent does not keep the connection', async () => {
    const head = `PUT /v1/long HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    expect(parseRaw(await running.sendRaw(head)).status).toBe(413);
  });

  it('that is short leaves the connection open for the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    for (const path of ['/nowhere', '/v1/refuse', '/v1/long', '/v1/refuse']) {
      const headers = { 'content-type': 'text/csv', 'content-length': '40000' };
      const request = httpRequest({ port: running.server.port, agent, method: 'PUT', path, headers });
      request.write('x'.repeat(20_000));
      const [response] = await once(request, 'response');
      ports.push(request.socket?.localPort);
      expect(response.headers.connection).toBe('keep-alive');
      request.end('x'.repeat(20_000));
      response.resume();
      await once(response, 'end');
    }
    expect(new Set(ports).size).toBe(1);
    agent.destroy();
  });
});

describe('Expect: 100-continue', () => {
  const start = (headers: Record<string, string>) =>
    httpRequest({
      port: running.server.port,
      method: 'PUT',
      path: `/v1/uploads/${IMPORT}`,
      headers: { 'content-type': 'text/csv', 'content-length': '5', expect: '100-continue', ...headers },
    });

  it('is answered once every check before the body has passed', async () => {
    const request = start({ authorization: `Bearer ${SECRETS.upload}` });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('bytes');
    const [response] = await once(request, 'response');
    const [body] = await once(response, 'data');
    expect(JSON.parse(String(body))).toEqual({ length: 5 });
  });

  it('is the only expectation; another one is ignored', async () => {
    const headers = { 'content-type': 'application/json', expect: 'a-miracle' };
    const answer = await running.send({ method: 'POST', path: '/v1/echo', headers, body: '{"name":"a"}' });
    expect(answer.status).toBe(201);
  });

  it('is not answered when a check fails, and the connection is closed', async () => {
    const request = start({ authorization: 'Bearer nobody' });
    let continued = false;
    request.on('continue', () => {
      continued = true;
    });
    request.on('error', () => {});
    request.flushHeaders();
    const [response] = await once(request, 'response');
    expect(response).toMatchObject({ statusCode: 401, headers: { connection: 'close' } });
    expect(continued).toBe(false);
    request.destroy();
  });
});

describe('a caller that goes away', () => {
  it('in the middle of its body is no fault of the service', async () => {
    const headers = `Content-Type: text/csv\r\nAuthorization: Bearer ${SECRETS.upload}\r\nContent-Length: 100`;
    const request = `PUT /v1/uploads/${IMPORT} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\nhalf`;
    const before = running.lines.length;
    const socket = connect(running.server.port, '127.0.0.1', () =>
      socket.write(request, () => socket.destroy()),
    );
    const line = { msg: 'RequestAnswered', route: 'upload-bytes', status: null };
    await expect
      .poll(() => running.lines.slice(before).map((text) => JSON.parse(text)))
      .toContainEqual(expect.objectContaining(line));
    expect(running.lines.join('')).not.toContain('UnexpectedError');
  });
});

describe('a request target', () => {
  it('in absolute form names the host, whatever the header says', async () => {
    const hosts = {
      base: 'http://api.test',
      limiter: 'http://api.test',
      ingest: 'http://ingest.test',
      console: 'http://api.test',
      dashboard: 'http://api.test',
    };
    const apart = await startGateway([...TEST_ROUTES, HOLDING, REFUSING, LONG], { hosts });
    const ask = async (target: string, host: string) =>
      parseRaw(await apart.sendRaw(`PUT ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
        .status;
    expect(await ask('/v1/long', 'api.test')).toBe(415);
    expect(await ask('/v1/long', 'ingest.test')).toBe(404);
    expect(await ask('http://api.test/v1/long', 'ingest.test')).toBe(415);
    expect(await ask('http://INGEST.test/v1/long', 'api.test')).toBe(404);
    expect(await ask('http://api.test', 'api.test')).toBe(404);
    await apart.close();
  });

  it('of CONNECT is answered', async () => {
    const { status, head, body } = parseRaw(
      await running.sendRaw('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'),
    );
    expect(status).toBe(405);
    expect(head).toMatch(/allow: *(\r|$)/m);
    expect(errorEnvelopeSchema.parse(JSON.parse(body)).error.code).toBe('method_not_allowed');
  });
});

describe('close', () => {
  const hold = async (port: number) => {
    const before = held.length;
    const request = httpRequest({ port, path: '/v1/hold', agent: new Agent({ keepAlive: true }) });
    const answered = once(request, 'response');
    request.end();
    await expect.poll(() => held.length).toBe(before + 1);
    return answered;
  };

  it('lets requests finish, accepts no more, and closes what is idle', async () => {
    const bounds = { drainMs: 10 * 60_000 };
    const server = await listen(running.gateway, { host: '127.0.0.1', port: 0, bounds });
    const idle = write(server.port, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(idle, 'data');
    const answered = hold(server.port);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const closed = server.close();
    expect(server.close()).toBe(closed);
    await once(idle, 'close');
    const [refused] = await once(connect(server.port, '127.0.0.1'), 'error');
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    held.pop()?.();
    const [response] = await await answered;
    expect(response).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
    response.resume();
    await closed;
  });

  it('answers requests that were written on idle connections while it began to close, and new connections', async () => {
    const server = await listen(running.gateway, { host: '127.0.0.1', port: 0 });
    const live = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
    const sockets = Array.from({ length: 20 }, () => write(server.port, live));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]));
    const closed = server.close();
    for (const socket of sockets) socket.write(live);
    const late = write(server.port, live);
    answers.push(once(late, 'data').then(([text]) => String(text)));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer.toLowerCase()).toContain('connection: close');
    }
    await closed;
  });

  it.each([
    ['says nothing', ''],
    ['stops in its headers', 'GET /livez HTTP/1.1\r\nHos'],
    ['stops in the headers of its next request', 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /livez'],
  ])('does not wait for a connection that %s', async (_name, bytes) => {
    const bounds = { drainMs: 10 * 60_000 };
    const server = await listen(running.gateway, { host: '127.0.0.1', port: 0, bounds });
    const silent = write(server.port, bytes);
    if (!silent.readyState.startsWith('open') || silent.connecting) await once(silent, 'connect');
    const ended = once(silent, 'close');
    silent.on('error', () => {});
    silent.resume();
    await server.close();
    await ended;
  });

  it('cuts off what does not finish in time', async () => {
    const bounds = { drainMs: 20 };
    const server = await listen(running.gateway, { host: '127.0.0.1', port: 0, bounds });
    const answered = hold(server.port).then((pending) => pending);
    answered.catch(() => {});
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await server.close();
    await expect(answered).rejects.toMatchObject({ code: 'ECONNRESET' });
    held.pop()?.();
  });

  it('reports a port that is taken', async () => {
    const again = listen(running.gateway, { host: '127.0.0.1', port: running.server.port });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
