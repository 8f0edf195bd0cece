// Writes the snapshots of the interface, the drawing of the topics, and the tables of bounds and of the reference:
// `npm run interface`. It refuses a change that breaks what users were promised, unless `-- --breaking` allows it for a new
// version.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeService } from '../../service/interface.ts';
import { withTables } from '../bounds/table.ts';
import { withReferenceTables } from '../reference/tables.ts';
import { brokenPromises, readPromise, writePromise } from './promise.ts';
import { withDrawing } from './topic-drawing.ts';

const TOPICS = join(import.meta.dirname, '../../docs/topics.md');
const BOUNDS = join(import.meta.dirname, '../../docs/bounds.md');
const REFERENCE = join(import.meta.dirname, '../../docs/reference');

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
  writeFileSync(TOPICS, withDrawing(readFileSync(TOPICS, 'utf8')));
  writeFileSync(BOUNDS, withTables(readFileSync(BOUNDS, 'utf8')));
  for (const name of globSync('*.md', { cwd: REFERENCE })) {
    const page = join(REFERENCE, name);
    writeFileSync(page, withReferenceTables(readFileSync(page, 'utf8')));
  }
}
