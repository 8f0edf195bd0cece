// Writes down the interface as it is now, draws the topics in ARCHITECTURE.md and makes the tables of bounds: `npm run interface`. A change that breaks what users were promised is refused,
// unless it is asked for with `-- --breaking` and released as a new version.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeService } from '../../service/interface.ts';
import { withTables } from '../bounds/table.ts';
import { brokenPromises, readPromise, writePromise } from './promise.ts';
import { withDrawing } from './topic-drawing.ts';

const ARCHITECTURE = join(import.meta.dirname, '../../../ARCHITECTURE.md');
const BOUNDS = join(import.meta.dirname, '../../docs/bounds.md');

const { breaking } = parseArgs({ options: { breaking: { type: 'boolean', default: false } } }).values;

const current = describeService();
const isFirst = !existsSync(join(import.meta.dirname, 'openapi.snap.json'));
const broken = isFirst ? [] : brokenPromises(readPromise(), current);
for (const sentence of broken) process.stderr.write(`${sentence}\n`);
if (broken.length > 0 && !breaking) {
  process.stderr.write(
    `${broken.length} promises would be broken. Keep them, or make a new version with --breaking.\n`,
  );
  process.exitCode = 1;
} else {
  writePromise(current);
  writeFileSync(ARCHITECTURE, withDrawing(readFileSync(ARCHITECTURE, 'utf8')));
  writeFileSync(BOUNDS, withTables(readFileSync(BOUNDS, 'utf8')));
}
