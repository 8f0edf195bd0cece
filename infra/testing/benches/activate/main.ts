// Measures milestones of onboarding checklists.
import { engineAddresses } from '../../../tools/cluster/engine-addresses.fixture.ts';
import { Measurements, PARTS, type Part } from '../events/measurements.ts';
import { ENGINES } from '../events/server-process.ts';
import { readBenchOptions } from '../options.ts';
import { report, say } from '../report.ts';
import { unavailableAnswers } from '../unavailable.ts';
import { Customers } from './customers.ts';

/** The rate over HTTP for one aggregate and for 1,000, over that of the same gateway only appending. */
const TARGETS = {
  'embedded-append-only-1': { atLeast: 0.75 },
  'embedded-append-only-1000': { atLeast: 0.65 },
  'cluster-append-only-1000': { atLeast: 0.15 },
} as const;

/** Events a second that travel a hundred in a request. */
const BATCH_TARGETS = {
  'embedded-batch-100-http-1-per-second': { atLeast: 30_000 },
  'cluster-batch-100-http-1-per-second': { atLeast: 15_000 },
  'cluster-batch-100-http-1000-per-second': { atLeast: 8_000 },
} as const;

const QUICK_COMMANDS = 2_000;

const BACKLOG = { embedded: 200_000, cluster: 500_000 } as const;

const HELP = `
npm run bench:activate -- OPTIONS

Measures a milestone of an onboarding checklist from HTTP to its answer, and how fast a backlog of them is folded. It measures both
engines; the cluster is the one of npm run cluster -- up, and is left out without it. A quick run measures all parts on the embedded
engine.

  --engine NAME    embedded or cluster; both by default
  --only PART      ${PARTS.join(', ')}; all but the soak by default
  --commands N     of each backlog; by default ${BACKLOG.embedded} (embedded), ${BACKLOG.cluster} (cluster); a soak has a million
  --seconds 8      of each measurement over HTTP
  --servers 12,34  processes of Kafka and Cassandra, to print their CPU time as well (Linux)
  --batch N        measures events over HTTP that travel N in a request, and nothing else
  --profile FOLDER leaves CPU profiles of the measured process
`;

await main();

async function main(): Promise<void> {
  const options = readBenchOptions(HELP, {
    engine: { type: 'string' },
    only: { type: 'string' },
    commands: { type: 'string' },
    seconds: { type: 'string' },
    servers: { type: 'string', default: '' },
    profile: { type: 'string' },
    batch: { type: 'string' },
  });
  const batch = options.batch === undefined ? null : Number(options.batch);
  const { quick } = options;
  const commands = options.commands ?? (quick ? QUICK_COMMANDS : null);
  const subject = { backlog: BACKLOG, callers: (port: number) => new Customers(port) };
  const measurements = new Measurements(subject, {
    quick,
    commands: commands === null ? null : Number(commands),
    seconds: Number(options.seconds ?? (quick ? 0.5 : 8)),
    servers: options.servers.split(',').filter(Boolean).map(Number),
    profileFolder: options.profile ?? null,
    batch,
  });
  const engines = quick || engineAddresses() === null ? (['embedded'] as const) : ENGINES;
  if (options.engine === undefined && engines.length === 1)
    say('leaves out the cluster; --engine cluster measures it');
  for (const engine of chosen(ENGINES, options.engine) ?? engines) {
    await measurements.of(engine, partsOf(options.only, quick, batch));
  }
  const { ours, ratios } = measurements.figures;
  report({
    bench: 'activate',
    ours: { ...ours, 'answers-with-503': unavailableAnswers() },
    ratios,
    targets: batch === null ? TARGETS : BATCH_TARGETS,
  });
}

function partsOf(only: string | undefined, quick: boolean, batch: number | null): readonly Part[] {
  if (batch !== null) return ['http'];
  return chosen(PARTS, only) ?? PARTS.filter((part) => quick || part !== 'soak');
}

/** The one that was named, or null when none was. */
function chosen<Name extends string>(names: readonly Name[], wanted: string | undefined): Name[] | null {
  if (wanted === undefined) return null;
  const found = names.filter((name) => name === wanted);
  if (found.length === 0) throw new Error(`choosing ${wanted}: there are ${names.join(', ')}`);
  return found;
}
