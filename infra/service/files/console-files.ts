// Reads: the built console, once at the start.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { z } from 'zod';
import type { ConsoleFiles } from '../../../gateway/http/pages/pages.ts';
import { CONTENT_TYPES, readFileContent } from './file-content.ts';

const BUILT = join(import.meta.dirname, '../../../widgets/dist/console');

const pathsSchema = z.array(z.string());

/** Reads the console from the folder of the build; null if it was not built. */
export function readConsoleFiles(folder = BUILT): ConsoleFiles | null {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => CONTENT_TYPES[extname(name)] !== undefined);
  return {
    page: readFileContent(page),
    paths: readPaths(join(folder, 'paths.json')),
    assets: new Map(names.map((name) => [name, readFileContent(join(assets, name))])),
  };
}

/** Reads the addresses of the pages; null for a build of the release before, which did not write them. */
function readPaths(file: string): string[] | null {
  return existsSync(file) ? pathsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}
