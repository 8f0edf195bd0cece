import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { engineAddresses } from '../cluster/under-test.ts';
import { TallyReporter } from './tally-reporter.ts';

/** Two cores are the least that a machine of ours has; more workers would only compete for them. */
const WORKERS_MAX = 2;

/** What runs against Kafka, Cassandra and Redis, and only where the environment says where they are. */
const ENGINE_TESTS = '**/*.engine.test.ts';
const withEngines = engineAddresses() !== null;
if (!withEngines) {
  process.stdout.write(
    'Left out: tests on Kafka, Cassandra and Redis; `npm run cluster -- up` says how to run them.\n',
  );
}

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(withEngines ? [] : [ENGINE_TESTS])],
    pool: 'forks',
    maxWorkers: WORKERS_MAX,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 10_000,
    // A run that leaves a test out says so by failing, on every machine alike.
    allowOnly: false,
    passWithNoTests: false,
    reporters: [['default', { summary: false }], new TallyReporter()],
  },
});
