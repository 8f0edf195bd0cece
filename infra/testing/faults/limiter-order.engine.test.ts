import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisServer } from '../../engines/redis/server.fixture.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { KEY } from '../benches/limiter/scene.ts';
import { seeded } from '../seeded.fixture.ts';
import type { Forgetting } from './calls.ts';
import { checkCalls } from './check-calls.ts';
import { Customer } from './customer.ts';
import { History } from './history.ts';
import { callOverConnections } from './loads/several-limits.ts';

const GATEWAYS = 4;
const GATEWAY = fileURLToPath(new URL('../benches/limiter/server.ts', import.meta.url));
const SEED = 45;
/** Calls between two kills: about those that 64 connections send at once. */
const CALLS_BETWEEN = 60;
const WAIT = { timeout: 90_000, interval: 5 };

let redis: RedisServer;
const gateways: ChildProcess[] = [];
const urls: string[] = [];

beforeAll(async () => {
  redis = new RedisServer(await freePort());
  await redis.start();
  for (let index = 0; index < GATEWAYS; index += 1) await startGateway(index);
});

afterAll(async () => {
  for (const gateway of gateways) await kill(gateway);
  await redis.stop();
});

async function startGateway(index: number): Promise<void> {
  const gateway = fork(GATEWAY, ['ours', `redis://127.0.0.1:${redis.port}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  gateways[index] = gateway;
  const [port] = (await once(gateway, 'message')) as [number];
  urls[index] = `http://127.0.0.1:${port}`;
}

async function kill(gateway: ChildProcess | undefined): Promise<void> {
  if (gateway === undefined) return;
  const exit = once(gateway, 'exit');
  gateway.kill('SIGKILL');
  await exit;
}

it('checks of several limits through four gateways have one order while gateways and Redis are killed', async () => {
  let isOver = false;
  const history = new History();
  const random = seeded(SEED);
  const customer = new Customer({ gateways: urls, history, isOver: () => isOver, random });
  const forgettings: Forgetting[] = [];
  const killGateway = (index: number) => async () => {
    await kill(gateways[index]);
    await startGateway(index);
  };
  // This server keeps nothing on the disk.
  const killRedis = async () => {
    const from = performance.now();
    await redis.stop();
    await redis.start();
    forgettings.push({ what: 'all', from, to: performance.now() });
  };
  const calling = (async () => {
    // Each story has separate windows.
    for (let story = 1; !isOver; story += 1)
      await callOverConnections(customer, { key: KEY, keyId: `story ${story}` });
  })();
  for (const disturb of [killGateway(0), killRedis, killGateway(1), killRedis]) {
    const wanted = history.calls.length + CALLS_BETWEEN;
    await expect.poll(() => history.calls.length, WAIT).toBeGreaterThan(wanted);
    await disturb();
  }
  isOver = true;
  await calling;
  expect(checkCalls(history.calls, forgettings)).toEqual([]);
  const told = history.calls.flatMap(({ sendings }) => sendings.map((sending) => sending.told));
  const allowed = told.filter((each) => each.kind === 'decided' && each.allowed);
  const denied = told.filter((each) => each.kind === 'decided' && !each.allowed);
  expect(Math.min(allowed.length, denied.length)).toBeGreaterThan(0);
});
