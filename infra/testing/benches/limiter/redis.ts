import { type ChildProcess, spawn } from 'node:child_process';
import { Redis } from 'ioredis';
import { freePort } from '../../../tools/service-process/service-process.ts';

const PING_EVERY_MS = 20;
const PING_ATTEMPTS_MAX = 250;

/** Starts a server without persistence, as the limiter of a benchmark needs none. Resolves once it answers. */
export async function startRedis(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  });
  const client = new Redis(port, '127.0.0.1', {
    retryStrategy: () => PING_EVERY_MS,
    maxRetriesPerRequest: PING_ATTEMPTS_MAX,
  });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return { child, url: `redis://127.0.0.1:${port}` };
}
