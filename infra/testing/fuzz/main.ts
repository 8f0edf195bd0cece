// Draws for all property tests and for schemathesis, until its time is over.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { positiveOption, readCommandLine } from '../../tools/command-line.ts';

const HELP = `
npm run fuzz -- [options]

Runs all tests that draw their input, again and again, each round from another seed. Between two rounds, schemathesis draws requests
to every operation. A seed with which a test fails is written to infra/testing/fuzz/seeds.json, which belongs into a commit: the
next run begins with it.

  --minutes N   begins no round after that time; 60 by default
  --stored      draws for the stored seeds only
`;

const ROOT = resolve(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const SCHEMATHESIS = 'infra/testing/schemathesis/main.ts';
const STORED = join(import.meta.dirname, 'seeds.json');
/** fast-check takes any integer of 32 bits. */
const SEEDS = 2 ** 31;
/** Requests that schemathesis draws of each operation. */
const EXAMPLES = 20;

/** A file of tests that has failed with a seed. */
const failureSchema = z.strictObject({ file: z.string(), seed: z.int() });
type Failure = z.infer<typeof failureSchema>;

/** The part of Vitest's JSON report that is read. */
const reportSchema = z.object({ testResults: z.array(z.object({ name: z.string(), status: z.string() })) });

const { values } = readCommandLine(HELP, {
  options: { minutes: { type: 'string', default: '60' }, stored: { type: 'boolean', default: false } },
});
process.exitCode = await main(values.stored ? 0 : positiveOption('minutes', values.minutes));

async function main(minutes: number): Promise<number> {
  const until = performance.now() + minutes * 60_000;
  const stored = z.array(failureSchema).parse(JSON.parse(readFileSync(STORED, 'utf8')));
  const failures: Failure[] = [];
  for (const { file, seed } of stored) {
    failures.push(...(file === SCHEMATHESIS ? await drawRequests(seed) : await draw([file], seed)));
  }
  const folders = '{cli,gateway,infra,processors,schemas,topics,widgets}';
  const exclude = ['**/node_modules'];
  const files = globSync(`${folders}/**/*.test.ts`, { cwd: ROOT, exclude });
  const drawing = files.filter((file) => /from 'fast-check'/.test(readFileSync(join(ROOT, file), 'utf8')));
  let rounds = 0;
  for (; performance.now() < until; rounds += 1) {
    const seed = randomInt(SEEDS);
    const found = [...(await draw(drawing, seed)), ...(await drawRequests(seed))];
    failures.push(...found);
    say(`round ${rounds + 1}, seed ${seed}: ${found.length} failed`);
  }
  const known = new Set(stored.map((failure) => JSON.stringify(failure)));
  const fresh = failures.filter((failure) => !known.has(JSON.stringify(failure)));
  if (fresh.length > 0) writeFileSync(STORED, `${JSON.stringify([...stored, ...fresh], null, 2)}\n`);
  for (const failure of failures) say(commandOf(failure));
  say(`Stored seeds: ${stored.length}. Rounds: ${rounds}. Failed: ${failures.length}.`);
  return failures.length === 0 ? 0 : 1;
}

/** Runs files of tests with a seed. Returns those that have failed. */
async function draw(files: readonly string[], seed: number): Promise<Failure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  const report = join(folder, 'report.json');
  try {
    const config = ['--config', 'infra/testing/config/vitest.config.ts', '--mode', 'all'];
    const projects = ['--project', 'everywhere', '--project', 'long'];
    const output = [...projects, '--reporter', 'json', '--outputFile', report];
    await run([VITEST, 'run', ...config, ...output, ...files], { SVC_TEST_SEED: String(seed) });
    const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
    const failed = testResults.filter(({ status }) => status === 'failed');
    return failed.map(({ name }) => ({ file: relative(ROOT, name), seed }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lets schemathesis draw requests, and prints what it says. Returns its own file if an operation has failed. */
async function drawRequests(seed: number): Promise<Failure[]> {
  const drawn = { SCHEMATHESIS_SEED: String(seed), SCHEMATHESIS_EXAMPLES: String(EXAMPLES) };
  const code = await run([SCHEMATHESIS], drawn);
  return code === 0 ? [] : [{ file: SCHEMATHESIS, seed }];
}

/** The command that draws the same again. */
function commandOf({ file, seed }: Failure): string {
  return file === SCHEMATHESIS
    ? `SCHEMATHESIS_SEED=${seed} SCHEMATHESIS_EXAMPLES=${EXAMPLES} npm run test:schemathesis`
    : `SVC_TEST_SEED=${seed} npm test -- ${file}`;
}

async function run(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
