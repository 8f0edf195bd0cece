// Reads: the built console, once at the start.
import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ConsoleFiles } from '../../../gateway/http/pages/pages.ts';
import { CONTENT_TYPES, readFileContent } from './file-content.ts';

const BUILT = join(import.meta.dirname, '../../../widgets/dist/console');

/** Said when there is no built console. */
export const NOT_BUILT =
  'The console is not built, so that this process serves the interface only; run npm ci && npm run build, and start again.';

/** Reads the console from the folder of the build; null if it was not built. */
export function readConsoleFiles(folder = BUILT): ConsoleFiles | null {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => CONTENT_TYPES[extname(name)] !== undefined);
  return {
    page: readFileContent(page),
    assets: new Map(names.map((name) => [name, readFileContent(join(assets, name))])),
  };
}
