import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { compress } from './compress.ts';
import { CONSOLE, ROOT } from './digest.ts';
import { buildInPlace } from './put-in-place.ts';

const WIDGETS = join(ROOT, 'widgets');

export async function buildConsole(): Promise<void> {
  await buildInPlace(CONSOLE, async (made) => {
    await build({
      configFile: join(WIDGETS, 'console/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: made },
    });
    for (const entry of readdirSync(made, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) compress(join(entry.parentPath, entry.name));
    }
    // The licence of the fonts goes where the fonts go.
    copyFileSync(join(WIDGETS, 'console/style/fonts/OFL.txt'), join(made, 'OFL.txt'));
  });
}
