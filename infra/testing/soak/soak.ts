import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readClusterSettings } from '../../tools/cluster/settings.ts';
import { markdownTable } from '../../tools/markdown-table.ts';
import { clusterEnvironment } from '../../tools/service-process/cluster-environment.ts';
import { removeFromCluster } from '../../tools/service-process/cluster-removal.ts';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { CheckedSite } from '../checked-site.fixture.ts';
import { checkAnswers } from '../faults/check.ts';
import { Customer } from '../faults/customer.ts';
import { History } from '../faults/history.ts';
import { hasBrowser, LOADS, setUp, tellUntilOver } from '../faults/loads/all.ts';
import { checksLoad } from '../faults/loads/checks.ts';
import { RUN_LIMITS } from '../faults/stage.ts';
import { type Judged, judge, RULES, readProcesses, type Sample, sizeOf } from './series.ts';

export interface SoakOptions {
  readonly engine: 'embedded' | 'cluster';
  readonly seconds: number;
  /** Operations that customers begin in a second. */
  readonly perSecond: number;
  /** Takes a line for what has happened. */
  readonly report: (line: string) => void;
}

export interface SoakResult {
  /** Errors that a client saw, and losses and doubles. */
  readonly findings: readonly string[];
  readonly series: readonly Judged[];
}

/** Processes of a cluster in the order in which they are restarted. Two of a kind take over from each other. */
const ROLES = ['processors', 'processors', 'workers', 'runner', 'gateway', 'gateway'] as const;

/** The deadline of a call in the client library, which covers its repeats. */
const PATIENCE_MS = 30_000;

/** Samples of a run: enough for thirds, and no more often than once a second. */
const SAMPLES = 120;
const SAMPLE_MS_MIN = 500;

/** Acknowledgments after a restart before the next process is restarted. */
const STEADY_ACKNOWLEDGMENTS = 20;
const STEADY_POLL_MS = 100;
/** The longest time for these: twice the patience of a client, and a start. */
const STEADY_MS_MAX = 120_000;

/** Loads all products for a time, restarts every process in the middle, and compares the end with the beginning. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return await soakOn(options, closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function soakOn(options: SoakOptions, closers: (() => Promise<unknown>)[]): Promise<SoakResult> {
  const { engine, seconds, perSecond, report } = options;
  const site = await CheckedSite.start();
  closers.push(() => site.close());
  const processes = await start(engine, site.environment, closers);
  const gateways = processes.filter(({ environment }) => /gateway|^$/.test(environment['SVC_ROLES'] ?? ''));
  const history = new History();
  let isOver = false;
  const turn = turns(perSecond);
  const newCustomer = () =>
    new Customer({
      gateways: gateways.map(({ url }) => url),
      history,
      isOver: () => isOver,
      random: Math.random,
      patienceMs: PATIENCE_MS,
      turn,
      forgetsCheckKeys: engine === 'embedded',
    });
  const owner = await setUp(newCustomer(), gateways[0]?.setUpLink ?? '');
  const loads = hasBrowser() ? [...LOADS, checksLoad(site)] : LOADS;
  report(
    `${engine}, ${seconds} s, ${perSecond} operations a second: ${loads.map(({ name }) => name).join(', ')}`,
  );
  const stories = Promise.all(loads.map((load) => tellUntilOver(load, newCustomer, owner)));
  // A failure is thrown when the run is over.
  stories.catch(() => undefined);

  const samples: Sample[] = [];
  const intervalMs = Math.max(SAMPLE_MS_MIN, (seconds * 1_000) / SAMPLES);
  const endsAt = performance.now() + seconds * 1_000;
  const restarting = pause((seconds * 1_000) / 2).then(() => restartAll(processes, history, report));
  restarting.catch(() => undefined);
  while (performance.now() < endsAt) {
    await pause(intervalMs);
    const values = readProcesses(processes.map(({ pid }) => pid));
    if (values === null) continue;
    samples.push({
      acknowledged: history.acknowledged,
      values: { ...values, ...readDisk(engine, processes) },
    });
  }
  await restarting;
  isOver = true;
  await stories;
  report(`${history.acknowledged} acknowledged answers, ${samples.length} samples`);
  const findings = [...checkAnswers(history.operations), ...history.observed];
  return { findings: findings.map(({ kind, what }) => `${kind}: ${what}`), series: judge(samples) };
}

async function start(
  engine: SoakOptions['engine'],
  site: Readonly<Record<string, string>>,
  closers: (() => Promise<unknown>)[],
): Promise<ServiceProcess[]> {
  const shared: Record<string, string> =
    engine === 'cluster' ? clusterEnvironment() : { SVC_ENGINE: 'embedded' };
  if (engine === 'cluster') closers.push(() => removeFromCluster(shared));
  const roles = engine === 'cluster' ? ROLES.map((SVC_ROLES) => ({ SVC_ROLES })) : [{}];
  const processes: ServiceProcess[] = [];
  for (const role of roles) {
    const environment = { ...site, ...shared, SVC_WORKER_THREADS: '1', ...role };
    const process = await ServiceProcess.start({ limits: RUN_LIMITS, environment });
    closers.push(() => process.dispose());
    processes.push(process);
  }
  return processes;
}

async function restartAll(
  processes: readonly ServiceProcess[],
  history: History,
  report: SoakOptions['report'],
): Promise<void> {
  for (const process of processes) {
    const name = process.environment['SVC_ROLES'] ?? 'all roles';
    const begunAt = performance.now();
    const code = await process.stop();
    if (code !== 0) throw new Error(`stopping ${name}: exit code ${code}`);
    await process.restart();
    const wanted = history.acknowledged + STEADY_ACKNOWLEDGMENTS;
    while (history.acknowledged < wanted) {
      if (performance.now() - begunAt > STEADY_MS_MAX) throw new Error(`waiting for answers after ${name}`);
      await pause(STEADY_POLL_MS);
    }
    report(`restarted ${name} in ${((performance.now() - begunAt) / 1_000).toFixed(1)} s`);
  }
}

function readDisk(engine: SoakOptions['engine'], processes: readonly ServiceProcess[]): Sample['values'] {
  if (engine === 'embedded') {
    const data = join(processes[0]?.folder ?? '', 'data');
    return {
      'store and log': sizeOf(join(data, 'engine.db')),
      'write-ahead log': sizeOf(join(data, 'engine.db-wal')),
      blobs: sizeOf(join(data, 'blobs')),
    };
  }
  const { folder } = readClusterSettings(process.env);
  // Servers of containers, or on another machine.
  if (!existsSync(folder)) return {};
  const parts = ['cassandra/data', 'cassandra/commitlog', 'kafka/data', 'redis/appendonlydir'];
  return { 'store and log': parts.reduce((sum, part) => sum + sizeOf(join(folder, part)), 0) };
}

/** Returns a function that resolves at most `perSecond` times in a second, in the order of its calls. */
function turns(perSecond: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    nextAt = Math.max(nextAt, now) + 1_000 / perSecond;
    await pause(nextAt - now);
  };
}

/** Returns the comparison of both thirds as a table in Markdown, with the reason for each bound. */
export function tableOf(series: readonly Judged[]): string {
  return markdownTable(
    ['series', 'first third', 'last third', 'at most', 'holds', 'reason'],
    series.map(({ series: name, first, last, bound, holds }) => [
      name,
      first,
      last,
      bound,
      holds ? 'yes' : 'NO',
      RULES[name].why,
    ]),
  );
}
