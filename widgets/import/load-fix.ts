import { h } from '../shared/dom.ts';
import type { examineFile, fixContent } from './fix/main.ts';

/** The file of the module and its digest, which the build writes here. */
declare const FIX_FILE: string;
declare const FIX_INTEGRITY: string;

export interface FixModule {
  readonly examineFile: typeof examineFile;
  readonly fixContent: typeof fixContent;
}

const LOAD_MS_MAX = 8_000;

const loading = new Map<string, Promise<FixModule>>();

/**
 * Loads the module that examines files, or null if the page or the network does not allow it. The digest is checked by the
 * browser before the module runs: `import()` alone cannot do that.
 */
export async function loadFix(ingestOrigin: string): Promise<FixModule | null> {
  const url = `${ingestOrigin}/downloads/${FIX_FILE}`;
  const known = loading.get(url) ?? load(url);
  loading.set(url, known);
  try {
    return await known;
  } catch {
    // The next file may find it.
    loading.delete(url);
    return null;
  }
}

async function load(url: string): Promise<FixModule> {
  const link = h('link', {
    rel: 'modulepreload',
    href: url,
    integrity: FIX_INTEGRITY,
    crossorigin: 'anonymous',
  });
  const checked = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    setTimeout(reject, LOAD_MS_MAX);
  });
  document.head.append(link);
  try {
    await checked;
    return (await import(/* @vite-ignore */ url)) as FixModule;
  } finally {
    link.remove();
  }
}
