import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { CLIENT_VERSION } from '../../../cli/client/version.ts';
import { bundleDeclarations } from './bundle-declarations.ts';
import { compress } from './compress.ts';

const PACKAGE = 'svc-client';
/** `Symbol.asyncDispose` is in no older library of TypeScript. */
const DISPOSING = '/// <reference lib="esnext.disposable" />\n';
/** Types of the platform that declarations name. A project without the types of browsers and Node has none of them. */
const PLATFORM_TYPES = ['AbortSignal', 'Request', 'RequestInit', 'Response'];

/** The modules of the library, and the addresses by which a program imports them. */
const MODULES = [
  { name: PACKAGE, address: '.' },
  { name: `${PACKAGE}-examine`, address: './examine' },
] as const;

/**
 * Writes the client library: its modules, their declarations, and all of them as a package for `npm install`, each with its SHA-256
 * beside it. The same sources give the same bytes, wherever they are.
 *
 * @param root a folder with `cli`, `schemas`, `LICENSE` and `node_modules`
 */
export async function writeClient(root: string, folder: string): Promise<void> {
  const banner = `/* ${PACKAGE} ${CLIENT_VERSION}, Apache-2.0 */\n`;
  const files: Record<string, string> = {};
  const released = [`${PACKAGE}-${CLIENT_VERSION}.tgz`];
  const sources: string[] = [];
  for (const { name } of MODULES) {
    const entry = join(root, `cli/client/${name}.ts`);
    const { code, commonJs, moduleIds } = await bundle(root, entry);
    sources.push(...moduleIds);
    const declarations = banner + DISPOSING + withPlatformTypes(bundleDeclarations(entry));
    files[`${name}.cjs`] = banner + commonJs;
    files[`${name}.d.cts`] = declarations;
    for (const [end, text] of Object.entries({ '.js': banner + code, '.d.ts': declarations })) {
      const versioned = `${name}-v${CLIENT_VERSION}${end}`;
      files[name + end] = text;
      released.push(versioned);
      writeFileSync(join(folder, versioned), text);
      compress(join(folder, versioned));
    }
  }
  const digest = sourceDigest(root, [...new Set(sources)]);
  pack(root, { ...files, 'package.json': `${JSON.stringify(manifest(root, digest), null, 2)}\n` }, folder);
  for (const name of released) {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    writeFileSync(join(folder, `${name}.sha256`), `${digest}  ${name}\n`);
  }
}

/** Declares the types of the platform that a text names. They merge with those that a project has. */
function withPlatformTypes(declarations: string): string {
  const named = PLATFORM_TYPES.filter((type) => new RegExp(`\\b${type}\\b`).test(declarations));
  return `declare global {\n${named.map((type) => `  interface ${type} {}\n`).join('')}}\n\n${declarations}`;
}

interface Bundle {
  readonly code: string;
  /** The same module for `require`. */
  readonly commonJs: string;
  readonly moduleIds: readonly string[];
}

/** Bundles a module of the library, readable as it is: applications that bundle it minify it themselves. */
async function bundle(root: string, entry: string): Promise<Bundle> {
  const built = await rolldown({
    cwd: root,
    input: entry,
    platform: 'neutral',
    treeshake: { propertyReadSideEffects: false },
    transform: { target: 'es2022' },
    logLevel: 'warn',
  });
  const shared = { codeSplitting: false, comments: false } as const;
  const [{ code, imports, moduleIds }] = (await built.generate({ ...shared, format: 'esm' })).output;
  if (imports.length > 0) throw new Error(`bundling the client: it imports ${imports.join(', ')}`);
  const [{ code: commonJs }] = (await built.generate({ ...shared, format: 'cjs' })).output;
  return { code, commonJs, moduleIds };
}

/** Returns the SHA-256 of everything that is in the bundles, so that a checkout can be compared with a package. */
function sourceDigest(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** The manifest of the sources, which this repository uses, with what is in the package instead of them. */
function manifest(root: string, sources: string) {
  return {
    ...JSON.parse(readFileSync(join(root, 'cli/client/package.json'), 'utf8')),
    exports: {
      ...Object.fromEntries(
        MODULES.map(({ name, address }) => [
          address,
          {
            require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
            default: { types: `./${name}.d.ts`, default: `./${name}.js` },
          },
        ]),
      ),
      './package.json': './package.json',
    },
    ...withoutExports(PACKAGE, '.'),
    files: ['*.js', '*.cjs', '*.d.ts', '*.d.cts', 'examine/package.json'],
    // The SHA-256 of the sources that were bundled: path, NUL and bytes of each, in the order of their paths.
    svcSources: sources,
  };
}

/** The fields of a manifest for tools that do not know `exports`, such as TypeScript with `moduleResolution: node10`. */
function withoutExports(name: string, folder: string) {
  const file = `${folder}/${name}`;
  return { main: `${file}.cjs`, module: `${file}.js`, types: `${file}.d.ts` };
}

/** Packs as `npm pack` does, which writes no times and no owners. The package has the name that npm gives it. */
function pack(root: string, files: Readonly<Record<string, string>>, folder: string): void {
  const made = mkdtempSync(join(tmpdir(), 'svc-client-'));
  try {
    const source = join(made, PACKAGE);
    mkdirSync(join(source, 'examine'), { recursive: true });
    const examine = JSON.stringify(withoutExports(`${PACKAGE}-examine`, '..'));
    writeFileSync(join(source, 'examine/package.json'), `${examine}\n`);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(source, name), text);
    copyFileSync(join(root, 'LICENSE'), join(source, 'LICENSE'));
    copyFileSync(join(root, 'cli/client/README.md'), join(source, 'README.md'));
    const npm = ['pack', '--silent', '--ignore-scripts', '--pack-destination', made];
    const name = execFileSync('npm', npm, { cwd: source, encoding: 'utf8' }).trim();
    copyFileSync(join(made, name), join(folder, name));
  } finally {
    rmSync(made, { recursive: true });
  }
}
