// Measures checks through the client library beside the same checks with bare fetch, and beside rate-limiter-flexible on Redis.
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { nextMessage } from '../../../../infra/testing/benches/child-message.ts';
import { startRedis } from '../../../../infra/testing/benches/limiter/redis.ts';
import { KEY } from '../../../../infra/testing/benches/limiter/scene.ts';
import { readBenchOptions } from '../../../../infra/testing/benches/options.ts';
import { percentile, report, say } from '../../../../infra/testing/benches/report.ts';
import { limiter } from '../../limiter.ts';

const HELP = `
npm run bench:client -- OPTIONS

Measures checks through the client library beside the same checks with bare fetch, against the real gateway, and beside
rate-limiter-flexible with ioredis in this process, on the same private Redis. Without redis-server, the gateway has the embedded engine
and no rival. It fails if a check takes more CPU time than the targets say, or if a remembered denial reaches the service.

`;

const { quick } = readBenchOptions(HELP, {});
/** Turns of each contender, one after the other, so that a busy moment meets both. */
const ROUNDS = quick ? 2 : 12;
const CHECKS = quick ? 64 : 640;
const AT_ONCE = 64;
const DENIALS = quick ? 1_000 : 50_000;
/** Our CPU time and latency over theirs. */
const TARGETS = {
  'bare fetch, CPU, one after the other': { atMost: 0.6 },
  [`rate-limiter-flexible, CPU, ${AT_ONCE} at once`]: { atMost: 1 },
  [`bare fetch, p99, ${AT_ONCE} at once`]: { atMost: 1 },
} as const;

const CHECK = { namespace: 'bench', limit: 1_000_000, window: 60_000 };

/** Sends one check. */
type Send = (identifier: string) => Promise<unknown>;

interface Measured {
  readonly cpuMicroseconds: number;
  readonly sumOfLatenciesMs: number;
  readonly p99Ms: number;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-client-bench-'));
const redis = spawnSync('redis-server', ['--version']).status === 0 ? await startRedis() : null;
const script = new URL('../../../../infra/testing/benches/limiter/server.ts', import.meta.url);
const server = fork(fileURLToPath(script), ['ours', redis?.url ?? folder], {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const rival = redis === null ? null : rivalOn(redis.url);
try {
  const baseUrl = `http://127.0.0.1:${await nextMessage(server)}`;
  const contenders = new Map<string, Send>([
    ['client', clientTo(baseUrl)],
    ['bare fetch', fetchTo(baseUrl)],
  ]);
  if (rival !== null) contenders.set('rate-limiter-flexible', rival.send);
  const ratios: Record<string, number> = {};
  const ours: Record<string, number> = {};
  for (const atOnce of [1, AT_ONCE]) {
    const measured = await compare(contenders, atOnce);
    const client = measured.get('client') ?? [];
    const name = atOnce === 1 ? 'one after the other' : `${atOnce} at once`;
    ours[`cpu of a check ${name}, microseconds`] = median(client, 'cpuMicroseconds');
    for (const [other, theirs] of measured) {
      if (other === 'client') continue;
      ratios[`${other}, CPU, ${name}`] = ratio(client, theirs, 'cpuMicroseconds');
      ratios[`${other}, latencies, ${name}`] = ratio(client, theirs, 'sumOfLatenciesMs');
      ratios[`${other}, p99, ${name}`] = ratio(client, theirs, 'p99Ms');
    }
  }
  const { microseconds, requests } = await denials(baseUrl);
  ours['remembered denial, microseconds'] = microseconds;
  ours['requests of remembered denials'] = requests;
  report({ bench: 'client', ours, ratios, targets: TARGETS });
  const isMissed = Object.entries(TARGETS).some(([name, { atMost }]) => (ratios[name] ?? 0) > atMost);
  if (!quick && (requests > 0 || isMissed)) process.exitCode = 1;
} finally {
  await end(server);
  rival?.close();
  if (redis !== null) await end(redis.child);
  rmSync(folder, { recursive: true });
}

function clientTo(baseUrl: string): Send {
  const limits = limiter({ key: KEY, baseUrl, onNoAnswer: 'throw', deadlineMs: 10_000 });
  return (identifier) => limits.check({ ...CHECK, identifier });
}

/** The same as a user would write it, with a deadline. */
function fetchTo(baseUrl: string): Send {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return async (identifier) => {
    const response = await fetch(`${baseUrl}/v1/check`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...CHECK, identifier }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return await response.json();
  };
}

/** As its documentation opens it. */
function rivalOn(url: string): { readonly send: Send; close(): void } {
  const storeClient = new Redis(url, { enableOfflineQueue: true });
  const limits = new RateLimiterRedis({
    storeClient,
    keyPrefix: CHECK.namespace,
    points: CHECK.limit,
    duration: CHECK.window / 1_000,
  });
  return { send: (identifier) => limits.consume(identifier), close: () => storeClient.disconnect() };
}

async function compare(contenders: ReadonlyMap<string, Send>, atOnce: number) {
  const measured = new Map([...contenders.keys()].map((name): [string, Measured[]] => [name, []]));
  // What runs for the first time is compiled meanwhile.
  for (const send of contenders.values()) await measure(send, atOnce);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? [...contenders] : [...contenders].reverse();
    for (const [name, send] of order) measured.get(name)?.push(await measure(send, atOnce));
  }
  return measured;
}

async function measure(send: Send, atOnce: number): Promise<Measured> {
  const latencies: number[] = [];
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      for (let each = 0; each < CHECKS / atOnce; each += 1) {
        const begunAt = performance.now();
        await send(`user ${lane}`);
        latencies.push(performance.now() - begunAt);
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return {
    cpuMicroseconds: (user + system) / CHECKS,
    sumOfLatenciesMs: latencies.reduce((sum, each) => sum + each, 0),
    p99Ms: percentile(latencies, 0.99),
  };
}

/** Floods a denied window, and counts the requests that leave. */
async function denials(baseUrl: string): Promise<{ microseconds: number; requests: number }> {
  let requests = 0;
  const counting = (url: string, init: RequestInit) => {
    requests += 1;
    return fetch(url, init);
  };
  const limits = limiter({ key: KEY, baseUrl, onNoAnswer: 'throw', deadlineMs: 10_000, fetch: counting });
  const check = { ...CHECK, limit: 1, window: 3_600_000, identifier: 'attacker' };
  for (let each = 0; each < 2; each += 1) await limits.check(check);
  requests = 0;
  const begunAt = performance.now();
  for (let each = 0; each < DENIALS; each += 1) {
    if ((await limits.check(check)).allowed) throw new Error('allowing an attacker');
  }
  const seconds = (performance.now() - begunAt) / 1_000;
  say(`${DENIALS} denied checks in ${seconds.toFixed(2)} s: ${Math.round(DENIALS / seconds)} a second`);
  return { microseconds: (seconds * 1e6) / DENIALS, requests };
}

function median(measured: readonly Measured[], figure: keyof Measured): number {
  return percentile(
    measured.map((each) => each[figure]),
    0.5,
  );
}

/** The median of ours over theirs in each round: what was measured one after the other saw the same machine. */
function ratio(ours: readonly Measured[], theirs: readonly Measured[], figure: keyof Measured): number {
  return percentile(
    ours.map((each, round) => each[figure] / (theirs[round]?.[figure] ?? Number.NaN)),
    0.5,
  );
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
