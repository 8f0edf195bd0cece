// Runs the tests that disturb a real service.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCommandLine } from '../../tools/command-line.ts';

const HELP = `
npm run test:disturbances

Disturbs a running service in every way that infra/testing/disturbances/README.md lists, by the tests that it names. What concerns
Kafka, Cassandra and Redis needs the servers of npm run cluster -- up, and is left out without them.

  DISTURBANCES=long   repeats the injections
`;

const ROOT = resolve(import.meta.dirname, '../../..');

readCommandLine(HELP, {});
const table = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const files = [...new Set(Array.from(table.matchAll(/`([^`]+\.test\.ts)` *\|$/gm), ([, file = '']) => file))];
const missing = files.filter((file) => !existsSync(join(ROOT, file)));
if (missing.length > 0)
  throw new Error(`disturbing the service by tests that are not there: ${missing.join(', ')}`);
const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'];
const config = ['--config', 'infra/testing/config/vitest.config.ts'];
const { status } = spawnSync(process.execPath, [...vitest, ...config, ...files], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
