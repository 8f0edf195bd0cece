// A load over HTTP on the real service while everything fails, and the proof that nothing was lost or doubled.
import { writeFileSync } from 'node:fs';
import { readCommandLine } from '../../tools/command-line.ts';
import { markdown, table } from './report.ts';
import { type RunResult, runFaults } from './run.ts';
import { type RunSettings, readRunSettings } from './settings.ts';

const HELP = `
npm run test:faults -- OPTIONS

Loads all products over HTTP, on the embedded engine and on Kafka, Cassandra and Redis, while processes, servers, connections, disks
and clocks fail, then proves that nothing was lost or doubled. It starts its own servers and takes 3 minutes on the embedded
engine, 12 on the cluster. A failure leaves the logs and the data.

  --engine embedded        or cluster; by default both
  --long                   injects each fault again and again, 200 faults on each engine or more
  --seed 7                 repeats the plan of an earlier run, which printed its seed; drawn by default
  --rounds 5               injects everything five times
  --kinds kill,grow        injects only the faults whose names contain one of these; all by default
  --table FILE             writes the result as tables in Markdown

FAULT_ENGINE, FAULT_SEED, FAULT_ROUNDS and FAULT_KINDS stand for the options of these names.
`;

const FAULTS_SHOWN = 40;

const { values: options } = readCommandLine(HELP, {
  options: {
    engine: { type: 'string' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    kinds: { type: 'string' },
    table: { type: 'string' },
  },
});
const interrupted = Promise.withResolvers<never>();
interrupted.promise.catch(() => undefined);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.reject(new Error(`running to the end: ended by ${signal}`)));
}
// After an interruption, customers would still wait for a service that is gone.
process.exit(await main());

async function main(): Promise<number> {
  const { table: file, ...given } = options;
  const tables: string[] = [];
  let held = 0;
  const runs = readRunSettings(given, process.env);
  for (const settings of runs) {
    const { engine, seed, rounds } = settings;
    const title = `${engine}: --seed ${seed} --rounds ${rounds}`;
    say(title);
    const result = await run(settings);
    if (result !== null) tables.push(`${title}\n\n${markdown(...judged(result))}`);
    const isSound = result !== null && result.faults.length === 0;
    say(isSound ? 'Everything held.' : `It did not hold: --engine ${engine} --seed ${seed}`);
    if (isSound) held += 1;
  }
  if (file !== undefined) writeFileSync(file, tables.join('\n'));
  // The last line of each program that `.ci/run` adds up.
  say(`${held} passed, ${runs.length - held} failed`);
  return held === runs.length ? 0 : 1;
}

/** Runs the plan on one engine, and prints its result. Null: it did not come to its end. */
async function run(settings: RunSettings): Promise<RunResult | null> {
  try {
    const result = await runFaults({ ...settings, report: say, interrupted: interrupted.promise });
    say('', ...table(...judged(result)), '', ...result.faults.slice(0, FAULTS_SHOWN));
    return result;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return null;
  }
}

function judged({ history, injected, findings }: RunResult) {
  return [history.operations, injected, findings] as const;
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
