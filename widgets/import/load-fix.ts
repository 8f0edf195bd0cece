import type { decodeLegacy } from '../../schemas/imports/fix/legacy.ts';
import { h } from '../shared/dom.ts';
import type { openTable, readErrors, restoreTable, reviewErrors } from './check/main.ts';
import type { ColumnsPart } from './columns/part.ts';
import type { ask } from './fix/ask.ts';
import type { examineFile } from './fix/main.ts';
import type { ValuesPart } from './values-part.ts';

/** The part in which a person corrects values, and sees the errors that the service has found. */
export interface CheckPart {
  readonly openTable: typeof openTable;
  readonly restoreTable: typeof restoreTable;
  readonly readErrors: typeof readErrors;
  readonly reviewErrors: typeof reviewErrors;
}

/** Loads what the first part of the widget has no room for; null if a part cannot be loaded. */
export interface FixModules {
  /** The part that examines a file. */
  readonly examining: () => Promise<{ readonly examineFile: typeof examineFile } | null>;
  /** The part that decodes a file which is not Unicode. */
  readonly decoding: () => Promise<{ readonly decodeLegacy: typeof decodeLegacy } | null>;
  /** The part that asks about the changes. */
  readonly asking: () => Promise<{ readonly ask: typeof ask } | null>;
  readonly columns: () => Promise<ColumnsPart | null>;
  readonly values: () => Promise<ValuesPart | null>;
  readonly checking: () => Promise<CheckPart | null>;
}

/** The file of each module and its digest, which the build writes here. */
declare const MODULES: Readonly<
  Record<`svcimport-${'fix' | 'legacy' | 'ask' | 'columns' | 'values' | 'check'}`, readonly [string, string]>
>;

const LOAD_MS_MAX = 8_000;

const loading = new Map<string, Promise<unknown>>();

/** The modules of a service, which the page or the network may not allow. */
export function fixModulesOf(ingestOrigin: string): FixModules {
  return {
    examining: () => loadModule(ingestOrigin, 'svcimport-fix'),
    decoding: () => loadModule(ingestOrigin, 'svcimport-legacy'),
    asking: () => loadModule(ingestOrigin, 'svcimport-ask'),
    columns: () => loadModule(ingestOrigin, 'svcimport-columns'),
    values: () => loadModule(ingestOrigin, 'svcimport-values'),
    checking: () => loadModule(ingestOrigin, 'svcimport-check'),
  };
}

/** The digest is checked by the browser before the module runs: `import()` alone cannot do that. */
async function loadModule<Module>(ingestOrigin: string, name: keyof typeof MODULES): Promise<Module | null> {
  const [file, integrity] = MODULES[name];
  const url = `${ingestOrigin}/downloads/${file}`;
  const known = loading.get(url) ?? load(url, integrity);
  loading.set(url, known);
  try {
    return (await known) as Module;
  } catch {
    // The next file may find it.
    loading.delete(url);
    return null;
  }
}

async function load(url: string, integrity: string): Promise<unknown> {
  const link = h('link', {
    rel: 'modulepreload',
    href: url,
    integrity,
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
    return await import(/* @vite-ignore */ url);
  } finally {
    link.remove();
  }
}
