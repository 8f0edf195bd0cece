// Measures polls of pages that show a checklist.
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createWorkspace } from '../../../demo/agent.ts';
import { Client, UnexpectedAnswerError } from '../../../demo/client.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { cpuMicroseconds } from '../capacity/cpu-time.ts';
import { nextMessage } from '../child-message.ts';
import { readBenchOptions } from '../options.ts';
import { percentile, report, say } from '../report.ts';
import { countUnavailable, retryUnavailable, unavailableAnswers } from '../unavailable.ts';
import type { Load, LoadJob } from './load.ts';

const HELP = `
npm run bench:progress -- OPTIONS

Measures polls of pages that show a checklist: many pages of one installation, each with a session of its user and the entity tag of
its content. Beside it stands node:http that answers 304 and nothing else. Both take turns.

  --pages 10000    pages
  --rounds 4       rounds of both
  --seconds 3      of each measurement
  --profile FOLDER leaves a CPU profile of the service
`;

const TARGETS = { 'node-http': { atLeast: 0.4 } } as const;

const ORIGIN = 'https://app.example';
const SCHEMA_VERSION = '2026-09-07';
const CONNECTIONS = 64;
/** Sessions that are opened at the same time. */
const OPENED_AT_ONCE = 32;
/** Headers that belong to a connection and that `node:http` writes by itself. */
const OF_CONNECTION = ['connection', 'keep-alive', 'date'];

const options = readBenchOptions(HELP, {
  pages: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  profile: { type: 'string' },
});
const { quick } = options;
const pages = Number(options.pages ?? (quick ? 100 : 10_000));
const rounds = Number(options.rounds ?? (quick ? 1 : 4));
const seconds = Number(options.seconds ?? (quick ? 0.5 : 3));
const warmUpSeconds = quick ? 0.1 : 1;

const profiling =
  options.profile === undefined
    ? {}
    : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(options.profile)}` };
const service = await ServiceProcess.start({ environment: { LOG_LEVEL: 'error', ...profiling } });
const bare = fork(fileURLToPath(new URL('bare.ts', import.meta.url)));
try {
  const requests = await openPages(service.url);
  say(`${requests.length} pages of one installation, each with its session`);
  const ports = { ours: Number(new URL(service.url).port), bare: await startBare(bare, requests[0] ?? '') };
  const pids = { ours: service.pid, bare: bare.pid };
  const rates: Record<keyof typeof ports, number[]> = { ours: [], bare: [] };
  const cpu: Record<keyof typeof ports, number[]> = { ours: [], bare: [] };
  let statuses: Load['statuses'] = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['ours', 'bare'] as const) {
      const before = cpuMicroseconds(pids[name] ?? 0);
      const load = await measure(ports[name], requests);
      const spent = cpuMicroseconds(pids[name] ?? 0) - before;
      rates[name].push(load.perSecond);
      cpu[name].push(spent / load.perSecond / (warmUpSeconds + seconds));
      if (name === 'ours') statuses = load.statuses;
      countUnavailable(load.unavailable);
      say(`${name.padEnd(8)} ${Math.round(load.perSecond)}/s ${JSON.stringify(load.statuses)}`);
    }
  }
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const inRounds = (ours: readonly number[], theirs: readonly number[]): number =>
    percentile(
      ours.map((value, round) => value / (theirs[round] ?? Number.NaN)),
      0.5,
    );
  report({
    bench: 'progress',
    ours: {
      'not-modified-per-second': percentile(rates.ours, 0.5),
      'not-modified-share': (statuses['304'] ?? 0) / answers,
      'cpu-microseconds-per-answer': percentile(cpu.ours, 0.5),
      'answers-with-503': unavailableAnswers(),
    },
    ratios: {
      'node-http': inRounds(rates.ours, rates.bare),
      'node-http-cpu': inRounds(cpu.ours, cpu.bare),
    },
    targets: TARGETS,
  });
} finally {
  bare.kill();
  // A process that is killed leaves no profile.
  if (options.profile !== undefined) await service.stop();
  await service.dispose();
}

/** Makes a checklist, opens a session for each page, reads its progress once, and returns the request of its next poll. */
async function openPages(url: string): Promise<string[]> {
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
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new UnexpectedAnswerError('reading progress', answer.status, {});
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
    requests.push(
      ...(await Promise.all(
        Array.from({ length: count }, (_, index) => retryUnavailable(() => open(first + index))),
      )),
    );
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
  return await nextMessage(child);
}

async function measure(port: number, requests: readonly string[]): Promise<Load> {
  const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)));
  const job: LoadJob = {
    port,
    connections: CONNECTIONS,
    requests,
    warmUpSeconds,
    seconds,
  };
  child.send(job);
  return await nextMessage(child);
}
