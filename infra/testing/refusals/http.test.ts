// Refusals of what is no request, or not one that two readers would understand alike, by the real service.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../e2e/service-in-process.fixture.ts';
import { expectRefused } from './refused.fixture.ts';

const HOST = 'Host: 127.0.0.1';
const JSON_TYPE = 'Content-Type: application/json';
const LONG = 'x'.repeat(20_000);
const DEEP = `${'['.repeat(40)}${']'.repeat(40)}`;

const withBody = (body: string, ...headers: string[]) =>
  [
    'POST /v1/agent/workspaces HTTP/1.1',
    HOST,
    JSON_TYPE,
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    ...headers,
    'Connection: close',
    '',
    body,
  ].join('\r\n');

const withoutBody = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

describe('a request over a socket is refused', () => {
  let service: ServiceInProcess;
  beforeAll(async () => {
    service = await ServiceInProcess.start();
  });
  afterAll(() => service.dispose());

  it.each([
    ['without a host', 'header.Host', withoutBody('GET /livez')],
    ['with two hosts', 'header.Host', withoutBody('GET /livez', HOST, 'Host: b')],
    ['with headers that are too long', 'header', withoutBody('GET /livez', HOST, `X-Long: ${LONG}`)],
    ['that is not HTTP', 'request', 'no request\r\n\r\n'],
    [
      'with a body where none is read',
      'body',
      withBody('{}').replace('POST /v1/agent/workspaces', 'GET /livez'),
    ],
    ['with a wrong percent encoding', 'query', withoutBody('GET /livez?a=%ff', HOST)],
    ['with a body that is not UTF-8', 'body', withBody('"\xff"')],
    ['without a body', 'body', withBody('')],
    ['with a member that names the prototype', 'body', withBody('{"__proto__":1}')],
    ['with a member twice', 'body', withBody('{"name":1,"name":1}')],
    ['with deep nesting', 'body', withBody(DEEP)],
    ['with half of a character', 'body', withBody(String.raw`{"name":"\ud800"}`)],
    ['with a NUL', 'body', withBody(String.raw`{"name":"\u0000"}`)],
    [
      'with two idempotency keys',
      'header.Idempotency-Key',
      withBody('{}', 'Idempotency-Key: a', 'Idempotency-Key: b'),
    ],
  ])('%s', async (_, at, text) => {
    expectRefused(await exchange(text), 'bad_request', at);
  });

  it('with a wrong percent encoding in a path', async () => {
    const headers = [HOST, `Origin: ${service.url}`];
    const answer = await exchange(withoutBody('DELETE /v1/console/members/%ff', ...headers));
    expectRefused(answer, 'bad_request', 'path');
  });

  it('to a proxy', async () => {
    const answer = await exchange(withoutBody('CONNECT example.com:443', HOST));
    expectRefused(answer, 'method_not_allowed', 'request.method');
  });

  it('with a method that the path does not know', async () => {
    const answer = await exchange(withoutBody('PATCH /livez', HOST));
    expectRefused(answer, 'method_not_allowed', 'request.method');
    expect(answer.body.error.message).toContain('expected one of GET, HEAD');
  });

  /** Sends bytes, and reads the answer until the service closes the connection. */
  async function exchange(text: string) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.write(Buffer.from(text, 'latin1'));
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const [head = '', payload = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(payload) };
  }
});
