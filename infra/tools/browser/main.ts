// Builds what runs elsewhere than in the service.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommandLine } from '../command-line.ts';
import { type Built, builtState, CLI, CONSOLE, SITE, WIDGETS } from './digest.ts';

interface Build {
  readonly built: Built;
  readonly build: () => Promise<void>;
}

const HELP = `
npm run build -- [options]

Builds what runs elsewhere than in the service: the console, the widgets, the command-line tool, the client library and the
documentation.

  --docs       only builds the documentation, into widgets/dist/docs
  --types      only writes the types of the HTTP interface, which npm run check needs
  --if-stale   only builds what is missing or older than its sources
`;

const DIST = join(import.meta.dirname, '../../../widgets/dist');
const DOCUMENT = join(import.meta.dirname, '../interface/openapi.snap.json');

/** The number of lines that are shown of a failed build's error. */
const REASON_LINES_MAX = 4;

const {
  types,
  docs,
  'if-stale': ifStale,
} = readCommandLine(HELP, {
  options: {
    types: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    'if-stale': { type: 'boolean', default: false },
  },
}).values;

const DOCUMENTATION: Build = {
  built: SITE,
  build: async () => (await import('./build-docs.ts')).buildDocs(),
};

const BUILDS: readonly Build[] = [
  { built: CONSOLE, build: async () => (await import('./build-console.ts')).buildConsole() },
  { built: WIDGETS, build: async () => (await import('./build-widgets.ts')).buildWidgets() },
  { built: CLI, build: async () => (await import('./build-cli.ts')).buildCli() },
  DOCUMENTATION,
];

// The tests set it to their own value, and the libraries would keep their checks for developers.
process.env['NODE_ENV'] = 'production';
if (docs) {
  await DOCUMENTATION.build();
} else if (ifStale) {
  for (const { built, build } of BUILDS) await freshen(built, build);
} else {
  await writeTypes();
  if (!types) for (const { build } of BUILDS) await build();
}

/** Imports the tools only here: a service that was installed for production has none of them. */
async function writeTypes(): Promise<void> {
  const { interfaceTypes } = await import('./interface-types.ts');
  await mkdir(DIST, { recursive: true });
  const written = await interfaceTypes(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
  await writeFile(join(DIST, 'interface.ts'), written);
}

async function freshen(built: Built, build: () => Promise<void>): Promise<void> {
  const state = builtState(built);
  if (state === 'fresh') return;
  if (!hasTools()) {
    if (state === 'stale') {
      say(`uses ${built.title} as it was built, from older sources; npm ci && npm run build makes a new one`);
    }
    // Where nothing was built, the service itself says so.
    return;
  }
  const startedAt = performance.now();
  try {
    await build();
  } catch (error) {
    // The service serves the interface all the same.
    const reason = error instanceof Error ? error.message.trim().split('\n').slice(0, REASON_LINES_MAX) : [];
    say(`building ${built.title} failed; npm ci, or correct it:\n  ${reason.join('\n  ')}`);
    return;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  say(
    `built ${built.title} in ${seconds} s, ${state === 'missing' ? 'for the first time' : 'from changed sources'}`,
  );
}

function hasTools(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
