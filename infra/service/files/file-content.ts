// Reads: one built file with its compressed forms.
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { CODINGS, type FileContent } from '../../../gateway/http/pages/served-file.ts';

/** By the end of a file's name. The builds make no other files for browsers. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.tgz': 'application/gzip',
};

/** The ends of the names of compressed files, beside the files themselves. */
const ENDS = { br: '.br', gzip: '.gz' } as const;

/** Reads a file, and the files beside it in which it is compressed. */
export function readFileContent(file: string): FileContent {
  const coded = CODINGS.filter((coding) => existsSync(file + ENDS[coding]));
  return {
    contentType: CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
    bytes: readFileSync(file),
    coded: Object.fromEntries(coded.map((coding) => [coding, readFileSync(file + ENDS[coding])])),
  };
}
