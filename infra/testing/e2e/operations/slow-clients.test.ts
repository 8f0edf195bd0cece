import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECOND_MS } from '../../../../schemas/base/time.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { readProcesses, type Sample } from '../../soak/series.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';

/** Connections of slow clients at the same time. */
const CLIENTS = 300;
const ANSWER_MS_MAX = 2 * SECOND_MS;
/** The time for headers, the interval of the check for it, and a busy machine. */
const CLOSED = { timeout: 90 * SECOND_MS, interval: 100 };
const MEMORY_MIB_MAX = 100;

const HEADER_BYTES = 1_024 * 1_024;
const UPLOAD_MS = 5 * SECOND_MS;
const FIELDS = [{ key: 'code', type: 'text', required: true }];
const FILE = Buffer.from('code\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');

let customer: ImportsCustomer<ServiceProcess>;
let before: Sample['values'];

beforeAll(async () => {
  const limits = { ...ROOMY_LIMITS, imports: { uploadMs: UPLOAD_MS } };
  const service = await ServiceProcess.start({ limits, environment: { SVC_ENGINE: 'embedded' } });
  customer = await ImportsCustomer.of(service, FIELDS);
});
afterAll(() => customer.service.dispose());
beforeEach(() => {
  before = figures();
});

const figures = (): Sample['values'] => readProcesses([customer.service.pid]) ?? {};
const figure = (name: keyof Sample['values']) => figures()[name] ?? Number.NaN;

/** Opens the connections of slow clients. Each begins with these bytes. */
async function open(bytes: string): Promise<Socket[]> {
  const { hostname, port } = new URL(customer.service.url);
  const sockets = Array.from({ length: CLIENTS }, () =>
    connect({ host: hostname, port: Number(port), allowHalfOpen: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets)
    socket
      .on('error', () => undefined)
      .resume()
      .write(bytes);
  return sockets;
}

/** Waits until the service has ended every connection, while it answers others and does not grow. */
async function expectEnded(sockets: readonly Socket[]): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  expect((await fetch(`${customer.service.url}/v1/health`, { signal })).status).toBe(200);
  await expect
    .poll(() => sockets.filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed).length, CLOSED)
    .toBe(0);
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(() => figure('file descriptors'), CLOSED)
    .toBeLessThan((before['file descriptors'] ?? 0) + CLIENTS / 10);
  expect(figure('memory') - (before.memory ?? 0)).toBeLessThan(MEMORY_MIB_MAX);
}

describe('slow clients', () => {
  it('lose their connection when their headers arrive a byte a second', async () => {
    const sockets = await open('GET /v1/health HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    }, SECOND_MS);
    await expectEnded(sockets).finally(() => clearInterval(trickle));
  });

  it('lose their connection when they close their side in the middle of a request', async () => {
    const sockets = await open('POST /v1/agent/workspaces HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n');
    for (const socket of sockets) socket.end();
    await expectEnded(sockets);
  });

  it('lose their connection when they send headers without an end', async () => {
    const sockets = await open(`GET /v1/health HTTP/1.1\r\nHost: a\r\nX-Huge: ${'a'.repeat(HEADER_BYTES)}`);
    await expectEnded(sockets);
  });

  it('are told to come again when a file arrives a byte a second, and the token takes it afterwards', async () => {
    const reserved = await customer.reserve(FILE);
    const upload = httpRequest(reserved.uploadUrl, {
      method: 'PUT',
      headers: {
        'Content-Type': 'text/csv',
        'Content-Length': String(FILE.length),
        Authorization: `Bearer ${reserved.uploadToken}`,
      },
    });
    upload.on('error', () => undefined);
    let sent = 0;
    const trickle = setInterval(() => {
      upload.write(FILE.subarray(sent, sent + 1));
      sent += 1;
    }, SECOND_MS);
    upload.flushHeaders();
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    clearInterval(trickle);
    expect(response.statusCode).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    upload.destroy();
    expect(sent).toBeLessThan(FILE.length);
    expect(await customer.upload(reserved, [FILE])).toMatchObject({ status: 200 });
  });
});
