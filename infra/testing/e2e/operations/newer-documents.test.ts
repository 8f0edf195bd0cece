import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schemas/base/json.ts';
import { DATABASE_FILE } from '../../../engines/embedded/database.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const STEPS = ['connect', 'import'];

/** A member that no schema of this version has. */
const NEWER = { newer: { by: 'a newer version', list: [1, 2] } };

/** Documents that processors change by spreading, by table and kind; `''` is the product's own part of a root. */
const CHANGED = [
  'activate/',
  'activate/enrollment',
  'activate/summary',
  'checks/',
  'feedback/',
  'imports/',
  'workspaces/',
] as const;

let service: ServiceInProcess;
let customer: ChecklistsCustomer<ServiceInProcess>;

beforeAll(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  service = await ServiceInProcess.start({ limits: { http, workspace } });
  customer = await ChecklistsCustomer.of(service, STEPS);
});
afterAll(() => service.dispose());

/** Passes each document of the store through a function, while the service is down. Returns them by table, kind and id. */
async function passThrough(change: (document: JsonObject) => JsonObject): Promise<Map<string, JsonObject>> {
  await service.stop();
  const database = new DatabaseSync(join(service.folder, 'data', DATABASE_FILE));
  const documents = new Map<string, JsonObject>();
  for (const { number, table_name, id, document } of database.prepare('SELECT * FROM aggregate_root').all()) {
    const root = JSON.parse(String(document));
    const state = change(root.state);
    database
      .prepare('UPDATE aggregate_root SET document = ? WHERE number = ?')
      .run(JSON.stringify({ ...root, state }), number ?? null);
    documents.set(`${table_name}/ ${id}`, state);
    const rows = database
      .prepare('SELECT kind, id, document FROM aggregate_row WHERE aggregate = ?')
      .all(number ?? null);
    for (const row of rows) {
      const name = `${table_name}/${row['kind']}`;
      if (!CHANGED.some((each) => each === name)) continue;
      const changed = change(JSON.parse(String(row['document'])));
      database
        .prepare('UPDATE aggregate_row SET document = ? WHERE aggregate = ? AND kind = ? AND id = ?')
        .run(JSON.stringify(changed), number ?? null, row['kind'] ?? null, row['id'] ?? null);
      documents.set(`${name} ${row['id']}`, changed);
    }
  }
  database.close();
  await service.restart();
  return documents;
}

// Only the files of the embedded engine can be changed while nothing runs on them.
describe.skipIf(isOnCluster())('documents that a newer version has written', () => {
  it('keep members that this version does not know, through every change that it makes to them', async () => {
    expect((await customer.event('ada', 'connect')).status).toBe(200);
    const before = await passThrough((document) => ({ ...document, ...NEWER }));

    expect((await customer.event('ada', 'import')).status).toBe(200);
    expect((await customer.event('berta', 'connect')).status).toBe(200);
    expect(await customer.summary()).toMatchObject({ enrollments: 2, complete: 1, acceptedEvents: 3 });
    await customer.claim();

    const after = await passThrough((document) => document);
    const changed = [...before].filter(
      ([name, document]) => JSON.stringify(after.get(name)) !== JSON.stringify(document),
    );
    expect(new Set(changed.map(([name]) => name.split(' ')[0]))).toEqual(new Set(CHANGED));
    for (const [name] of before)
      expect([name, after.get(name)]).toEqual([name, expect.objectContaining(NEWER)]);
  });
});
