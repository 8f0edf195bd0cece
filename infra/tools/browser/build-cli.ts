import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { BUN } from '../../../schemas/base/bun.ts';
import { writeClient } from './build-client.ts';
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

/** The module of zod whose schemas can describe themselves as JSON Schema. */
const SELF_DESCRIBING = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;

/** Its references to the writers of JSON Schema, each with its replacement. */
const DESCRIPTIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^\s*inst\._zod\.processJSONSchema = .*$/gm, ''],
  [
    /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} .*$/gm,
    'const createStandardJSONSchemaMethod = () => undefined, createToJSONSchemaMethod = () => () => undefined;',
  ],
];

/** Builds each release of the command-line tool as one file, with its SHA-256 beside it, and the client library. */
export async function buildCli(): Promise<void> {
  await buildInPlace(CLI, async (made) => {
    await writeReleases(ROOT, made);
    await writeClient(ROOT, made);
  });
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
    plugins: [lazyBuiltins('commander', UNNEEDED), withoutJsonSchema()],
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
  // Without a word of modules, Node also runs the file below a package.json with `"type": "commonjs"`.
  const code = chunk.code.replace(/^#!.*\n/, '').replace(/export\s*\{\s*\};?\s*$/, '');
  // With the second line, Bun runs the file without transpiling it once more.
  return `#!/usr/bin/env -S ${BUN}\n// @bun\n${licences(root)}${asAscii(code)}`;
}

/** Escapes what is not ASCII: Bun takes the bytes of a file that it does not transpile for Latin-1. */
function asAscii(code: string): string {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Leaves the writers of JSON Schema out, a twelfth of the file: the tool only parses.
 *
 * @throws {Error} if zod refers to them in another way
 */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    transform: (code, id) =>
      SELF_DESCRIBING.test(id)
        ? DESCRIPTIONS.reduce((text, [pattern, replacement]) => {
            const replaced = text.replace(pattern, replacement);
            if (replaced === text) throw new Error(`bundling zod: it has no ${pattern}`);
            return replaced;
          }, code)
        : null,
  };
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
