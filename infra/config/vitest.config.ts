import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TallyReporter } from './tally-reporter.ts';

/** Two cores are the least that a machine of ours has; more workers would only compete for them. */
const WORKERS_MAX = 2;

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**'],
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
