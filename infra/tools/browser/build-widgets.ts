import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
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
}

/** The first browsers with `light-dark()`, so that the build does not write it out. */
const CSS_TARGET = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

const SCRIPTS: readonly Script[] = [
  { name: 'svcactivate-widget', version: '0.1.0', folder: 'checklist' },
  { name: 'svcimport-widget', version: '0.1.0', folder: 'import' },
  { name: 'svcfeedback-widget', version: '0.1.0', folder: 'feedback' },
];

/** Builds each widget: one script that contains everything, styles included, and its TypeScript declarations. */
export async function buildWidgets(): Promise<void> {
  await buildInPlace(WIDGETS, async (made) => {
    for (const { name, version, folder } of SCRIPTS) {
      const released = `${name}-v${version}`;
      await bundle(join(FOLDER, folder, 'main.ts'), released, made);
      compress(join(made, `${released}.js`));
      copyFileSync(join(FOLDER, folder, `${name}.d.ts`), join(made, `${released}.d.ts`));
    }
  });
}

async function bundle(entry: string, name: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: FOLDER,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      lib: { entry, formats: ['iife'], name: '_', fileName: () => `${name}.js` },
      minify: true,
      cssMinify: 'lightningcss',
      cssTarget: CSS_TARGET,
      target: 'es2023',
    },
  });
}
