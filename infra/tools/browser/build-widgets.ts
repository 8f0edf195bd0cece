import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minify } from '@swc/core';
import { build } from 'vite';
import { LABELS } from '../../../widgets/feedback/labels.ts';
import { CHECK_LABELS } from '../../../widgets/import/check/check-labels.ts';
import { ERROR_LABELS } from '../../../widgets/import/check/error-labels.ts';
import { COLUMN_LABELS } from '../../../widgets/import/columns/column-labels.ts';
import { ASK_LABELS } from '../../../widgets/import/fix/ask-labels.ts';
import { FILE_LABELS, STEP_LABELS } from '../../../widgets/import/labels.ts';
import { BROWSER_TARGETS } from '../../../widgets/shared/oldest-browsers.ts';
import { compress } from './compress.ts';
import { ROOT, WIDGETS } from './digest.ts';
import { buildInPlace } from './put-in-place.ts';

const FOLDER = join(ROOT, 'widgets');

/** A script for pages of customers, by the name of its file. */
interface Script {
  readonly name: string;
  readonly version: string;
  /** The folder of its sources, with `main.ts`, and `<name>.d.ts` if it has a global name. */
  readonly folder: string;
  /** The modules that the script loads when they are needed, of the same version, with their entries. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** The first browsers with `light-dark()`: for older ones the build adds properties to each `color-scheme`, which no style needs. */
const CSS_TARGET = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

const SCRIPTS: readonly Script[] = [
  { name: 'svcactivate-widget', version: '0.1.0', folder: 'checklist' },
  {
    name: 'svcimport-widget',
    version: '0.1.0',
    folder: 'import',
    parts: {
      'svcimport-fix': 'import/fix/main.ts',
      'svcimport-legacy': '../schemas/imports/fix/legacy.ts',
      'svcimport-ask': 'import/fix/ask.ts',
      'svcimport-columns': 'import/columns/main.ts',
      'svcimport-values': 'import/values/main.ts',
      'svcimport-check': 'import/check/main.ts',
    },
  },
  { name: 'svcfeedback-widget', version: '0.1.0', folder: 'feedback' },
];

/** Interfaces of every browser that some runtimes of the client library lack: the bytes for those runtimes are left out. */
const PRESENT = { 'globalThis.MessageChannel': 'true' };

/**
 * Builds each widget: one script that contains everything, styles included, and its TypeScript declarations. A module that
 * it loads is built first, because the script has the digest by which the browser checks the module.
 */
export async function buildWidgets(): Promise<void> {
  await buildInPlace(WIDGETS, writeWidgets);
}

/** Writes the files of all widgets into a folder: the same bytes on every machine. */
export async function writeWidgets(made: string): Promise<void> {
  for (const { name, version, folder, parts = {} } of SCRIPTS) {
    const modules: Record<string, readonly string[]> = {};
    for (const [part, entry] of Object.entries(parts)) {
      const file = `${part}-v${version}.js`;
      await bundle(join(FOLDER, entry), 'es', file, made, PRESENT);
      await shorten(join(made, file));
      compress(join(made, file));
      modules[part] = [file, integrityOf(join(made, file))];
    }
    const define = { MODULES: JSON.stringify(modules) };
    const released = `${name}-v${version}`;
    await bundle(join(FOLDER, folder, 'main.ts'), 'iife', `${released}.js`, made, define);
    compress(join(made, `${released}.js`));
    writeFileSync(join(made, `${released}.d.ts`), declarationsOf(join(FOLDER, folder, `${name}.d.ts`)));
  }
}

/** Returns the declarations of a widget as one file without imports: texts and their names stand in the place of their tables. */
function declarationsOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/^(?:import .*\n)+\n/, '')
    .replace(
      ' keyof typeof STEP_LABELS | keyof typeof ERROR_LABELS',
      namesOf({ ...STEP_LABELS, ...ERROR_LABELS }),
    )
    .replace(' keyof typeof COLUMN_LABELS', namesOf(COLUMN_LABELS))
    .replace(' keyof typeof CHECK_LABELS', namesOf(CHECK_LABELS))
    .replace(
      ' keyof typeof FILE_LABELS | keyof typeof ASK_LABELS',
      namesOf({ ...FILE_LABELS, ...ASK_LABELS }),
    )
    .replace('type SvcFeedbackLabels = Readonly<typeof LABELS>;', interfaceOf('SvcFeedbackLabels', LABELS));
}

function namesOf(texts: object): string {
  return Object.keys(texts)
    .map((name) => `\n  | '${name}'`)
    .join('');
}

function interfaceOf(name: string, texts: object): string {
  const members = Object.entries(texts).map(
    ([key, text]) => `  /** "${text}" */\n  readonly ${key}: string;\n`,
  );
  return `interface ${name} {\n${members.join('')}}`;
}

function integrityOf(file: string): string {
  return `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
}

/** Writes constants and functions of a module where they are used if that is one place. Vite's minifier keeps their names. */
async function shorten(file: string): Promise<void> {
  // The second pass finds what the names of the first one have left. Functions side by side are more alike to gzip.
  for (const hoist_funs of [false, false, true]) {
    const { code } = await minify(readFileSync(file, 'utf8'), {
      module: true,
      ecma: 2023,
      // No function of the module is called with `new`, or uses `this`.
      compress: { ecma: 2023, passes: 5, toplevel: true, unsafe_arrows: true, hoist_funs },
      mangle: { toplevel: true },
    });
    writeFileSync(file, code);
  }
}

async function bundle(
  entry: string,
  format: 'iife' | 'es',
  file: string,
  outDir: string,
  define: Readonly<Record<string, string>> = {},
): Promise<void> {
  await build({
    configFile: false,
    root: FOLDER,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: {
      outDir,
      emptyOutDir: false,
      lib: { entry, formats: [format], name: '_', fileName: () => file },
      minify: true,
      // Vite leaves the spaces of a library's module, and the notes for tools that bundle it again.
      rolldownOptions: { output: { minify: true, comments: false } },
      cssMinify: 'lightningcss',
      cssTarget: CSS_TARGET,
      target: BROWSER_TARGETS,
    },
  });
}
