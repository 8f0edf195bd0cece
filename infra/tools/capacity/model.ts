import { TOPICS } from '../../../topics/catalogue.ts';
import type { Costs } from './costs.ts';

/** The load on the service. */
export interface Demand {
  readonly eventsPerSecond: number;
  /** The number of aggregates, such as customers' installations, over which the events of one moment are spread. */
  readonly aggregates: number;
}

/** The assumptions of the model. Every member is an option of the command. */
export interface Assumptions {
  /**
   * The duration of a processor's turn. Events of that time are committed together in the next one, so a processor at its
   * limit takes longer turns, with deeper batches.
   */
  readonly turnMs: number;
  /** The share of its CPU that anything may use at the peak, so that a failure of one is carried by the others. */
  readonly utilization: number;
  /** Partitions for each processor, so that processors can be added before a topic has to grow. */
  readonly partitionsPerProcessor: number;
  readonly brokerCores: number;
  readonly nodeCores: number;
  readonly replication: number;
  /** The bytes that one broker writes to its disk. */
  readonly brokerMegabytesPerSecond: number;
  readonly brokerTerabytes: number;
  /** The bytes that one node holds: half of its disk, because compaction needs the rest. */
  readonly nodeTerabytes: number;
  /** The share of the peak that an average second has: it decides what is stored. */
  readonly average: number;
  readonly kafkaDays: number;
  readonly cassandraDays: number;
}

export const DEFAULT_ASSUMPTIONS: Assumptions = {
  turnMs: 20,
  utilization: 0.5,
  partitionsPerProcessor: 2,
  brokerCores: 8,
  nodeCores: 16,
  replication: 3,
  brokerMegabytesPerSecond: 200,
  brokerTerabytes: 4,
  nodeTerabytes: 2,
  average: 0.25,
  kafkaDays: 14,
  cassandraDays: 90,
};

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
 * What it takes to carry a demand: every event costs what was measured, and everything is as busy as `utilization` says.
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
