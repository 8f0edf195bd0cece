// Writes what the sources of the interface determine.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '../../dashboards/generated-files.ts';
import { describeService } from '../../service/interface.ts';
import { readCommandLine } from '../command-line.ts';
import { withReferenceTables } from '../reference/tables.ts';
import { readBase, readInterfaceAt, writeBase } from './base.ts';
import { withMetricTables } from './metric-tables.ts';
import { brokenGuarantees, readPromise, unreadableBefore, writePromise } from './promise.ts';
import { AUTOSCALERS, withTriggers } from './scaling.ts';
import { withDrawing } from './topic-drawing.ts';

const HELP = `
npm run interface -- [options]

Writes the snapshots of the interface, the drawing of the topics, the table of metrics, the triggers of the autoscalers, the dashboards and
the tables of the reference. It refuses a change that breaks what users were promised.

  --breaking   allows such a change, for a new version, and lists in base.json what it breaks since the latest release
`;

const INFRA = join(import.meta.dirname, '../..');

const { breaking } = readCommandLine(HELP, {
  options: { breaking: { type: 'boolean', default: false } },
}).values;

const current = describeService();
const isFirst = !existsSync(join(import.meta.dirname, 'documents.snap.json'));
const broken = isFirst ? [] : brokenGuarantees(readPromise(), current);
for (const sentence of broken) process.stderr.write(`${sentence}\n`);
if (broken.length > 0 && !breaking) {
  process.stderr.write(
    `${broken.length} promises would be broken. Keep them, or make a new version with --breaking.\n`,
  );
  process.exitCode = 1;
} else {
  writePromise(current);
  if (breaking) {
    const { commit } = readBase();
    const released = readInterfaceAt(commit);
    const back = unreadableBefore(released, current);
    writeBase({ commit, breaks: brokenGuarantees(released, current), back });
  }
  rewrite('docs/topics.md', withDrawing);
  rewrite('docs/metrics.md', withMetricTables);
  for (const [name, text] of Object.entries(generatedFiles())) {
    writeFileSync(join(INFRA, 'dashboards', name), text);
  }
  for (const page of globSync(['docs/errors.md', 'docs/reference/*.md'], { cwd: INFRA }))
    rewrite(page, withReferenceTables);
  for (const [name, scaled] of Object.entries(AUTOSCALERS)) {
    rewrite(`deployment/kubernetes/service/${name}`, (manifest) => withTriggers(manifest, scaled));
  }
}

function rewrite(path: string, change: (text: string) => string): void {
  const file = join(INFRA, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
