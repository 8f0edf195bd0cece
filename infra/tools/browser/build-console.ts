import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { PATHS } from '../../../widgets/console/app/paths.ts';
import { compress } from './compress.ts';
import { CONSOLE, ROOT } from './digest.ts';
import { buildInPlace } from './put-in-place.ts';

/** The file with the addresses of the pages. */
const PATHS_FILE = 'paths.json';

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
    // The service answers 404 at all other addresses.
    writeFileSync(join(made, PATHS_FILE), JSON.stringify(PATHS));
    // The licence of the fonts goes where the fonts go.
    copyFileSync(join(WIDGETS, 'console/style/fonts/OFL.txt'), join(made, 'OFL.txt'));
  });
}
