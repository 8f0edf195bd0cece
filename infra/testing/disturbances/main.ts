// Disturbs a real service in every way that is known, and prints what its users saw.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { readCommandLine } from '../../tools/command-line.ts';
import { type Disturbance, type InjectingTest, titlePattern } from './disturbance.ts';
import { DISTURBANCES } from './disturbances.ts';
import { resultOf, type TestOutcome, table } from './table.ts';

const HELP = `
npm run test:disturbances

Disturbs a running service in every way that is known, and prints what its users saw and how it recovered. What concerns Kafka,
Cassandra and Redis needs the servers of npm run cluster -- up, and is left out without them.

  DISTURBANCES=long   repeats the injections
`;

const ROOT = resolve(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = 'infra/testing/config/vitest.config.ts';

/** The part of Vitest's JSON report that the table is made from. */
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

readCommandLine(HELP, {});
process.exitCode = await main();

async function main(): Promise<number> {
  const withServers = engineAddresses() !== null;
  const chosen = DISTURBANCES.filter(({ test }) => withServers || test.project === 'everywhere');
  if (!withServers)
    say('Left out: what concerns Kafka, Cassandra and Redis; `npm run cluster -- up` says how to run it.');
  const folder = mkdtempSync(join(tmpdir(), 'svc-disturbances-'));
  try {
    const outcomes: TestOutcome[] = [];
    for (const [project, disturbances] of Map.groupBy(chosen, ({ test }) => test.project)) {
      outcomes.push(...(await run(project, disturbances, join(folder, `${project}.json`))));
    }
    for (const line of table(DISTURBANCES, outcomes)) say(line);
    const broken = chosen.filter((disturbance) => resultOf(disturbance, outcomes) !== 'yes');
    say(
      broken.length === 0
        ? 'Everything held.'
        : `It did not hold: ${broken.map(({ name }) => name).join('; ')}`,
    );
    return broken.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the tests of these disturbances, and no others of their files. */
async function run(
  project: InjectingTest['project'],
  disturbances: readonly Disturbance[],
  report: string,
): Promise<TestOutcome[]> {
  const files = new Set(disturbances.map(({ test }) => test.file));
  const titles = disturbances.map(({ test }) => titlePattern(test.title));
  const child = spawn(
    process.execPath,
    [
      ...[
        VITEST,
        'run',
        '--config',
        CONFIG,
        '--project',
        project,
        '--testNamePattern',
        `(${titles.join('|')})$`,
      ],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files],
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, SVC_TEST_JOURNEYS: 'all' } },
  );
  await once(child, 'exit');
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status }) => ({
      file: relative(ROOT, name),
      title,
      status: status === 'passed' || status === 'failed' ? status : 'left out',
    })),
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
