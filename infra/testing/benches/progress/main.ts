// Measures polls of pages that show a checklist: 10,000 pages of one installation, each with a session of its user and the
// entity tag of what it shows. Beside it stands `node:http` that answers 304 and nothing else; both take turns.
// npm run bench:progress -- [--pages 10000] [--rounds 4] [--seconds 3] [--json]
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createWorkspace } from '../../../demo/agent.ts';
import { Client } from '../../../demo/client.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { percentile, report, say } from '../report.ts';
import type { Load, LoadJob } from './load.ts';

const ORIGIN = 'https://app.example';
const SCHEMA_VERSION = '2026-09-07';
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;
/** Sessions that are opened at the same time. */
const OPENED_AT_ONCE = 32;
/** Headers that belong to a connection and that `node:http` writes by itself. */
const OF_CONNECTION = ['connection', 'keep-alive', 'date'];

const { values: options } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

const service = await ServiceProcess.start({ environment: { LOG_LEVEL: 'error' } });
const bare = fork(fileURLToPath(new URL('bare.ts', import.meta.url)));
try {
  const requests = await openPages(service.url, Number(options.pages));
  say(`${requests.length} pages of one installation, each with its session`);
  const ports = { ours: Number(new URL(service.url).port), bare: await startBare(bare, requests[0] ?? '') };
  const rates: Record<keyof typeof ports, number[]> = { ours: [], bare: [] };
  let statuses: Load['statuses'] = {};
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const name of ['ours', 'bare'] as const) {
      const load = await measure(ports[name], requests);
      rates[name].push(load.perSecond);
      if (name === 'ours') statuses = load.statuses;
      say(`${name.padEnd(8)} ${Math.round(load.perSecond)}/s ${JSON.stringify(load.statuses)}`);
    }
  }
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const ratios = rates.ours.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN));
  report({
    bench: 'progress',
    ours: {
      'not-modified-per-second': percentile(rates.ours, 0.5),
      'not-modified-share': (statuses['304'] ?? 0) / answers,
    },
    ratios: { 'node-http': percentile(ratios, 0.5) },
  });
} finally {
  bare.kill();
  await service.dispose();
}

/** Makes a checklist, opens a session for each page, reads its progress once, and returns the request of its next poll. */
async function openPages(url: string, pages: number): Promise<string[]> {
  const client = new Client(url);
  const { installationId, credential: bearer } = await createWorkspace(client, 'progress');
  const checklists = `/v1/installations/${installationId}/svcactivate/checklists`;
  const step = (key: string) => ({ key, label: key, description: 'A step.', actionPath: '/' });
  const configuration = {
    name: 'First steps',
    allowedOrigins: [ORIGIN],
    steps: ['one', 'two', 'three'].map(step),
  };
  const json = { schemaVersion: SCHEMA_VERSION, idempotencyKey: 'checklist', configuration };
  const made = await client.send<{ checklistId: string }>('POST', checklists, 201, { bearer, json });
  const open = async (page: number): Promise<string> => {
    const subjectDigest = createHash('sha256').update(`user ${page}`).digest('hex');
    const { token } = await client.send<{ token: string }>(
      'POST',
      `${checklists}/${made.checklistId}/sessions`,
      201,
      { bearer, json: { schemaVersion: SCHEMA_VERSION, subjectDigest, cohort: 'test', origin: ORIGIN } },
    );
    const headers = { authorization: `Bearer ${token}`, origin: ORIGIN };
    const answer = await fetch(`${url}/v1/activate/progress`, { headers });
    if (answer.status !== 200) throw new Error(`reading progress: ${answer.status}`);
    await answer.arrayBuffer();
    return [
      'GET /v1/activate/progress HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: ${headers.authorization}`,
      `Origin: ${ORIGIN}`,
      `If-None-Match: ${answer.headers.get('etag')}`,
      '\r\n',
    ].join('\r\n');
  };
  const requests: string[] = [];
  for (let first = 0; first < pages; first += OPENED_AT_ONCE) {
    const count = Math.min(OPENED_AT_ONCE, pages - first);
    requests.push(...(await Promise.all(Array.from({ length: count }, (_, index) => open(first + index)))));
  }
  return requests;
}

/** Starts the other server with the headers of the service's own answer. */
async function startBare(child: ChildProcess, request: string): Promise<number> {
  const [, ...lines] = request.trim().split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const { Host: _host, ...sent } = headers;
  const answer = await fetch(`${service.url}/v1/activate/progress`, { headers: sent });
  if (answer.status !== 304) throw new Error(`polling: ${answer.status}`);
  child.send(Object.fromEntries([...answer.headers].filter(([name]) => !OF_CONNECTION.includes(name))));
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

async function measure(port: number, requests: readonly string[]): Promise<Load> {
  const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)));
  const job: LoadJob = {
    port,
    connections: CONNECTIONS,
    requests,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: Number(options.seconds),
  };
  child.send(job);
  const [load] = (await once(child, 'message')) as [Load];
  return load;
}
