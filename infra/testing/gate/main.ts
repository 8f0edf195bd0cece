// The gate: what has to hold before a change lands, behind `npm ci`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../../tools/command-line.ts';
import type { FailedTest, Tally } from '../config/tally-reporter.ts';
import { type CommandOptions, interruption, runCommand } from './command.ts';
import { startEngines } from './engines.ts';
import { REPEATED_TESTS_MAX, withSecondLook } from './second-look.ts';

const HELP = `
npm run gate

Checks the sources, runs the tests, those on Kafka, Cassandra and Redis included, and plays the demo. A file with a failed test is
run again by itself, twice at most. It ends with what failed and \`N passed, N failed\`. ".ci/run" installs what it needs and
starts it.
`;

/** Machines differ by a factor of two, and a busy one has a fifth of its speed: only a step that hangs meets its limit. */
const MINUTES_MAX = { check: 20, test: 60, repeat: 20, engines: 60, demo: 10 } as const;
/** The exit code after Ctrl+C, as shells number it. */
const EXIT_INTERRUPTED = 130;

const interrupted = interruption();

/** No test of the embedded engine meets a server that the environment names. */
const NO_ENGINES = { SVC_TEST_KAFKA: undefined, SVC_TEST_CASSANDRA: undefined, SVC_TEST_REDIS: undefined };

const folder = mkdtempSync(join(tmpdir(), 'svc-gate-'));
let passed = 0;
const failures: FailedTest[] = [];
const repeated: FailedTest[] = [];

readCommandLine(HELP, {});
try {
  await main();
} finally {
  rmSync(folder, { recursive: true });
}

async function main(): Promise<void> {
  await step('check', () => succeeds('check', ['npm', '--silent', 'run', 'check']));
  await step('test', async () => {
    const stored = await succeeds('test', ['npm', '--silent', 'run', 'fuzz', '--', '--stored']);
    return (await tested('test', ['npm', '--silent', 'test', '--'], NO_ENGINES)) && stored;
  });
  await step('engines', async () => {
    const engines = await startEngines(say);
    if (engines === null) return false;
    try {
      return await tested('engines', ['npm', '--silent', 'run', 'test:engines', '--'], engines.environment);
    } finally {
      await engines.stop();
    }
  });
  await step('demo', () => succeeds('demo', ['npm', '--silent', 'run', 'demo', '--', '--exit']));
  if (interrupted.aborted) {
    process.exitCode = EXIT_INTERRUPTED;
    return;
  }
  for (const { file, test } of repeated) say(`passed only when repeated: ${file} > ${test}`);
  for (const { file, test } of failures) say(`failed: ${file} > ${test}`);
  say(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/** Runs a step and says how long it took. One that does not hold counts as a failure if none of its tests has. */
async function step(name: string, holds: () => Promise<boolean>): Promise<void> {
  if (interrupted.aborted) return;
  const begun = performance.now();
  const failedBefore = failures.length;
  const isHeld = await holds();
  if (!isHeld && failures.length === failedBefore)
    failures.push({ file: `step ${name}`, test: 'did not hold' });
  const seconds = Math.round((performance.now() - begun) / 1_000);
  say(`step ${name}: ${isHeld ? 'ok' : 'FAILED'} in ${seconds} s`);
}

type Command = readonly [string, ...string[]];

async function succeeds(name: keyof typeof MINUTES_MAX, command: Command): Promise<boolean> {
  const { code, isLate } = await run(command, { minutesMax: MINUTES_MAX[name] });
  return code === 0 && !isLate;
}

/** Runs the tests of a command and adds up what came of them. */
async function tested(
  name: keyof typeof MINUTES_MAX,
  command: Command,
  environment: CommandOptions['environment'],
): Promise<boolean> {
  const tally = join(folder, 'tally.json');
  const runTests = async (file?: string): Promise<Tally | null> => {
    rmSync(tally, { force: true });
    const words = file === undefined ? [] : [file, '--maxWorkers=1'];
    if (file !== undefined) say(`run again by itself: ${file}`);
    await run([...command, ...words], {
      minutesMax: MINUTES_MAX[file === undefined ? name : 'repeat'],
      environment: { ...environment, SVC_TEST_TALLY: tally },
    });
    return existsSync(tally) ? (JSON.parse(readFileSync(tally, 'utf8')) as Tally) : null;
  };
  const verdict = await withSecondLook(runTests, REPEATED_TESTS_MAX - repeated.length);
  passed += verdict.passed;
  failures.push(...verdict.failures);
  repeated.push(...verdict.repeated);
  return verdict.failures.length === 0;
}

async function run(command: Command, options: CommandOptions) {
  const ended = await runCommand(command, { ...options, signal: interrupted });
  if (ended.isLate) say(`ended after ${options.minutesMax} minutes: ${command.join(' ')}`);
  return ended;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
