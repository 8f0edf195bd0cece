import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, SECRETS, startGateway } from '../gateway.fixture.ts';
import { TEST_ROUTES } from '../routing/test-routes.fixture.ts';

const MIB = 1_024 * 1_024;

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway(TEST_ROUTES);
});
afterAll(() => running.close());

/** Sends a whole request before it reads anything, as many HTTP libraries do. */
async function sendThenRead(bytes: number): Promise<string> {
  const socket = connect(running.server.port, '127.0.0.1').pause();
  socket.write(
    `POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(bytes, ' '));
  if (socket.writableLength > 0) await once(socket, 'drain');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).resume();
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('a body of 8 MiB where little is taken', () => {
  it('is refused with an answer to a caller that sends it to its end first', async () => {
    const answer = await sendThenRead(8 * MIB);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"code":"payload_too_large"/s);
  });

  it('is refused with an answer to fetch, time after time', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 10; count += 1) {
      const answer = await fetch(`http://127.0.0.1:${running.server.port}/v1/echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRETS.project}` },
        body: Buffer.alloc(8 * MIB, ' '),
      });
      await answer.text();
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([413]);
  });
});
