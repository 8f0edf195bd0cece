import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { readProcesses } from '../../soak/series.ts';

/** Below the number of connections that the server takes, so that there is room for others. */
const IDLE = 9_900;
/** Connections that are opened at the same time: fewer than the system keeps before they are accepted. */
const AT_ONCE = 100;

const ANSWER_MS_MAX = 2_000;
/** 20 KiB for each connection. */
const MEMORY_MIB_MAX = 200;
/** The time for headers, the interval of the check for it, and a busy machine. */
const CLOSED = { timeout: 90_000, interval: 100 };

let service: ServiceProcess;
beforeAll(async () => {
  service = await ServiceProcess.start({ environment: { SVC_ENGINE: 'embedded' } });
});
afterAll(() => service.dispose());

const memory = () => readProcesses([service.pid])?.memory ?? Number.NaN;

async function open(closed: () => void): Promise<Socket[]> {
  const { hostname, port } = new URL(service.url);
  const sockets: Socket[] = [];
  while (sockets.length < IDLE) {
    const batch = Array.from({ length: AT_ONCE }, () => connect(Number(port), hostname));
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    for (const socket of batch)
      socket
        .on('error', () => undefined)
        .once('close', closed)
        .resume();
    sockets.push(...batch);
  }
  return sockets;
}

it('answers others beside 9,900 connections that say nothing, and closes those', async () => {
  let closed = 0;
  const before = memory();
  const sockets = await open(() => {
    closed += 1;
  });
  expect(sockets).toHaveLength(IDLE);
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  expect((await fetch(`${service.url}/v1/health`, { signal })).status).toBe(200);
  expect(memory() - before).toBeLessThan(MEMORY_MIB_MAX);
  await expect.poll(() => closed, CLOSED).toBe(IDLE);
  expect((await fetch(`${service.url}/v1/health`)).status).toBe(200);
});
