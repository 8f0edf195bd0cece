// Kafka, Cassandra and Redis for development and tests.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../command-line.ts';
import {
  addressesOf,
  CASSANDRA_DATACENTER,
  ENGINE_NAMES,
  ENGINE_VARIABLES,
  type EngineAddresses,
} from './addresses.ts';
import { clusterOf, serversOf, startCluster, stopCluster } from './cluster.ts';
import { type ContainerEngine, compose, findContainerEngine } from './containers.ts';
import { firstAnswer } from './server.ts';
import { type ClusterSettings, readClusterSettings } from './settings.ts';

const HELP = `
npm run cluster -- <command>

Runs Kafka, Cassandra and Redis for development and tests, on this machine.

  up       starts what does not run, waits until all three answer, and prints their addresses;
           eval "$(npm --silent run cluster -- up)" puts them into the shell, for npm test
  down     stops what runs; the data stays
  status   says what answers; ends with 1 unless everything does
  logs     prints the end of every log, or of one: logs kafka

In containers (infra/deployment/compose.yaml) where docker or podman answers, else as processes: Kafka and Cassandra from
Maven Central on Java 17, and the system's redis-server.

  SVC_CLUSTER_KAFKA_PORT, SVC_CLUSTER_CASSANDRA_PORT, SVC_CLUSTER_REDIS_PORT   19092, 19042, 16379
  SVC_CLUSTER_FOLDER   data and logs of processes: .data/cluster
  SVC_CLUSTER_CACHE    downloads: .cache/cluster
  SVC_CLUSTER_RUNS     containers or processes, to have no choice made
`;

/** The file that says how the cluster of a folder was started, so that `down` stops that one. */
const WAY_FILE = 'way';
const LOG_LINES = 100;

/** Commands resolve with the exit code. */
type Run = (settings: ClusterSettings, argument: string | undefined) => Promise<number>;

const COMMANDS: Readonly<Record<string, Run>> = { up, down, status, logs };

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const [name = '', argument] = readCommandLine(HELP, { allowPositionals: true }).positionals;
    const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (run !== undefined) return await run(readClusterSettings(process.env), argument);
    say(HELP.trim());
    return 2;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function up(settings: ClusterSettings): Promise<number> {
  const engine = await containerEngineFor(settings, settings.way);
  remember(settings, engine === null ? 'processes' : 'containers');
  if (engine === null) await startCluster({ ...settings, report: say });
  else await startContainers(engine, settings);
  explain(addressesOf(settings.ports));
  return 0;
}

async function startContainers(engine: ContainerEngine, settings: ClusterSettings): Promise<void> {
  await compose(engine, settings.ports, ['up', '--detach', '--wait']);
  for (const { spec } of serversOf(clusterOf(settings))) {
    const version = await firstAnswer(spec);
    say(`${spec.name}: answers at ${spec.address}${details({ version, pid: null })}`);
  }
}

async function down(settings: ClusterSettings): Promise<number> {
  const engine = await containerEngineFor(settings, startMethodOf(settings));
  if (engine === null) await stopCluster(clusterOf(settings), say);
  else await compose(engine, settings.ports, ['stop']);
  return 0;
}

async function status(settings: ClusterSettings): Promise<number> {
  let answering = 0;
  for (const { spec, pid } of serversOf(clusterOf(settings))) {
    try {
      const version = await spec.probe();
      answering += 1;
      say(`${spec.name}: answers at ${spec.address}${details({ version, pid })}`);
    } catch {
      say(`${spec.name}: no answer at ${spec.address}${details({ version: null, pid })}`);
    }
  }
  return answering === ENGINE_NAMES.length ? 0 : 1;
}

async function logs(settings: ClusterSettings, only: string | undefined): Promise<number> {
  const engine = await containerEngineFor(settings, startMethodOf(settings));
  if (engine !== null) {
    await compose(engine, settings.ports, ['logs', '--tail', String(LOG_LINES)]);
    return 0;
  }
  const servers = serversOf(clusterOf(settings)).filter(
    ({ spec }) => only === undefined || spec.name === only,
  );
  for (const server of servers) say(`== ${server.spec.logFile}\n${server.lastLines(LOG_LINES)}`);
  return servers.length > 0 ? 0 : 2;
}

/** The container engine to use, or null for processes. */
async function containerEngineFor(
  { way }: ClusterSettings,
  remembered: ClusterSettings['way'],
): Promise<ContainerEngine | null> {
  const chosen = way ?? remembered;
  if (chosen === 'processes') return null;
  const engine = await findContainerEngine();
  if (engine === null && chosen === 'containers') {
    throw new Error(
      'looking for a container engine: neither docker nor podman answers, or they cannot compose',
    );
  }
  return engine;
}

function remember({ folder }: ClusterSettings, way: NonNullable<ClusterSettings['way']>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, WAY_FILE), way);
}

function startMethodOf({ folder }: ClusterSettings): ClusterSettings['way'] {
  try {
    return readFileSync(join(folder, WAY_FILE), 'utf8') === 'containers' ? 'containers' : 'processes';
  } catch {
    return null;
  }
}

/** Says how to use the cluster: what tests read on standard output, what the service reads beside it. */
function explain(addresses: EngineAddresses): void {
  say('For the service (.env.example says what else a cluster needs):');
  for (const line of serviceVariables(addresses)) say(`  ${line}`);
  say('For npm test:');
  for (const name of ENGINE_NAMES) {
    process.stdout.write(`export ${ENGINE_VARIABLES[name]}=${addresses[name]}\n`);
  }
}

/** There is one server of each sort, so everything is kept once. */
function serviceVariables({ kafka, cassandra, redis }: EngineAddresses): string[] {
  return [
    'SVC_ENGINE=cluster',
    `KAFKA_BROKERS=${kafka} KAFKA_REPLICATION=1 KAFKA_MIN_INSYNC_REPLICAS=1`,
    `CASSANDRA_CONTACT_POINTS=${cassandra} CASSANDRA_LOCAL_DATACENTER=${CASSANDRA_DATACENTER} CASSANDRA_REPLICATION=1`,
    `REDIS_URL=${redis}`,
  ];
}

function details({ version, pid }: { readonly version: string | null; readonly pid: number | null }): string {
  const known = [version === null ? '' : `version ${version}`, pid === null ? '' : `pid ${pid}`];
  const text = known.filter((part) => part !== '').join(', ');
  return text === '' ? '' : ` (${text})`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
