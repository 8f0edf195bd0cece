import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { CHANGED_FILES } from './changed-files.ts';
import { BROWSER_TESTS, LONG_TESTS } from './long-tests.ts';
import { NO_BROWSER } from './no-browser.ts';
import { TallyReporter } from './tally-reporter.ts';

/** More than the two cores that a machine has at least: tests of a service or a browser wait for half of their time. */
const WORKERS_MAX = 5;

/** Tests against Kafka, Cassandra and Redis. They run only if the environment names the servers. */
const ENGINE_TESTS = '**/*.engine.test.ts';
/** Tests that check a run as a whole, after all others. A partial run leaves them out. */
const LAST_TESTS = '**/*.last.test.ts';
const OTHER_TESTS = '**/!(*.engine|*.last).test.ts';
const EXCLUDED = ['**/node_modules/**'];

const withEngines = engineAddresses() !== null;
if (!withEngines) {
  process.stdout.write(
    'Left out: tests on Kafka, Cassandra and Redis; `npm run cluster -- up` says how to run them.\n',
  );
}

if (NO_BROWSER !== null) process.stdout.write(`Left out: tests of browser checks. ${NO_BROWSER}\n`);

/** Folders or files on the command line, or the name of a test: not everything is run. */
const { positionals, values } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    mode: { type: 'string' },
    testNamePattern: { type: 'string', short: 't' },
    changed: { type: 'boolean' },
  },
});
const named = positionals.filter((word) => !['run', 'watch'].includes(word));
const isPart = named.length > 0 || values.testNamePattern !== undefined || values.changed !== undefined;
/** `npm run test:all`. */
const isAll = values.mode === 'all';
/** A long test is also run where it is named, but not with its whole folder, nor with one whose name its own begins with. */
function namesFile(word: string, file: string): boolean {
  return (
    basename(file).startsWith(basename(word)) && !statSync(word, { throwIfNoEntry: false })?.isDirectory()
  );
}
const leftOut = isAll ? [] : LONG_TESTS.filter((file) => !named.some((word) => namesFile(word, file)));

/**
 * Bounds of a test, of a hook, and of a condition that one of them waits for. A fault that makes something wait is named within a
 * minute. No test of `npm test` takes half as long on a busy machine.
 */
const SHORT = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 45_000 } } };
/** The same for long tests and for tests on servers: a condition that comes true late is no fault there. */
const LONG = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 90_000 } } };

/** A run that draws more cases, or slows pages down. */
const isLonger = isAll || ['SIM_RUNS', 'SVC_TEST_SLOWDOWN'].some((name) => process.env[name] !== undefined);

const withoutBrowser = NO_BROWSER === null ? [] : BROWSER_TESTS;
const everywhere: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    ...(isLonger ? LONG : SHORT),
    name: 'everywhere',
    include: [OTHER_TESTS],
    exclude: [...EXCLUDED, ...LONG_TESTS, ...withoutBrowser],
    sequence: { groupOrder: 0 },
  },
};

const long: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    ...LONG,
    name: 'long',
    include: LONG_TESTS.filter((file) => !leftOut.includes(file) && !file.endsWith('.engine.test.ts')),
    exclude: [...EXCLUDED, ...withoutBrowser],
    sequence: { groupOrder: 0 },
  },
};

/** Two at a time: they mostly wait for servers, and those want a core. */
const onEngines: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    ...LONG,
    name: 'engines',
    include: [ENGINE_TESTS],
    exclude: [...EXCLUDED, ...leftOut],
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
  },
};

/**
 * The journeys over HTTP on Kafka, Cassandra and Redis. Those named here meet everything in which engines differ: effects of
 * commits, blobs, look-ups, erasure, counters, requests at the same time. `SVC_TEST_JOURNEYS=all` runs all of them.
 */
const JOURNEYS = [
  'imports/imports',
  'imports/imports-uploads',
  'imports/imports-races',
  'imports/delivery-waits',
  'imports/erasure',
  'workspaces/workspaces-states',
  'people/accounts',
  'checklists/checklists',
  'limits/limiter-memory',
  'workspaces/tenants',
  'workspaces/mcp',
  'operations/dead-letters',
  'borders/leaks',
];
const JOURNEY_TESTS =
  process.env['SVC_TEST_JOURNEYS'] === 'all'
    ? ['infra/testing/e2e/!(borders)/!(*.engine|*.last).test.ts']
    : JOURNEYS.map((name) => `infra/testing/e2e/${name}.test.ts`);
/** The verbs of the operator that send commands or read what processes keep. */
const OPS_TESTS = 'infra/tools/ops/{dead-letters,health,links,workspaces}.test.ts';
/** The main flow of the console, in a browser. */
const CONSOLE_JOURNEY = 'widgets/console/journey.test.ts';

const journeys: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    ...LONG,
    name: 'journeys',
    include: [...JOURNEY_TESTS, OPS_TESTS, CONSOLE_JOURNEY],
    env: { SVC_TEST_ENGINE: 'cluster' },
    maxWorkers: 2,
    sequence: { groupOrder: 2 },
  },
};

const last: TestProjectInlineConfiguration = {
  extends: true,
  test: { ...SHORT, name: 'last', include: [LAST_TESTS], sequence: { groupOrder: 3 } },
};

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
    projects: [
      everywhere,
      ...(leftOut.length < LONG_TESTS.length ? [long] : []),
      ...(withEngines ? [onEngines, journeys] : []),
      ...(isAll && !isPart ? [last] : []),
    ],
    env: {
      SVC_TEST_ANSWERED_ROUTES: answeredRoutes,
      SVC_TEST_ANSWERED_REFUSALS: answeredRefusals,
      SVC_TEST_PRELOAD: new URL('service-preload.ts', import.meta.url).href,
      SVC_TEST_FROZEN_READS: 'on',
      ...(isAll ? { SVC_TEST_ALL: 'on' } : {}),
    },
    exclude: EXCLUDED,
    globalSetup: resolve(import.meta.dirname, 'built-console.ts'),
    pool: 'forks',
    setupFiles: resolve(import.meta.dirname, 'setup.ts'),
    // Modules are loaded once for each worker. No test changes one for the next: what it stubs, it restores.
    isolate: false,
    maxWorkers: WORKERS_MAX,
    teardownTimeout: 60_000,
    // A run that leaves a test out says so by failing, on every machine alike.
    allowOnly: false,
    passWithNoTests: values.changed !== undefined,
    experimental: {
      vcsProvider: CHANGED_FILES,
      // Node itself loads the sources, as it does in the service, and takes half of the time. A watch has to load them again.
      viteModuleRunner: positionals[0] === 'watch',
      nodeLoader: false,
    },
    reporters: [
      ['default', { summary: false }],
      new TallyReporter({ tallyFile: process.env['SVC_TEST_TALLY'] }),
    ],
  },
});
