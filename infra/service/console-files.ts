// Reads: the built console, once at the start.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ConsoleFiles } from '../../gateway/http/pages.ts';
import { CODINGS, type FileContent } from '../../gateway/http/served-file.ts';

const BUILT = join(import.meta.dirname, '../../widgets/dist/console');

/** Said when there is no built console. */
export const NOT_BUILT =
  'The console is not built, so that this process serves the interface only; run npm ci && npm run build, and start again.';

/** By the end of a file's name. The build makes no other files. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The ends of the names of compressed files, beside the files themselves. */
const ENDS = { br: '.br', gzip: '.gz' } as const;

/** Reads the console from the folder of the build; null if it was not built. */
export function readConsoleFiles(folder = BUILT): ConsoleFiles | null {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => CONTENT_TYPES[extname(name)] !== undefined);
  return {
    page: readFile(page),
    assets: new Map(names.map((name) => [name, readFile(join(assets, name))])),
  };
}

function readFile(file: string): FileContent {
  const coded = CODINGS.filter((coding) => existsSync(file + ENDS[coding]));
  return {
    contentType: CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
    bytes: readFileSync(file),
    coded: Object.fromEntries(coded.map((coding) => [coding, readFileSync(file + ENDS[coding])])),
  };
}
