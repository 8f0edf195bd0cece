import type { DocsFiles } from '../../../gateway/http/pages/docs.ts';
import type { DownloadFile } from '../../../gateway/http/pages/downloads.ts';
import type { ConsoleFiles } from '../../../gateway/http/pages/pages.ts';

interface Parts {
  readonly console: ConsoleFiles | null;
  readonly docs: DocsFiles | null;
  readonly downloads: readonly DownloadFile[];
}

/** Returns what a process cannot serve because it was not built, and how to build it; null if nothing is missing. */
export function unbuiltParts({ console, docs, downloads }: Parts): string | null {
  const isForPages = ({ forPages }: DownloadFile) => forPages !== undefined;
  const missing = [
    ...(console === null ? ['the console'] : []),
    ...(docs === null ? ['the documentation'] : []),
    ...(downloads.some(isForPages) ? [] : ['the widgets']),
    ...(downloads.every(isForPages) ? ['the command-line tool and the client library'] : []),
  ];
  if (missing.length === 0) return null;
  return `Not built, and so not served: ${missing.join(', ')}; run npm ci && npm run build, and start again.`;
}
