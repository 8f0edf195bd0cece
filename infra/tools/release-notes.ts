// Prints the notes of a version, for its tag: CONTRIBUTING.md, "A release".
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from '../service/version.ts';
import { readCommandLine } from './command-line.ts';

const HELP = `
npm run release-notes -- [VERSION]

Prints the section of CHANGELOG.md about a version: that of package.json, or VERSION.
`;

const { positionals } = readCommandLine(HELP, { allowPositionals: true });
const version = positionals[0] ?? readVersion();
const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
const section = changelog.split(/^## /m).find((each) => each.startsWith(`${version} - `));
if (section === undefined) {
  process.stderr.write(`CHANGELOG.md: no section "## ${version} - DATE"\n`);
  process.exit(1);
}
const [heading = '', ...notes] = section.split('\n');
process.stdout.write(`svc ${heading.replace(' - ', ', ')}\n\n${notes.join('\n').trim()}\n`);
