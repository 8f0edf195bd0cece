// How much of everything a load takes.
import { z } from 'zod';
import { readCommandLine } from '../command-line.ts';
import { readCosts } from './costs.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS, type Demand } from './model.ts';
import { renderTable } from './table.ts';

const DEFAULT_RATES = '1000,10000,100000,1000000';

/** Events a second of one aggregate, if the number of aggregates is not given. */
const DEFAULT_RATE_OF_ONE = 10;

const MEANINGS: Readonly<Record<keyof Assumptions, string>> = {
  turnMs: 'how long a turn of a processor takes; what comes meanwhile is one batch',
  utilization: 'the share of its CPU that anything may use',
  partitionsPerProcessor: 'so that processors can be added before a topic grows',
  brokerCores: 'cores of a Kafka broker',
  nodeCores: 'cores of a Cassandra node',
  replication: 'copies of everything',
  brokerMegabytesPerSecond: 'what a broker writes to its disk',
  brokerTerabytes: 'what a broker holds',
  nodeTerabytes: 'what a node holds: half of its disk',
  average: 'the share of the peak that an average second has',
  kafkaDays: 'days that Kafka keeps',
  cassandraDays: 'days that Cassandra keeps',
};
const NAMES = Object.keys(DEFAULT_ASSUMPTIONS) as (keyof Assumptions)[];

const EXIT_USAGE = 2;

main();

function main(): void {
  try {
    const { values } = readCommandLine(help(), {
      options: {
        events: { type: 'string', default: DEFAULT_RATES },
        aggregates: { type: 'string' },
        ...Object.fromEntries(NAMES.map((name) => [optionOf(name), { type: 'string' } as const])),
      },
    });
    process.stdout.write(tableOf(values));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT_USAGE;
  }
}

function tableOf(values: Readonly<Record<string, unknown>>): string {
  const events = String(values['events'])
    .split(',')
    .map((text) => positive('events', text));
  const aggregates = values['aggregates'] === undefined ? null : positive('aggregates', values['aggregates']);
  const demands: Demand[] = events.map((eventsPerSecond) => ({
    eventsPerSecond,
    aggregates: aggregates ?? Math.max(1, Math.round(eventsPerSecond / DEFAULT_RATE_OF_ONE)),
  }));
  return renderTable(demands, readCosts(), assumptionsOf(values));
}

function assumptionsOf(values: Readonly<Record<string, unknown>>): Assumptions {
  const given = NAMES.filter((name) => values[optionOf(name)] !== undefined).map((name) => [
    name,
    positive(optionOf(name), values[optionOf(name)]),
  ]);
  const assumptions: Assumptions = { ...DEFAULT_ASSUMPTIONS, ...Object.fromEntries(given) };
  for (const name of ['utilization', 'average'] as const) {
    if (assumptions[name] > 1) throw new Error(`--${optionOf(name)}: expected at most 1`);
  }
  return assumptions;
}

function positive(option: string, text: unknown): number {
  const parsed = z.coerce.number().positive().safeParse(text);
  if (!parsed.success)
    throw new Error(`--${option}: expected a positive number, seen ${JSON.stringify(text)}`);
  return parsed.data;
}

/** `turnMs` is `--turn-ms`. */
function optionOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function help(): string {
  const option = (name: string, text: string) => `  --${name.padEnd(30)} ${text}\n`;
  return [
    'npm run capacity -- [options]\n\n',
    'Calculates the machines, partitions and disks that a load takes, from the measured cost of one event.\n\n',
    option(`events ${DEFAULT_RATES}`, 'events a second, one column of the table for each'),
    option(
      'aggregates',
      `that the events of one moment are spread over; else one for ${DEFAULT_RATE_OF_ONE} events a second`,
    ),
    ...NAMES.map((name) => option(`${optionOf(name)} ${DEFAULT_ASSUMPTIONS[name]}`, MEANINGS[name])),
  ].join('');
}
