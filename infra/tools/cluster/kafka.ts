import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { repairClient } from '../../engines/kafka/client-repairs.ts';
import { HOST } from './addresses.ts';
import { jarFolder, KAFKA } from './artifacts.ts';
import { outputOf } from './run.ts';
import type { Command, ServerSpec } from './server.ts';
import type { Tools } from './tools.ts';

/** The Maven artifacts of every server. */
export interface ServerOptions {
  /** Holds a folder for each server, and one for the logs. */
  readonly folder: string;
  readonly cache: string;
  readonly port: number;
  readonly tools: () => Promise<Tools>;
}

const HEAP_MAX = '512m';
const FORMAT_MS_MAX = 60_000;
const PROBE_MS_MAX = 2_000;
const PROPERTIES = 'server.properties';

/** Sixteen bytes name a cluster. One that is for development says so. */
const CLUSTER_ID = Buffer.from('development-only').toString('base64url');

/** One broker that is its own controller (KRaft): the smallest Kafka that there is. */
export function kafkaServer({ folder, cache, port, tools }: ServerOptions): ServerSpec {
  const own = join(folder, 'kafka');
  const properties = join(own, PROPERTIES);
  const data = join(own, 'data');
  return {
    name: 'kafka',
    address: `${HOST}:${port}`,
    ports: [port, port + 1],
    folder: own,
    logFile: join(folder, 'logs', 'kafka.log'),
    files: { [PROPERTIES]: renderProperties(data, port) },
    prepare: async () => {
      const { java } = await tools();
      const jars = join(jarFolder(cache, KAFKA), '*');
      if (!existsSync(join(data, 'meta.properties'))) await format(java.program, jars, properties);
      return startCommand(java.program, jars, properties);
    },
    probe: () => probeKafka(`${HOST}:${port}`),
  };
}

/**
 * The broker's settings. With one copy of everything, an acknowledged record survives the broker's end and its restart,
 * for the system keeps what was written; a power cut may take what was not yet on disk, for Kafka leaves that to
 * replication and never waits for the disk.
 */
function renderProperties(data: string, port: number): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@${HOST}:${port + 1}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://${HOST}:${port},CONTROLLER://${HOST}:${port + 1}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${data}

# Topics are made from the catalogue, never by a typing error.
auto.create.topics.enable=false
unclean.leader.election.enable=false

# Kafka's own topics have the one copy that there can be, and few partitions, so that a start is quick.
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=8
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1

# A consumer group starts with its first member instead of waiting for more.
group.initial.rebalance.delay.ms=0

# After \`kill -9\` the controller, which was killed with it, waits this long for the broker that it remembers.
broker.session.timeout.ms=5000
broker.heartbeat.interval.ms=1000

# Sized for a machine of two cores.
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=16777216
`;
}

function startCommand(java: string, jars: string, properties: string): Command {
  return [
    java,
    '-Xms128m',
    `-Xmx${HEAP_MAX}`,
    '-XX:+UseG1GC',
    // A broker without memory must not live on half dead.
    '-XX:+ExitOnOutOfMemoryError',
    '-Djava.awt.headless=true',
    '-Dorg.slf4j.simpleLogger.showDateTime=true',
    '-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss,SSS',
    '-cp',
    jars,
    'kafka.Kafka',
    properties,
  ];
}

async function format(java: string, jars: string, properties: string): Promise<void> {
  const tool = ['-cp', jars, 'kafka.tools.StorageTool'];
  const args = ['format', '--ignore-formatted', '--cluster-id', CLUSTER_ID, '--config', properties];
  if ((await outputOf(java, [...tool, ...args], FORMAT_MS_MAX)) === null) {
    throw new Error(`formatting the folder that ${properties} names`);
  }
}

/** A broker is in the metadata only when the controller lets it serve. The protocol does not tell its version. */
async function probeKafka(address: string): Promise<null> {
  repairClient();
  const client = new Kafka({
    clientId: 'cluster-probe',
    brokers: [address],
    connectionTimeout: PROBE_MS_MAX,
    requestTimeout: PROBE_MS_MAX,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  });
  await assertServing(client.admin());
  return null;
}

/** Connects and asks for the brokers. @throws {Error} if none serves. */
export async function assertServing(admin: Admin): Promise<void> {
  try {
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    if (brokers.length === 0) throw new Error('asking Kafka for its brokers: none serves');
  } finally {
    await admin.disconnect();
  }
}
