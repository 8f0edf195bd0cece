// Reads: the built documentation, each file when it is asked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { z } from 'zod';
import type { DocsFiles } from '../../../gateway/http/pages/docs.ts';
import { CONTENT_TYPES, readFileContent } from './file-content.ts';

const BUILT = join(import.meta.dirname, '../../../widgets/dist/docs');

const siteSchema = z.object({
  placeholders: z.object({ base: z.string(), console: z.string() }),
  pages: z.array(z.object({ title: z.string(), path: z.string() })),
});

/** Finds the documentation in the folder of the build; null if it was not built. */
export function readDocsFiles(folder = BUILT): DocsFiles | null {
  const site = join(folder, 'site.json');
  if (!existsSync(site)) return null;
  // Only a file that was there at the start is read, so that no address leads out of the folder.
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && CONTENT_TYPES[extname(entry.name)] !== undefined)
      .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
  );
  return {
    ...siteSchema.parse(JSON.parse(readFileSync(site, 'utf8'))),
    read: (name) => {
      const file = join(folder, name);
      // A new build may have taken the place of the one at the start.
      return names.has(name) && existsSync(file) ? readFileContent(file) : null;
    },
  };
}
