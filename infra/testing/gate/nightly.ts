// Everything that takes too long, or draws by chance, to stand in the gate.
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../tools/command-line.ts';
import { interruption, ROOT, runCommand } from './command.ts';
import { startEngines } from './engines.ts';

interface Part {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly minutesMax: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** A part that cannot be mended by a later commit warns, and fails nothing. */
  readonly warns?: true;
}

const script = (name: string, ...words: string[]): Part['command'] => [
  'npm',
  '--silent',
  'run',
  name,
  '--',
  ...words,
];

const PARTS: readonly Part[] = [
  // A known weakness of a package that is given out; not every registry answers what is known.
  {
    name: 'audit',
    command: ['npm', 'audit', '--omit=dev', '--audit-level=high'],
    minutesMax: 5,
    warns: true,
  },
  { name: 'commits', command: script('test:commits'), minutesMax: 60, warns: true },
  {
    name: 'all',
    command: script('test:all'),
    minutesMax: 120,
    environment: {
      SVC_TEST_SEED: 'random',
      SVC_TEST_JOURNEYS: 'all',
      FIX_FILES: '10000',
      SVC_TEST_BACKFILL: '200000',
    },
  },
  { name: 'generators', command: script('test:generators'), minutesMax: 60 },
  { name: 'client', command: script('test:client'), minutesMax: 30 },
  { name: 'schemathesis', command: script('test:schemathesis'), minutesMax: 60 },
  { name: 'fuzz', command: script('fuzz', '--minutes', '60'), minutesMax: 120 },
  { name: 'disturbances', command: script('test:disturbances'), minutesMax: 60 },
  { name: 'faults', command: script('test:faults'), minutesMax: 60 },
  { name: 'soak', command: script('soak', '--minutes', '10'), minutesMax: 30 },
  {
    name: 'soak-cluster',
    command: script('soak', '--minutes', '10', '--engine', 'cluster'),
    minutesMax: 30,
  },
  { name: 'benches', command: script('test:benches'), minutesMax: 60 },
];

const HELP = `
npm run test:nightly -- [options]

Runs the parts one after the other, whatever comes of each, and writes a report in Markdown. It fails if a part does. Kafka,
Cassandra and Redis are started if the environment names none.

  --only fuzz,soak   parts; all by default: ${PARTS.map(({ name }) => name).join(', ')}
  --folder FOLDER    takes report.md and the output of each part; .data/nightly by default
`;

/** Lines of the output of a part that failed which are printed. */
const SHOWN_LINES = 40;

const interrupted = interruption();
const { values } = readCommandLine(HELP, {
  options: { only: { type: 'string' }, folder: { type: 'string', default: join(ROOT, '.data/nightly') } },
});
process.exitCode = await main(values.folder, values.only?.split(','));

async function main(folder: string, only: readonly string[] | undefined): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const engines = await startEngines(say);
  const rows: string[] = [];
  let failed = engines === null ? 1 : 0;
  try {
    for (const part of PARTS.filter(({ name }) => only?.includes(name) ?? true)) {
      if (interrupted.aborted) break;
      const { end, seconds, isFailure } = await runPart(part, folder, engines?.environment ?? {});
      if (isFailure) failed += 1;
      say(`${part.name.padEnd(16)} ${String(seconds).padStart(5)} s  ${end}`);
      rows.push(`| ${part.name} | ${seconds} | ${end} |`);
    }
  } finally {
    await engines?.stop();
  }
  const report = join(folder, 'report.md');
  writeFileSync(report, ['| part | seconds | result |', '| --- | --- | --- |', ...rows, ''].join('\n'));
  say(report);
  return failed === 0 && !interrupted.aborted ? 0 : 1;
}

async function runPart(
  { name, command, minutesMax, environment, warns }: Part,
  folder: string,
  engines: Readonly<Record<string, string>>,
) {
  const file = join(folder, `${name}.log`);
  const output = openSync(file, 'w');
  const variables = { CI: 'true', ...engines, ...environment };
  const { code, isLate, seconds } = await runCommand(command, {
    minutesMax,
    output,
    signal: interrupted,
    environment: variables,
  });
  closeSync(output);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  if (code === 0 && !isLate) return { end: lines.at(-1) ?? '', seconds, isFailure: false };
  if (interrupted.aborted) return { end: 'interrupted', seconds, isFailure: false };
  say(lines.slice(-SHOWN_LINES).join('\n'));
  const cause = isLate ? `not within ${minutesMax} minutes` : `exit code ${code}`;
  return { end: `${warns ? 'warning' : 'FAILED'}: ${cause}`, seconds, isFailure: !warns };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
