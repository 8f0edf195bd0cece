import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { TallyReporter } from './tally-reporter.ts';

/** Two cores are the least that a machine of ours has; more workers would only compete for them. */
const WORKERS_MAX = 2;

/** Tests against Kafka, Cassandra and Redis. They run only if the environment names the servers. */
const ENGINE_TESTS = '**/*.engine.test.ts';
/** Tests that check a run as a whole, after all others. A partial run leaves them out. */
const LAST_TESTS = '**/*.last.test.ts';
const OTHER_TESTS = '**/!(*.engine|*.last).test.ts';

const withEngines = engineAddresses() !== null;
if (!withEngines) {
  process.stdout.write(
    'Left out: tests on Kafka, Cassandra and Redis; `npm run cluster -- up` says how to run them.\n',
  );
}

const everywhere: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'everywhere', include: [OTHER_TESTS], sequence: { groupOrder: 0 } },
};

/** One file after the other: they restart servers and measure time, and the servers want the other core. */
const onEngines: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'engines', include: [ENGINE_TESTS], maxWorkers: 1, sequence: { groupOrder: 1 } },
};

/**
 * The journeys over HTTP on Kafka, Cassandra and Redis. Those named here meet everything in which engines differ: effects of
 * commits, blobs, look-ups, erasure, counters, requests at the same time. `SVC_TEST_JOURNEYS=all` runs all of them.
 */
const JOURNEYS = [
  'imports',
  'imports-uploads',
  'imports-races',
  'erasure',
  'workspaces-states',
  'accounts',
  'checklists',
  'limiter-memory',
  'tenants',
  'mcp',
];
const JOURNEY_TESTS =
  process.env['SVC_TEST_JOURNEYS'] === 'all'
    ? ['infra/testing/e2e/!(*.engine|*.last).test.ts']
    : JOURNEYS.map((name) => `infra/testing/e2e/${name}.test.ts`);
/** The main flow of the console, in a browser. */
const CONSOLE_JOURNEY = 'widgets/console/journey.test.ts';

const journeys: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'journeys',
    include: [...JOURNEY_TESTS, CONSOLE_JOURNEY],
    env: { SVC_TEST_ENGINE: 'cluster' },
    maxWorkers: 1,
    // A service makes topics and tables before it starts.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { groupOrder: 2 },
  },
};

const last: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'last', include: [LAST_TESTS], sequence: { groupOrder: 3 } },
};

/** Folders or files on the command line, or the name of a test: not everything is run. */
const { positionals, values } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { config: { type: 'string' }, testNamePattern: { type: 'string', short: 't' } },
});
const isPart = positionals.some((word) => word !== 'run') || values.testNamePattern !== undefined;

/** The folder in which the tests of this run note the routes that have answered. */
const answeredRoutes = mkdtempSync(join(tmpdir(), 'svc-answered-'));
/** And which refusals were answered. A run in parts names a folder that all of them share. */
const namedFolder = process.env['SVC_TEST_ANSWERED_REFUSALS'];
const answeredRefusals = namedFolder ?? mkdtempSync(join(tmpdir(), 'svc-refused-'));
process.on('exit', () => {
  rmSync(answeredRoutes, { recursive: true, force: true });
  if (namedFolder === undefined) rmSync(answeredRefusals, { recursive: true, force: true });
});

export default defineConfig({
  root: resolve(import.meta.dirname, '../../..'),
  test: {
    projects: [everywhere, ...(withEngines ? [onEngines, journeys] : []), ...(isPart ? [] : [last])],
    env: {
      SVC_TEST_ANSWERED_ROUTES: answeredRoutes,
      SVC_TEST_ANSWERED_REFUSALS: answeredRefusals,
      SVC_TEST_PRELOAD: new URL('../refusals/note-refusals.ts', import.meta.url).href,
      SVC_TEST_FROZEN_READS: 'on',
    },
    exclude: ['**/node_modules/**'],
    globalSetup: resolve(import.meta.dirname, 'built-console.ts'),
    pool: 'forks',
    maxWorkers: WORKERS_MAX,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 10_000,
    // A condition that comes true late is no fault: the machine may be busy.
    expect: { poll: { timeout: 15_000 } },
    // A run that leaves a test out says so by failing, on every machine alike.
    allowOnly: false,
    passWithNoTests: false,
    reporters: [['default', { summary: false }], new TallyReporter()],
  },
});
