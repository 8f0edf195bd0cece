import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Certificates,
  makeCertificates,
  SERVER_NAME,
} from '../../../infra/testing/e2e/operations/certificates.fixture.ts';
import { EgressGuard } from './guard.ts';
import { createProofReader, type ProofFetcher } from './read-proof.ts';

const PUBLIC_ADDRESS = '93.184.215.14';
const CONTENT = 'svccheck=ori_aaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbb';
const PATH = '/.well-known/svccheck/ori_aaaaaaaaaaaaaaaaaaaaaaaa.txt';
const TIMEOUT_MS = 1_000;

describe('createProofReader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proofs-'));
  let certificates: Certificates;
  let server: Server;
  let elsewhere: HttpServer;
  let redirected = 0;
  let answer: RequestListener = (_request, response) => response.end();
  let reader: ProofFetcher;

  beforeAll(async () => {
    certificates = makeCertificates(folder);
    const [key, cert] = [readFileSync(certificates.serverKey), readFileSync(certificates.serverCertificate)];
    server = createServer({ key, cert }, (request, response) => answer(request, response));
    elsewhere = createHttpServer((_request, response) => {
      redirected += 1;
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(CONTENT);
    });
    for (const each of [server, elsewhere]) {
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
    }
    reader = createProofReader({
      guard: guard(),
      clientName: 'SvcCheck/1',
      ca: readFileSync(certificates.authority, 'utf8'),
      timeoutMs: TIMEOUT_MS,
    });
  });
  afterAll(async () => {
    for (const each of [server, elsewhere]) {
      each.closeAllConnections();
      await new Promise((resolve) => each.close(resolve));
    }
    rmSync(folder, { recursive: true });
  });

  function guard(addresses: readonly string[] = [PUBLIC_ADDRESS]): EgressGuard {
    return new EgressGuard({
      resolver: { resolve: async () => addresses },
      loopbackPorts: [],
      ownHosts: [],
      dial: () => connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }),
    });
  }

  const read = (host = SERVER_NAME) => reader.read({ url: `https://${host}${PATH}`, content: CONTENT });
  const send = (status: number, type: string | null, body: string | Buffer, headers: object = {}) => {
    answer = (_request, response) => {
      response
        .writeHead(status, { ...(type === null ? {} : { 'Content-Type': type }), ...headers })
        .end(body);
    };
  };

  it.each([CONTENT, `${CONTENT}\n`, `${CONTENT}\r\n`])('takes the content %j', async (body) => {
    send(200, 'text/plain; charset=utf-8', body);
    expect(await read()).toEqual({ kind: 'matches' });
  });

  it.each([
    ['another status', 201, 'text/plain', CONTENT, CONTENT.length],
    ['another type', 200, 'text/html', CONTENT, CONTENT.length],
    ['no type', 200, null, CONTENT, CONTENT.length],
    ['other bytes', 200, 'text/plain', CONTENT.toUpperCase(), CONTENT.length],
    ['the challenge of another installation', 200, 'text/plain', CONTENT.replace('b', 'c'), CONTENT.length],
    ['a blank in front', 200, 'text/plain', ` ${CONTENT}`, CONTENT.length + 1],
    ['more than 1,024 bytes', 200, 'text/plain', CONTENT + ' '.repeat(1_024), null],
  ])('refuses %s, and shows nothing of the body', async (_what, status, type, body, length) => {
    send(status, type, body);
    expect(await read()).toEqual({ kind: 'mismatch', status, contentType: type, length });
  });

  it('follows no redirect', async () => {
    const { port } = elsewhere.address() as AddressInfo;
    send(302, 'text/plain', '', { Location: `http://127.0.0.1:${port}/` });
    expect(await read()).toMatchObject({ kind: 'mismatch', status: 302 });
    expect(redirected).toBe(0);
  });

  it('refuses a certificate of another name, and one that nothing trusted has signed', async () => {
    send(200, 'text/plain', CONTENT);
    expect(await read('other.example')).toEqual({ kind: 'failed', reason: 'tls', cause: 'name' });
    const distrusting = createProofReader({ guard: guard(), clientName: '', timeoutMs: TIMEOUT_MS });
    const file = { url: `https://${SERVER_NAME}${PATH}`, content: CONTENT };
    expect(await distrusting.read(file)).toEqual({ kind: 'failed', reason: 'tls', cause: 'chain' });
  });

  it('gives up on a server that does not answer, and on one that does not stop', async () => {
    answer = () => {};
    expect(await read()).toEqual({ kind: 'failed', reason: 'timeout' });
    send(200, 'text/plain', Buffer.alloc(5_000_000, 'a'));
    expect(await read()).toMatchObject({ kind: 'mismatch', length: null });
  });

  it.each([
    ['dns', []],
    ['dns', ['127.0.0.1']],
    ['dns', [PUBLIC_ADDRESS, '10.0.0.1']],
    ['dns', [PUBLIC_ADDRESS, '::ffff:127.0.0.1']],
  ] as const)('is %s for the addresses %j', async (reason, addresses) => {
    const guarded = createProofReader({ guard: guard(addresses), clientName: '', timeoutMs: TIMEOUT_MS });
    const file = { url: `https://${SERVER_NAME}${PATH}`, content: CONTENT };
    expect(await guarded.read(file)).toEqual({ kind: 'failed', reason });
  });
});
