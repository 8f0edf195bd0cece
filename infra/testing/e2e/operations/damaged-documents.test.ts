import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import {
  ACT_ROUTES,
  DamagedDocuments,
  LIST_ROUTES,
  READ_ROUTES,
  ROW_KINDS,
  RUNTIME_ROW_KINDS,
  type StoredKind,
  WORKSPACE_TABLES,
} from './damaged-documents.fixture.ts';

/**
 * The lists and acts that need a document of a kind whole: it is the list itself, what the list is of, the caller's
 * credential, or the keys that the act stops.
 */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'activate/checklist': ['readWorkspaceChecklist'],
  'checks/runs': ['listWorkspaceCheckRuns'],
  'imports/capability': ['listDeliveries'],
  'imports/schema': ['listSchemaRevisions'],
  'imports/schema-revision': ['readImportSession'],
  'imports/schema-sessions': ['readImportSession'],
  'organizations/active-keys': ['listKeyOverviews', 'cancelSubscription'],
};

const UNREAD_AFTER_MS = 10_000;

let documents: DamagedDocuments;

// Only the files of the embedded engine can be changed while nothing runs on them.
describe.skipIf(isOnCluster())('a document that cannot be read', () => {
  beforeAll(async () => {
    documents = await DamagedDocuments.start();
  }, 60_000);
  afterAll(() => documents.service.dispose());

  it.each(ROW_KINDS)('leaves every list beside it readable: $table/$kind', async (stored) => {
    await documents.restartWith((database) => documents.damage(database, stored));
    const failed = new Set<string>();
    for (const customer of [documents.damaged, documents.neighbour]) {
      for (const route of LIST_ROUTES) {
        const { status } = await documents.send(route, customer);
        if (status >= 500) failed.add(route.name);
      }
    }
    expect([...failed].filter((name) => !isNeeded(stored, name))).toEqual([]);
  });

  it.each(WORKSPACE_TABLES)('leaves the lists of its neighbours readable as a root: %s', async (table) => {
    await documents.restartWith((database) => documents.damage(database, { table, kind: null }));
    const answers = await Promise.all(
      LIST_ROUTES.map(async (route) => [
        route.name,
        (await documents.send(route, documents.neighbour)).status,
      ]),
    );
    expect(answers.filter(([, status]) => Number(status) >= 500)).toEqual([]);
  });

  it('leaves the lists of its organization readable as a person, whom an owner can remove', async () => {
    await documents.restartWith((database) => documents.damageMember(database));
    const failed: string[] = [];
    for (const route of LIST_ROUTES)
      if ((await documents.send(route, documents.damaged)).status >= 500) failed.push(route.name);
    expect(failed).toEqual([]);
    const remove = ACT_ROUTES.find(({ name }) => name === 'removeMember');
    const member = { ids: { userId: documents.memberId }, callers: {} };
    expect(remove && (await documents.send(remove, member)).status).toBe(204);
  });

  it.each(ROW_KINDS)('is no obstacle to an act: $table/$kind', async (stored) => {
    await documents.restartWith((database) => documents.damage(database, stored));
    const failed: string[] = [];
    for (const route of ACT_ROUTES) {
      const { status } = await documents.send(route, documents.damaged);
      if (status >= 500 && !isNeeded(stored, route.name)) failed.push(route.name);
    }
    expect(failed).toEqual([]);
    await expect.poll(() => documents.storedRows(), { timeout: UNREAD_AFTER_MS }).toBe(0);
  });

  it.each(RUNTIME_ROW_KINDS)('is no obstacle to an act as a row of the runtime: %s', async (kind) => {
    await documents.restartWith((database) => {
      for (const table of [...WORKSPACE_TABLES, 'organizations']) documents.damage(database, { table, kind });
    });
    const failed: string[] = [];
    for (const route of ACT_ROUTES) {
      const { status } = await documents.send(route, documents.damaged);
      if (status >= 500) failed.push(route.name);
    }
    expect(failed).toEqual([]);
    await expect.poll(() => documents.storedRows(), { timeout: UNREAD_AFTER_MS }).toBe(0);
  });

  it.each(WORKSPACE_TABLES)('is no obstacle to the erasure of its workspace as a root: %s', async (table) => {
    await documents.restartWith((database) => documents.damage(database, { table, kind: null }));
    const confirm = table === 'workspaces' ? documents.damaged.ids['workspaceId'] : undefined;
    expect((await documents.eraseWorkspace(confirm)).status).toBe(200);
    await expect.poll(() => documents.storedRows(), { timeout: UNREAD_AFTER_MS }).toBe(0);
  });

  it('has no members that a reader refuses because only a newer version knows them', async () => {
    await documents.restartWith(() => {});
    const before = await readAll();
    await documents.restartWith((database) => {
      for (const table of ['aggregate_root', 'aggregate_row']) {
        const path = table === 'aggregate_root' ? '$.state.newer' : '$.newer';
        database.exec(`UPDATE ${table} SET document = json_set(document, '${path}', json('{"by":1}'))`);
      }
    });
    expect(await readAll()).toEqual(before);
  });
});

function isNeeded({ table, kind }: StoredKind, route: string): boolean {
  return NEEDED[`${table}/${kind}`]?.includes(route) ?? false;
}

/** The status of every route that reads, and whether its answer names entries that cannot be read. */
async function readAll(): Promise<Record<string, unknown>> {
  const answers = READ_ROUTES.filter(({ success }) => success.schema !== undefined).map(async (route) => {
    const { status, body } = await documents.send(route, documents.damaged);
    return [route.name, [status, body?.unreadable]];
  });
  return Object.fromEntries(await Promise.all(answers));
}
