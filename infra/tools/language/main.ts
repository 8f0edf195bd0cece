// Checks the wording of every file of the repository: node infra/tools/language/main.ts [path ...]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readProse } from './read-prose.ts';
import { findings } from './rules.ts';

/** Files whose words belong to others: the list of rules and its test, and generated snapshots. */
const LEFT_OUT = /^infra\/tools\/language\/|\.snap\.json$/;

const paths = process.argv.slice(2);
const listing = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...paths],
  {
    encoding: 'utf8',
  },
);
const files = listing.split('\0').filter((file) => file !== '' && !LEFT_OUT.test(file) && existsSync(file));

let count = 0;
for (const file of files) {
  for (const prose of readProse(file, readFileSync(file, 'utf8'))) {
    for (const { line, found, advice } of findings(prose)) {
      count += 1;
      process.stdout.write(`${file}:${line} "${found}": ${advice}\n`);
    }
  }
}
if (count > 0) {
  process.stdout.write(`${count} places break the rules of CONTRIBUTING.md, "Language".\n`);
  process.exitCode = 1;
}
