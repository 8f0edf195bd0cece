import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Client, UnexpectedAnswerError } from './client.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('the client', () => {
  it('sends JSON with a credential and returns body and cookie', async () => {
    const { client, received } = await serve(
      201,
      { made: true },
      { 'Set-Cookie': 'session=abc; Path=/; HttpOnly' },
    );
    const answer = await client.exchange('POST', '/things', 201, { bearer: 'secret', json: { name: 'é' } });
    expect(answer).toEqual({ body: { made: true }, cookie: 'session=abc' });
    const { request, body } = (await received)!;
    expect(request.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    });
    expect(request.headers.origin).toBe(client.base);
    expect(JSON.parse(body)).toEqual({ name: 'é' });
  });

  it('sends a file byte for byte to an address that the server gave', async () => {
    const { client, received } = await serve(200, {});
    await client.send('PUT', `${client.base}/upload`, 200, {
      csv: Uint8Array.from(Buffer.from('a,"b\r\n"')),
    });
    const { request, body } = (await received)!;
    expect(request.headers['content-type']).toBe('text/csv');
    expect(body).toBe('a,"b\r\n"');
  });

  it('says what was answered instead of what it counts on', async () => {
    const error = { code: 'not_found', message: 'There is no such thing.', request_id: 'req_1' };
    const { client } = await serve(404, { error });
    const refused = client.send('GET', '/things/1?secret=x', 200);
    await expect(refused).rejects.toBeInstanceOf(UnexpectedAnswerError);
    await expect(refused).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'GET /things/1 answered 404 not_found: There is no such thing. (request req_1)',
    });
  });

  it('names the request that got no answer', async () => {
    const { client } = await serve(200, {});
    const [server] = servers.splice(0);
    server!.close();
    server!.closeAllConnections();
    await once(server!, 'close');
    await expect(client.send('GET', '/things', 200)).rejects.toThrow('waiting for the answer to GET /things');
  });
});

/** A server that answers every request alike, and what it received first. */
async function serve(status: number, body: object, headers: Record<string, string> = {}) {
  const { promise: received, resolve } = Promise.withResolvers<Received>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      resolve({ request, body: Buffer.concat(chunks).toString() });
      response
        .writeHead(status, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { client: new Client(`http://127.0.0.1:${port}`), received };
}
