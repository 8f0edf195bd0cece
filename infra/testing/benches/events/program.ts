import { parseArgs } from 'node:util';
import { report, say } from '../report.ts';
import { Measurements, PARTS, type Part, type Subject } from './measurements.ts';
import { ENGINES } from './server-process.ts';

/** Returns the help text: the options of every benchmark of events. */
function helpOf({ scene, backlog }: Subject): string {
  const backlogs = ENGINES.map((engine) => `${backlog[engine]} (${engine})`).join(', ');
  return `npm run bench:${scene} -- [options]
  --engine embedded|cluster      one engine; both unless given
  --only fold|http|steady|soak   one part; all but the soak unless given
  --commands ${String(backlog.embedded).padEnd(19)} of each backlog; unless given ${backlogs}; a soak has a million
  --seconds 8                    of each measurement over HTTP
  --servers 12,34                processes of Kafka and Cassandra whose CPU time is told as well (Linux)
  --profile folder               leaves CPU profiles of the measured process
  --json                         ends with one line for programs`;
}

/** Reads the command line, measures and reports. */
export async function runBenchmark(subject: Subject): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      engine: { type: 'string' },
      only: { type: 'string' },
      commands: { type: 'string' },
      seconds: { type: 'string', default: '8' },
      servers: { type: 'string', default: '' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (options.help) {
    say(helpOf(subject));
    return;
  }
  const measurements = new Measurements(subject, {
    commands: options.commands === undefined ? null : Number(options.commands),
    seconds: Number(options.seconds),
    servers: options.servers.split(',').filter(Boolean).map(Number),
    profileFolder: options.profile ?? null,
  });
  for (const engine of chosen(ENGINES, options.engine) ?? ENGINES) {
    await measurements.of(engine, chosen(PARTS, options.only) ?? PARTS.filter(isUsual));
  }
  report({ bench: subject.scene, ...measurements.figures });
}

/** The one that was named, or null when none was. */
function chosen<Name extends string>(names: readonly Name[], wanted: string | undefined): Name[] | null {
  if (wanted === undefined) return null;
  const found = names.filter((name) => name === wanted);
  if (found.length === 0) throw new Error(`choosing ${wanted}: there are ${names.join(', ')}`);
  return found;
}

function isUsual(part: Part): boolean {
  return part !== 'soak';
}
