import { orderedRowPrefix } from '../../schemas/imports/row-ids.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import type { Readings, Unreadable } from '../http/records/readings.ts';
import { type ImportReader, importsReader, type LoadedImport, loadImports } from './load-import.ts';

/** A list of imports in the order of an index. */
export interface ImportWalk {
  /** `timeline`: by reservation, newest first. `delivery`: by approval under one schema, oldest first. */
  readonly index: { readonly kind: 'timeline' } | { readonly kind: 'delivery'; readonly schemaId: string };
  readonly cursor: string | undefined;
  readonly limit: number;
  accepts(loaded: LoadedImport): boolean;
}

export interface ImportPage {
  readonly imports: readonly LoadedImport[];
  readonly unreadable: readonly Unreadable[];
  readonly nextCursor: string | null;
}

/** Entries of the index read at once. */
const ENTRIES_AT_ONCE = 100;
/** Reads for one page; a page of rare imports may be short, and its cursor leads on. */
const READS_MAX = 5;

/** One page of the imports that the walk accepts. Those that cannot be read are named on the page, and count. */
export async function walkImports(
  services: ImportReader,
  workspace: WorkspaceView,
  walk: ImportWalk,
): Promise<ImportPage> {
  const imports: LoadedImport[] = [];
  const unreadable: Unreadable[] = [];
  let cursor = walk.cursor ?? null;
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const entries = await readEntries(services, workspace, walk, cursor);
    for (const { position, read } of entries) {
      if (read.unreadable.length > 0 || read.found.some(walk.accepts)) {
        if (imports.length + unreadable.length === walk.limit)
          return { imports, unreadable, nextCursor: cursor };
        imports.push(...read.found);
        unreadable.push(...read.unreadable);
      }
      cursor = position;
    }
    if (entries.length < ENTRIES_AT_ONCE) return { imports, unreadable, nextCursor: null };
  }
  return { imports, unreadable, nextCursor: cursor };
}

/** An entry of the index: its position is what a cursor says. */
interface Entry {
  readonly position: string;
  /** The import, found or unreadable; neither if it was erased meanwhile. */
  readonly read: Readings<LoadedImport>;
}

async function readEntries(
  services: ImportReader,
  workspace: WorkspaceView,
  { index }: ImportWalk,
  cursor: string | null,
): Promise<Entry[]> {
  const prefix = index.kind === 'delivery' ? orderedRowPrefix(index.schemaId) : '';
  const rows = await importsReader.list(services.store, workspace.installationId, index.kind, {
    prefix,
    limit: ENTRIES_AT_ONCE,
    reverse: index.kind === 'timeline',
    ...(cursor === null ? {} : { after: prefix + cursor }),
  });
  const imports = await loadImports(
    services,
    workspace,
    rows.found.map(({ document }) => document.importId),
  );
  return rows.ids.map((id) => {
    const importId = rows.found.find((row) => row.id === id)?.document.importId;
    const found = imports.found.filter((loaded) => loaded.importId === importId);
    const unreadable = [
      ...rows.unreadable.filter((entry) => entry.id === id),
      ...imports.unreadable.filter((entry) => entry.id === importId),
    ];
    return { position: id.slice(prefix.length), read: { found, unreadable } };
  });
}
