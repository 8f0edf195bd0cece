import type { Costs } from './costs.ts';
import { type Assumptions, aggregateLimit, type Demand, type Plan, planFor } from './model.ts';

const UNITS = ['', 'k', 'M', 'G', 'T', 'P'] as const;
const COLUMN = 12;
const LABEL = 34;

/** The rows of the table: what each plan says, in words. */
const ROWS: readonly (readonly [label: string, value: (plan: Plan) => string])[] = [
  ['events of one aggregate a batch', ({ batchDepth }) => batchDepth.toFixed(1)],
  ['partitions of the topic', ({ partitions }) => String(partitions)],
  ['processors (one core each)', ({ processors }) => String(processors)],
  ['gateways (one core each)', ({ gateways }) => String(gateways)],
  ['Kafka brokers', ({ brokers }) => String(brokers)],
  ['Cassandra nodes', ({ nodes }) => String(nodes)],
  ['Redis, in cores', ({ redisCores }) => `${redisCores.toFixed(2)}${redisCores > 1 ? ' *' : ''}`],
  ['written to Kafka a second', (plan) => `${short(plan.kafkaBytesPerSecond)}B`],
  ['kept in Kafka', ({ kafkaBytes }) => `${short(kafkaBytes)}B`],
  ['kept in Cassandra', ({ cassandraBytes }) => `${short(cassandraBytes)}B`],
];

/** The table for people, with what it rests on above and what it cannot promise below. */
export function renderTable(demands: readonly Demand[], costs: Costs, assumptions: Assumptions): string {
  const plans = demands.map((demand) => planFor(demand, costs, assumptions));
  const lines = [
    ...heading(costs, assumptions),
    '',
    row(
      'events a second',
      demands.map(({ eventsPerSecond }) => short(eventsPerSecond)),
    ),
    row(
      'aggregates at once',
      demands.map(({ aggregates }) => short(aggregates)),
    ),
    ...ROWS.map(([label, value]) => row(label, plans.map(value))),
    '',
    `One aggregate: at most ${short(aggregateLimit(costs))} events a second, however many processors there are.`,
  ];
  if (plans.some(({ redisCores }) => redisCores > 1)) {
    lines.push(
      '* More than one Redis server carries. The service knows one: divide customers among several namespaces.',
    );
  }
  return `${lines.join('\n')}\n`;
}

function heading({ measured }: Costs, assumptions: Assumptions): string[] {
  const { utilization, replication, turnMs, average } = assumptions;
  return [
    `Costs measured on ${measured.on} with \`${measured.command}\` (${measured.machine}).`,
    `Assumed: everything at most ${Math.round(utilization * 100)} % busy, ${replication} copies, turns of ${turnMs} ms,`,
    `  brokers of ${assumptions.brokerCores} cores, ${assumptions.brokerMegabytesPerSecond} MB/s and ${assumptions.brokerTerabytes} TB, nodes of ${assumptions.nodeCores} cores and ${assumptions.nodeTerabytes} TB;`,
    `  an average second has ${Math.round(average * 100)} % of the peak; Kafka keeps ${assumptions.kafkaDays} days, Cassandra ${assumptions.cassandraDays}.`,
  ];
}

function row(label: string, values: readonly string[]): string {
  return label.padEnd(LABEL) + values.map((value) => value.padStart(COLUMN)).join('');
}

/** A number in at most four characters and its unit: `1.2k`, `340M`. */
export function short(value: number): string {
  let scaled = value;
  let unit = 0;
  while (scaled >= 1_000 && unit < UNITS.length - 1) {
    scaled /= 1_000;
    unit += 1;
  }
  const digits = scaled >= 100 || Number.isInteger(scaled) ? 0 : 1;
  return `${scaled.toFixed(digits)}${UNITS[unit]}`;
}
