import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { compress } from './compress.ts';
import { CLI, ROOT } from './digest.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { buildInPlace } from './put-in-place.ts';

/** The entry of a release, named by its version. */
const ENTRY = /^svc-(\d+\.\d+\.\d+)\.ts$/;

/** Packages whose code is in the file. Their licences ask to go along. */
const BUNDLED = ['commander', 'zod'];

/** The first words of the terms of their licence. */
const TERMS = 'Permission is hereby granted';

/** The parser can start other programs as commands, and measures coloured texts. Ours are functions, and plain. */
const UNNEEDED = {
  'node:child_process': 'export default {};',
  'node:util': 'export const stripVTControlCharacters = (text) => text;',
};

/** Builds each release of the command-line tool as one file, with its SHA-256 beside it. */
export async function buildCli(): Promise<void> {
  await buildInPlace(CLI, (made) => writeReleases(ROOT, made));
}

/**
 * Writes every release. The same sources give the same bytes, wherever they are.
 *
 * @param root a folder with `cli`, `schemas` and `node_modules`
 */
export async function writeReleases(root: string, folder: string): Promise<void> {
  for (const entry of readdirSync(join(root, 'cli'))) {
    const version = ENTRY.exec(entry)?.[1];
    if (version === undefined) continue;
    const name = `svc-cli-v${version}.js`;
    const code = await bundle(root, entry);
    const digest = createHash('sha256').update(code).digest('hex');
    writeFileSync(join(folder, name), code);
    compress(join(folder, name));
    writeFileSync(join(folder, `${name}.sha256`), `${digest}  ${name}\n`);
  }
}

/** Bundles one release. Functions and classes keep their names, so that a stack and a debugger show them. */
async function bundle(root: string, entry: string): Promise<string> {
  const built = await rolldown({
    cwd: root,
    input: join(root, 'cli', entry),
    platform: 'node',
    plugins: [lazyBuiltins('commander', UNNEEDED)],
    treeshake: { propertyReadSideEffects: false },
    transform: { target: 'es2023' },
    logLevel: 'warn',
  });
  const { output } = await built.generate({
    format: 'esm',
    codeSplitting: false,
    comments: false,
    minify: {
      compress: true,
      mangle: { toplevel: false },
      codegen: { removeWhitespace: true },
    },
  });
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error(`bundling ${entry} into one file: it became ${output.length}`);
  const code = chunk.code.replace(/^#!.*\n/, '');
  // With the second line, Bun runs the file without transpiling it once more.
  return `#!/usr/bin/env bun\n// @bun\n${licences(root)}${code}`;
}

/** The notice of each package, then the terms that they share: a copy of them goes along with the code. */
function licences(root: string): string {
  const texts = BUNDLED.map((name) => {
    const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
    const [head = '', body] = text.split(TERMS);
    const notice = /Copyright.*/.exec(head)?.[0];
    if (body === undefined || notice === undefined)
      throw new Error(`bundling ${name}: its licence is not MIT`);
    return { notice: `${name}: ${notice}`, terms: TERMS + body.replaceAll(/\s+/g, ' ').replaceAll("'", '"') };
  });
  const terms = new Set(texts.map((text) => text.terms.trim()));
  const lines = ['The MIT License', ...texts.map(({ notice }) => notice), ...terms];
  return `/*\n${lines.join('\n\n')}\n*/\n`;
}
