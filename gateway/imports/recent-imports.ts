import { importIdSchema } from '../../schemas/base/ids.ts';
import { isoTimeOrNull } from '../../schemas/base/time.ts';
import type { EffectiveImport } from '../../schemas/imports/status.ts';
import type { NextAction } from '../../schemas/workspaces/overview.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { joined, keepFound, mapFound, type Readings } from '../http/records/readings.ts';
import type { FoundResource, GatewayServices, NamedResource, Search } from '../services.ts';
import { readFileName } from './file-name.ts';
import { type ImportReader, importsReader, type LoadedImport, loadImports } from './load-import.ts';

/**
 * The number of latest imports that are searched. An import lives seven days and the plan allows ten in a month, so that at
 * most twenty wait at the turn of a month.
 */
export const IMPORTS_SEARCHED_MAX = 20;

/** The number of schemas that are searched: more than a plan allows. */
const SCHEMAS_SEARCHED_MAX = 20;

type Workspace = Pick<WorkspaceView, 'installationId' | 'expiresAt'>;

/**
 * Returns the latest import that waits for a person, if one does: one to approve, else an approved one that no capability can
 * pull, else one to correct.
 */
export async function waitingImport(
  services: ImportReader,
  workspace: WorkspaceView,
): Promise<Readings<NextAction>> {
  const { found: imports, unreadable } = await recentImports(services, workspace);
  const latest = (status: EffectiveImport['status']) =>
    imports.find(({ effective, capabilities }) => {
      const isPulled = effective.status === 'approved' && capabilities > 0;
      return effective.status === status && !isPulled;
    });
  const found = latest('ready') ?? latest('approved') ?? latest('needs_correction');
  if (found === undefined) return { found: [], unreadable };
  const { importId, document, effective } = found;
  const { schemaId } = document;
  const schema = await importsReader.row(services.store, workspace.installationId, 'schema', schemaId);
  const { valid = 0, invalid = 0, endedAt = null } = effective.validation ?? {};
  const isFaulty = effective.status === 'needs_correction';
  const action: NextAction = {
    kind: WAITS_FOR[effective.status] ?? 'create_capability',
    importId,
    schemaId,
    schemaName: schema?.name ?? null,
    count: isFaulty ? invalid : valid,
    since: isoTimeOrNull(effective.approval?.approvedAt ?? endedAt),
  };
  return { found: [action], unreadable };
}

const WAITS_FOR: Partial<Record<EffectiveImport['status'], NextAction['kind']>> = {
  ready: 'approve_import',
  needs_correction: 'correct_import',
};

/** Returns the import schemas of a workspace, newest first. */
export async function importSchemas(
  { store }: Pick<ImportReader, 'store'>,
  installationId: string,
): Promise<Readings<NamedResource>> {
  const rows = await importsReader.list(store, installationId, 'schema', { limit: SCHEMAS_SEARCHED_MAX });
  const { found, unreadable } = mapFound(
    rows,
    ({ id, document: { name, allowedOrigins, revision, createdAt } }): NamedResource => {
      return { kind: 'schema', id, name, allowedOrigins, revision, createdAt };
    },
  );
  return { found: found.toSorted((left, right) => right.createdAt - left.createdAt), unreadable };
}

/**
 * Returns the schemas that match, the latest imports whose file or schema matches, and any import by its whole id. An import is
 * called by its file where the person may see that name, else by its schema.
 */
export async function findImports(
  services: ImportReader & Pick<GatewayServices, 'blobs'>,
  workspace: WorkspaceView,
  { text, matches, showsPrivate }: Search,
): Promise<Readings<FoundResource>> {
  const isImportId = importIdSchema.safeParse(text).success;
  const [schemas, imports] = await Promise.all([
    importSchemas(services, workspace.installationId),
    isImportId ? loadImports(services, workspace, [text]) : recentImports(services, workspace),
  ]);
  const found = imports.found.map(async (loaded): Promise<FoundResource[]> => {
    const { importId: id, document, effective } = loaded;
    const fileName = showsPrivate ? await readFileName(services, workspace.installationId, loaded) : null;
    const schemaName = schemas.found.find((schema) => schema.id === document.schemaId)?.name ?? '';
    const { createdAt } = document;
    const name = fileName ?? schemaName;
    return matches(id, name) || matches(id, schemaName)
      ? [{ kind: 'import', id, name, importState: effective.status, createdAt }]
      : [];
  });
  return joined<FoundResource>([
    keepFound(schemas, ({ id, name }) => matches(id, name)),
    { ...imports, found: (await Promise.all(found)).flat() },
  ]);
}

/** The latest imports of a workspace, newest first. */
async function recentImports(services: ImportReader, workspace: Workspace): Promise<Readings<LoadedImport>> {
  const timeline = await importsReader.list(services.store, workspace.installationId, 'timeline', {
    limit: IMPORTS_SEARCHED_MAX,
    reverse: true,
  });
  const ids = timeline.found.map(({ document }) => document.importId);
  return joined([await loadImports(services, workspace, ids), { ...timeline, found: [] }]);
}
