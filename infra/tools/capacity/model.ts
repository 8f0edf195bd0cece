import { TOPICS } from '../../../topics/catalogue.ts';
import type { Costs } from './costs.ts';

/** The load on the service. */
export interface Demand {
  readonly eventsPerSecond: number;
  /** The number of aggregates, such as customers' installations, over which the events of one moment are spread. */
  readonly aggregates: number;
}

/** The assumptions of the model, each with its value and its meaning. Every one is an option of the command. */
export const ASSUMPTIONS = {
  // A processor at its limit takes longer turns, with deeper batches.
  turnMs: { is: 20, meaning: 'how long a turn of a processor takes; what comes meanwhile is one batch' },
  // At the peak, so that a failure of one is carried by the others.
  utilization: { is: 0.5, meaning: 'the share of its CPU that anything may use' },
  partitionsPerProcessor: { is: 2, meaning: 'so that processors can be added before a topic grows' },
  brokerCores: { is: 8, meaning: 'cores of a Kafka broker' },
  nodeCores: { is: 16, meaning: 'cores of a Cassandra node' },
  replication: { is: 3, meaning: 'copies of everything' },
  brokerMegabytesPerSecond: { is: 200, meaning: 'what a broker writes to its disk' },
  brokerTerabytes: { is: 4, meaning: 'what a broker holds' },
  // Compaction needs the other half.
  nodeTerabytes: { is: 2, meaning: 'what a node holds: half of its disk' },
  // It decides what is stored.
  average: { is: 0.25, meaning: 'the share of the peak that an average second has' },
  kafkaDays: { is: 14, meaning: 'days that Kafka keeps' },
  cassandraDays: { is: 90, meaning: 'days that Cassandra keeps' },
} as const;

export type Assumptions = Readonly<Record<keyof typeof ASSUMPTIONS, number>>;

export const DEFAULT_ASSUMPTIONS = Object.fromEntries(
  Object.entries(ASSUMPTIONS).map(([name, { is }]) => [name, is]),
) as Assumptions;

/** The machines that carry a load. */
export interface Plan {
  /** Events of one aggregate that are committed together. */
  readonly batchDepth: number;
  readonly partitions: number;
  readonly processors: number;
  readonly gateways: number;
  readonly brokers: number;
  readonly nodes: number;
  /** Cores that Redis would use; one server uses one. */
  readonly redisCores: number;
  /** The bytes that all brokers together write. */
  readonly kafkaBytesPerSecond: number;
  /** The bytes that all brokers, and all nodes, hold in the end. */
  readonly kafkaBytes: number;
  readonly cassandraBytes: number;
}

/** Commands of one aggregate that the runtime commits together at most. */
const BATCH_DEPTH_MAX = 256;

/** The least of each kind, so that the loss of one interrupts nothing. */
const LEAST = { processors: 2, gateways: 2 } as const;

/** The first partition count of the largest topic. */
const PARTITIONS_LEAST = Math.max(...Object.values(TOPICS).map(({ partitions }) => partitions));

const MICROSECONDS = 1_000_000;
const MEGABYTE = 1e6;
const TERABYTE = 1e12;
const DAY_SECONDS = 86_400;

/**
 * Returns the machines that carry a demand. Every event costs what was measured, and everything is as busy as `utilization` says.
 * Work is assumed to grow in proportion: ten times the events take ten times the CPU. A copy costs what the original does.
 */
export function planFor(demand: Demand, costs: Costs, assumptions: Assumptions): Plan {
  const { eventsPerSecond } = demand;
  const { replication, utilization } = assumptions;
  const batchDepth = depthOf(demand, assumptions);
  const amortized = ({ event, batch }: { event: number; batch: number }) => event + batch / batchDepth;
  const cores = (microseconds: number) => (eventsPerSecond * microseconds) / MICROSECONDS / utilization;
  const processors = atLeast(LEAST.processors, cores(amortized(costs.processor)));
  const kafkaBytesPerSecond = eventsPerSecond * costs.stored.kafka * replication;
  const keptSeconds = (days: number) => days * DAY_SECONDS * assumptions.average;
  const kafkaBytes = kafkaBytesPerSecond * keptSeconds(assumptions.kafkaDays);
  const cassandraBytes =
    eventsPerSecond * costs.stored.cassandra * replication * keptSeconds(assumptions.cassandraDays);
  return {
    batchDepth,
    partitions: atLeast(PARTITIONS_LEAST, processors * assumptions.partitionsPerProcessor),
    processors,
    gateways: atLeast(LEAST.gateways, cores(costs.gateway.event)),
    brokers: atLeast(
      replication,
      cores(replication * costs.kafka.append + costs.kafka.read) / assumptions.brokerCores,
      kafkaBytesPerSecond / (assumptions.brokerMegabytesPerSecond * MEGABYTE),
      kafkaBytes / (assumptions.brokerTerabytes * TERABYTE),
    ),
    nodes: atLeast(
      replication,
      cores(replication * amortized(costs.cassandra)) / assumptions.nodeCores,
      cassandraBytes / (assumptions.nodeTerabytes * TERABYTE),
    ),
    redisCores: cores(costs.redis.event),
    kafkaBytesPerSecond,
    kafkaBytes,
    cassandraBytes,
  };
}

/** Events a second that one aggregate can have: it belongs to one partition, and that to one processor. */
export function aggregateLimit({ processor }: Costs): number {
  return MICROSECONDS / (processor.event + processor.batch / BATCH_DEPTH_MAX);
}

function depthOf({ eventsPerSecond, aggregates }: Demand, { turnMs }: Assumptions): number {
  const meanwhile = (eventsPerSecond / aggregates) * (turnMs / 1_000);
  return Math.min(BATCH_DEPTH_MAX, Math.max(1, meanwhile));
}

function atLeast(least: number, ...needed: readonly number[]): number {
  return Math.max(least, ...needed.map((count) => Math.ceil(count)));
}
