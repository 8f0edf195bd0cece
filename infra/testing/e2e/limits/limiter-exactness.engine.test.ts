import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RedisServer } from '../../../engines/redis/server.fixture.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { KEY } from '../../benches/limiter/scene.ts';

const GATEWAYS_MAX = 9;
/** Requests under way at once, over all gateways. A slow machine, too, answers as many within the timeout of the counters. */
const PARALLEL = 24;
const WINDOW_MS = 3_600_000;
const GATEWAY = fileURLToPath(new URL('../../benches/limiter/server.ts', import.meta.url));

let redis: RedisServer;
const gateways: ChildProcess[] = [];
const ports: number[] = [];
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  redis = new RedisServer(await freePort());
  await redis.start();
  for (let count = 0; count < GATEWAYS_MAX; count += 1) {
    const gateway = fork(GATEWAY, ['ours', `redis://127.0.0.1:${redis.port}`], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    gateways.push(gateway);
    const [port] = (await once(gateway, 'message')) as [number];
    ports.push(port);
  }
});

afterAll(async () => {
  agent.destroy();
  for (const gateway of gateways) {
    const exit = once(gateway, 'exit');
    gateway.kill('SIGKILL');
    await exit;
  }
  await redis.stop();
});

interface Decision {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly reset_at: number;
}

/** Resolves with null where the counters did not answer in time, as on a busy machine: such a check may have been counted. */
function check(port: number, identifier: string, limit: number): Promise<Decision | null> {
  return post(port, '/v1/check', entryOf(identifier, limit));
}

function entryOf(identifier: string, limit: number, cost = 1): object {
  return { namespace: 'exactness', identifier, limit, window: WINDOW_MS, cost };
}

function post<Data>(port: number, path: string, json: object): Promise<Data | null> {
  const body = JSON.stringify(json);
  const headers = { Authorization: KEY, 'Content-Type': 'application/json', 'Content-Length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(text).data);
        else if (text.includes('"internal_error"')) resolve(null);
        else reject(new Error(`checking: ${answer.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends checks of one identifier through `count` gateways, and resolves with all decisions. */
async function drive(count: number, limit: number, requests: number): Promise<(Decision | null)[]> {
  const identifier = `${count} gateways, ${limit}, ${requests}`;
  const decisions: (Decision | null)[] = [];
  let sent = 0;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while (sent < requests) {
        sent += 1;
        decisions.push(await check(ports[sent % count] ?? 0, identifier, limit));
      }
    }),
  );
  return decisions;
}

/** Every limit under the full load at least, and with less and just as much where that costs little. */
const LOADS: readonly (readonly [limit: number, loads: readonly number[]])[] = [
  [10, [0.9, 1, 1.1, 2]],
  [100, [0.9, 1, 1.3, 2]],
  [1_000, [0.9, 1, 1.5, 2]],
  [10_000, [1.1]],
];

describe.each([1, 3, 5, 9])('through %i gateways', (count) => {
  it.each(LOADS.flatMap(([limit, loads]) => loads.map((load) => [limit, load] as const)))(
    'a limit of %i under %f times its load admits exactly as many as it says',
    async (limit, load) => {
      const requests = Math.round(limit * load);
      const decisions = (await drive(count, limit, requests)).filter((decision) => decision !== null);
      const remaining = decisions.filter(({ allowed }) => allowed).map((decision) => decision.remaining);
      const admitted = new Set(remaining);
      const due = Array.from({ length: Math.min(requests, limit) }, (_, index) => limit - 1 - index);
      expect(remaining.toSorted((left, right) => right - left)).toEqual(
        due.filter((each) => admitted.has(each)),
      );
      // A check without an answer may have been counted.
      expect(due.length - remaining.length).toBeLessThanOrEqual(requests - decisions.length);
      expect(new Set(decisions.map((decision) => decision.reset_at)).size).toBe(1);
    },
  );
});

it('several limits through four gateways admit what the strictest has room for, and change together', async () => {
  const limits = [
    ['user', 40],
    ['address', 70],
    ['device', 1_000],
  ] as const;
  const entries = limits.map(([identifier, limit]) => entryOf(`several ${identifier}`, limit));
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      // In another order each time, so that a lock by window would stand still.
      post<{ readonly allowed: boolean }>(ports[index % 4] ?? 0, '/v1/checks', {
        checks: index % 2 === 0 ? entries : [...entries].reverse(),
      }),
    ),
  );
  const admitted = answers.filter((answer) => answer?.allowed === true).length;
  const unknown = answers.filter((answer) => answer === null).length;
  const used = await Promise.all(
    limits.map(async ([identifier, limit]) => {
      const look = () =>
        post<Decision>(ports[4] ?? 0, '/v1/check', entryOf(`several ${identifier}`, limit, 0));
      return limit - ((await vi.waitUntil(look)) ?? { remaining: limit }).remaining;
    }),
  );
  // A request without an answer may have been counted, in all windows or in none.
  expect(used).toEqual([40, 40, 40]);
  expect(admitted).toBeLessThanOrEqual(40);
  expect(admitted + unknown).toBeGreaterThanOrEqual(40);
});
