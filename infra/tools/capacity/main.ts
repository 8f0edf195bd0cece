// How much of everything a load takes.
import { positiveOption, readCommandLine } from '../command-line.ts';
import { readCosts } from './costs.ts';
import { ASSUMPTIONS, type Assumptions, DEFAULT_ASSUMPTIONS, type Demand } from './model.ts';
import { renderTable } from './table.ts';

const DEFAULT_RATES = '1000,10000,100000,1000000';

/** Events a second of one aggregate, if the number of aggregates is not given. */
const DEFAULT_RATE_OF_ONE = 10;

const NAMES = Object.keys(ASSUMPTIONS) as (keyof Assumptions)[];

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
    .map((text) => positiveOption('events', text));
  const aggregates =
    values['aggregates'] === undefined ? null : positiveOption('aggregates', values['aggregates']);
  const demands: Demand[] = events.map((eventsPerSecond) => ({
    eventsPerSecond,
    aggregates: aggregates ?? Math.max(1, Math.round(eventsPerSecond / DEFAULT_RATE_OF_ONE)),
  }));
  return renderTable(demands, readCosts(), assumptionsOf(values));
}

function assumptionsOf(values: Readonly<Record<string, unknown>>): Assumptions {
  const given = NAMES.filter((name) => values[optionOf(name)] !== undefined).map((name) => [
    name,
    positiveOption(optionOf(name), values[optionOf(name)]),
  ]);
  const assumptions: Assumptions = { ...DEFAULT_ASSUMPTIONS, ...Object.fromEntries(given) };
  for (const name of ['utilization', 'average'] as const) {
    if (assumptions[name] > 1) throw new Error(`--${optionOf(name)}: expected at most 1`);
  }
  return assumptions;
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
    ...Object.entries(ASSUMPTIONS).map(([name, { is, meaning }]) =>
      option(`${optionOf(name)} ${is}`, meaning),
    ),
  ].join('');
}
