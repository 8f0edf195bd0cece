// Checks everything that needs no test.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { readCommandLine } from './command-line.ts';

interface Check {
  readonly name: string;
  readonly about: string;
  readonly command: readonly [program: string, ...args: string[]];
}

/** Checks again only what has changed since the last check. */
const typesOf = (name: string, ...project: string[]): Check['command'] => {
  const info = `node_modules/.cache/types/${name}.tsbuildinfo`;
  return ['tsc', ...project, '--incremental', '--tsBuildInfoFile', info];
};

/** The interface stands first: the types of the console need it. */
const CHECKS: readonly Check[] = [
  {
    name: 'interface',
    about: 'writes the types of the HTTP interface for the console',
    command: ['node', 'infra/tools/browser/main.ts', '--types'],
  },
  { name: 'biome', about: 'format and lint', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'types', about: 'types of everything that runs in Node', command: typesOf('node') },
  {
    name: 'types of pages',
    about: 'types of the console and the widgets',
    command: typesOf('pages', '-p', 'widgets'),
  },
  {
    name: 'types of tests',
    about: 'types of tests and fixtures, those in browsers included',
    command: typesOf('tests', '-p', 'widgets/testing'),
  },
  {
    name: 'boundaries',
    about: 'imports between folders: .dependency-cruiser.mjs',
    command: ['depcruise', '--config', '.dependency-cruiser.mjs', '.'],
  },
  {
    name: 'language',
    about: 'words of comments, messages and documents: infra/tools/language/rules.ts',
    command: ['node', 'infra/tools/language/main.ts'],
  },
  {
    name: 'size',
    about: 'prints the lines of each folder and their change since the latest version, and refuses nothing',
    command: ['node', 'infra/tools/code-size.ts'],
  },
];

const HELP = `
npm run check

Checks one after the other, and ends with the exit code of the first that fails:

${CHECKS.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}
`;

const ROOT = join(import.meta.dirname, '../..');
const PATH = [join(ROOT, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);

readCommandLine(HELP, {});
for (const { name, command } of CHECKS) {
  const [program, ...args] = command;
  const begun = performance.now();
  const { status, error } = spawnSync(program, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, PATH },
  });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const end = status === 0 ? 'ok' : (error?.message ?? 'failed');
  process.stdout.write(`${name.padEnd(16)} ${seconds.padStart(5)} s  ${end}\n`);
  if (status !== 0) process.exit(status ?? 1);
}
