import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mcpAnswerSchema, protectedResourceSchema } from '../../../../schemas/agents/http.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const MANAGEMENT_PER_MINUTE = 200;

let service: ServiceInProcess;
let customer: ImportsCustomer;
beforeAll(async () => {
  const http = { ...ROOMY_LIMITS.http, managementPerMinute: MANAGEMENT_PER_MINUTE };
  service = await ServiceInProcess.start({ limits: { ...ROOMY_LIMITS, http } });
  customer = await ImportsCustomer.of(service, FIELDS);
});
afterAll(() => service?.dispose());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with headers that `fetch` would write by itself. A header that is null is left out. */
function send(
  method: string,
  headers: Readonly<Record<string, string | null>> = {},
  body: unknown = LIST,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = { authorization: `Bearer ${customer.credential}`, ...headers };
    const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const request = httpRequest(
      `${service.url}/mcp`,
      { method, headers: { 'content-type': 'application/json', ...sent } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    request.on('error', reject);
    request.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });
}

const codeOf = ({ text }: Answer) => JSON.parse(text).error.code;

describe('/mcp', () => {
  it('answers a message in JSON, without a session, to a client that accepts anything', async () => {
    const { status, headers, text } = await send('POST');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(mcpAnswerSchema.parse(JSON.parse(text)).id).toBe(1);
  });

  it('answers a notification with 202 and nothing', async () => {
    const { status, text } = await send('POST', {}, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
    const { paths } = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text());
    expect(paths['/mcp'].post.responses[status]).toMatchObject({
      description: 'A notification was accepted',
    });
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers %s with 405 and the method that there is', async (method) => {
    const { status, headers } = await send(method);
    expect([status, headers.allow]).toEqual([405, 'OPTIONS, POST']);
  });

  it.each([
    ['nothing', null, ''],
    ['another secret', 'Bearer svc_project_no', 'error="invalid_token", '],
  ])(
    'answers 401 to a client with %s, and says how to get a credential',
    async (_what, authorization, error) => {
      const refused = await send('POST', { authorization });
      expect(refused.status).toBe(401);
      const url = `${service.url}/.well-known/oauth-protected-resource/mcp`;
      expect(refused.headers['www-authenticate']).toBe(`Bearer ${error}resource_metadata="${url}"`);
      const metadata = protectedResourceSchema.parse(await (await fetch(url)).json());
      expect(metadata.resource).toBe(`${service.url}/mcp`);
    },
  );

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1:1'])(
    'answers 403 to a page of %s',
    async (origin) => {
      const refused = await send('POST', { origin });
      expect([refused.status, codeOf(refused)]).toEqual([403, 'origin_not_allowed']);
    },
  );

  it('answers a page of the same host', async () => {
    expect((await send('POST', { origin: service.url })).status).toBe(200);
  });

  it.each(['evil.example', 'localhost.evil.example:80', '127.0.0.1.evil.example', '[::2]'])(
    'answers 403 to a request that names the host %s',
    async (host) => {
      const refused = await send('POST', { host });
      expect([refused.status, codeOf(refused)]).toEqual([403, 'forbidden']);
      expect(JSON.parse(refused.text).error.message).toContain('BASE_URL');
    },
  );

  it.each(['localhost', '127.0.0.1', '[::1]:9'])('answers a request to this machine as %s', async (host) => {
    expect((await send('POST', { host })).status).toBe(200);
  });

  it.each([
    ['a batch', [LIST]],
    ['a message of another kind', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an id that is no whole number', { ...LIST, id: 0.5 }],
    ['an id beyond the exact numbers', { ...LIST, id: 1e120 }],
    ['an id of another kind', { ...LIST, id: { of: 'another kind' } }],
    ['a message with a longer method', { ...LIST, method: 'x'.repeat(201) }],
  ])('answers %s with 400', async (_what, body) => {
    const refused = await send('POST', {}, body);
    expect([refused.status, codeOf(refused)]).toEqual([400, 'bad_request']);
  });

  it('answers an unknown method, and one that would hold the connection, with an error of the protocol', async () => {
    const unknown = await send('POST', {}, { ...LIST, method: 'resources/list' });
    expect(JSON.parse(unknown.text)).toMatchObject({ id: 1, error: { code: -32_601 } });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    };
    const listening = await send(
      'POST',
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      { ...LIST, method: 'subscriptions/listen', params: { _meta: meta, notifications: {} } },
    );
    expect(JSON.parse(listening.text)).toMatchObject({ id: 1, error: { code: -32_603 } });
  });

  it('names the revisions of the protocol that it speaks to a client of another one', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const refused = await send(
      'POST',
      { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
      { ...LIST, params: { _meta: meta } },
    );
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text).error.data.supported).toContain('2026-07-28');
  });

  it('counts each message against the limit of its workspace', async () => {
    const other = await customer.another(FIELDS);
    const authorization = `Bearer ${other.credential}`;
    const statuses = new Set<number>();
    let refused: Answer | null = null;
    for (let sent = 0; sent < 2 * MANAGEMENT_PER_MINUTE && refused === null; sent += 1) {
      const answer = await send('POST', { authorization }, { ...LIST, method: 'ping' });
      statuses.add(answer.status);
      if (answer.status === 429) refused = answer;
    }
    expect([...statuses]).toEqual([200, 429]);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  });
});
