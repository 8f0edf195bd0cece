import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SECRET } from './service/settings/deployed.fixture.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** A reserved port, on which no server listens. */
const CLOSED_PORT = '127.0.0.1:1';

it.each(['SIGTERM', 'SIGINT'] as const)('%s ends a start that waits for its servers', async (signal) => {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      SVC_ENGINE: 'cluster',
      SVC_SECRET: SECRET,
      SVC_IDENTITY_SECRET: SECRET,
      KAFKA_BROKERS: CLOSED_PORT,
      CASSANDRA_CONTACT_POINTS: CLOSED_PORT,
      REDIS_URL: `redis://${CLOSED_PORT}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await expect.poll(() => output).toContain('"level":"warn"');
  child.kill(signal);
  expect(await exit).toEqual([0, null]);
  expect(output).toContain('ServiceStopping');
});
