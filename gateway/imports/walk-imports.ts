import { orderedRowPrefix } from '../../schemas/imports/row-ids.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
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
  readonly nextCursor: string | null;
}

/** Entries of the index read at once. */
const ENTRIES_AT_ONCE = 100;
/** Reads for one page; a page of rare imports may be short, and its cursor leads on. */
const READS_MAX = 5;

/** One page of the imports that the walk accepts. */
export async function walkImports(
  services: ImportReader,
  workspace: WorkspaceView,
  walk: ImportWalk,
): Promise<ImportPage> {
  const imports: LoadedImport[] = [];
  let cursor = walk.cursor ?? null;
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const entries = await readEntries(services, workspace, walk, cursor);
    for (const { position, loaded } of entries) {
      if (loaded !== null && walk.accepts(loaded)) {
        if (imports.length === walk.limit) return { imports, nextCursor: cursor };
        imports.push(loaded);
      }
      cursor = position;
    }
    if (entries.length < ENTRIES_AT_ONCE) return { imports, nextCursor: null };
  }
  return { imports, nextCursor: cursor };
}

/** An entry of the index: its position is what a cursor says. */
interface Entry {
  readonly position: string;
  readonly loaded: LoadedImport | null;
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
  const entries = rows.map(({ id, document: { importId } }) => {
    return { position: id.slice(prefix.length), importId };
  });
  const imports = await loadImports(
    services,
    workspace,
    entries.map(({ importId }) => importId),
  );
  return entries.map(({ position, importId }) => ({
    position,
    loaded: imports.find((loaded) => loaded.importId === importId) ?? null,
  }));
}
