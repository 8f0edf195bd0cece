// Measures checks through the client library beside the same checks with bare fetch.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nextMessage } from '../../../../infra/testing/benches/child-message.ts';
import { KEY } from '../../../../infra/testing/benches/limiter/scene.ts';
import { readBenchOptions } from '../../../../infra/testing/benches/options.ts';
import { percentile, report, say } from '../../../../infra/testing/benches/report.ts';
import { limiter } from '../../limiter.ts';

const HELP = `
npm run bench:client -- OPTIONS

Measures checks through the client library beside the same checks with bare fetch, against the real gateway and the embedded engine. It
fails if a check takes more than 1.1 times the CPU time of bare fetch, one after the other or 64 at once, or if a remembered denial
reaches the service.

`;

const { quick } = readBenchOptions(HELP, {});
/** Turns of each contender, one after the other, so that a busy moment meets both. */
const ROUNDS = quick ? 2 : 12;
const CHECKS = quick ? 64 : 640;
const AT_ONCE = 64;
const DENIALS = quick ? 1_000 : 50_000;
const RATIO_MAX = 1.1;

const CHECK = { namespace: 'bench', limit: 1_000_000, window: 60_000 };

/** Sends one check. */
type Send = (identifier: string) => Promise<unknown>;

interface Measured {
  readonly cpuMicroseconds: number;
  readonly sumOfLatenciesMs: number;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-client-bench-'));
const script = new URL('../../../../infra/testing/benches/limiter/server.ts', import.meta.url);
const server = fork(fileURLToPath(script), ['ours', folder], {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
try {
  const baseUrl = `http://127.0.0.1:${await nextMessage(server)}`;
  const contenders = { client: clientTo(baseUrl), fetch: fetchTo(baseUrl) };
  const ratios: Record<string, number> = {};
  const ours: Record<string, number> = {};
  for (const atOnce of [1, AT_ONCE]) {
    const { client, fetch } = await compare(contenders, atOnce);
    const name = atOnce === 1 ? 'one after the other' : `${atOnce} at once`;
    ours[`cpu of a check ${name}, microseconds`] = median(client, 'cpuMicroseconds');
    ratios[`bare fetch, CPU, ${name}`] = ratio(client, fetch, 'cpuMicroseconds');
    ratios[`bare fetch, latencies, ${name}`] = ratio(client, fetch, 'sumOfLatenciesMs');
  }
  const { microseconds, requests } = await denials(baseUrl);
  ours['remembered denial, microseconds'] = microseconds;
  ours['requests of remembered denials'] = requests;
  report({ bench: 'client', ours, ratios });
  const cpu = Object.entries(ratios).filter(([name]) => name.includes('CPU'));
  if (!quick && (requests > 0 || cpu.some(([, value]) => value > RATIO_MAX))) process.exitCode = 1;
} finally {
  await end(server);
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

async function compare(contenders: { readonly client: Send; readonly fetch: Send }, atOnce: number) {
  const measured = { client: [] as Measured[], fetch: [] as Measured[] };
  // What runs for the first time is compiled meanwhile.
  for (const send of [contenders.client, contenders.fetch]) await measure(send, atOnce);
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['client', 'fetch'] as const) : (['fetch', 'client'] as const);
    for (const name of order) measured[name].push(await measure(contenders[name], atOnce));
  }
  return measured;
}

async function measure(send: Send, atOnce: number): Promise<Measured> {
  let sumOfLatenciesMs = 0;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      for (let each = 0; each < CHECKS / atOnce; each += 1) {
        const begunAt = performance.now();
        await send(`user ${lane}`);
        sumOfLatenciesMs += performance.now() - begunAt;
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return { cpuMicroseconds: (user + system) / CHECKS, sumOfLatenciesMs };
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
