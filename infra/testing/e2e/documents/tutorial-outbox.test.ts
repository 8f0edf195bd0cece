// Runs the outbox of the tutorial for a backend against the real service, with what goes wrong in production.
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DisturbingProxy } from '../../../../cli/testing/proxy.fixture.ts';
import { codeOf, folderWithClient, readGuide } from '../../../docs/guide-code.fixture.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const STEPS = codeOf(readGuide('tutorials/backend.md'), 'js', '// steps.mjs');
const DELIVERY = 'await deliver();\n';

const OUTAGE_REQUESTS = 5;
const ROWS = 15;

/** In the place of the single delivery: many rows, and calls as often as a program makes them. */
const BUSY = `
for (let user = 1; user < ${ROWS}; user += 1) createProject('user-' + user, 'Apollo');
const timer = setInterval(async () => {
  await deliver();
  if (database.prepare('select * from outbox').get() === undefined) clearInterval(timer);
}, 20);
`;

let folder: string;
let customer: ChecklistsCustomer<ServiceInProcess>;
beforeEach(async () => {
  folder = folderWithClient();
  customer = await ChecklistsCustomer.of(await ServiceInProcess.start(), ['project']);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await customer.service.dispose();
});

/** Starts the program once, and resolves with what it prints. */
async function run(code: string, environment: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(folder, 'steps.mjs'), code);
  const env = {
    SVC_URL: customer.service.url,
    SVC_CREDENTIAL: customer.credential,
    INSTALLATION_ID: customer.installationId,
    CHECKLIST_ID: customer.checklistId,
    SUBJECT_SECRET: 'secret of the tutorial',
    ...environment,
  };
  return await promisify(execFile)(process.execPath, ['steps.mjs'], { cwd: folder, env });
}

function rowsLeft(): unknown {
  const database = new DatabaseSync(join(folder, 'backend.db'));
  try {
    return database.prepare('select count(*) as left from outbox').get()?.['left'];
  } finally {
    database.close();
  }
}

describe('the outbox of the tutorial for a backend', () => {
  it('counts the rows that a wrong credential parks, and sends them once it is corrected', async () => {
    expect(STEPS).toContain(DELIVERY);
    for (const rows of [1, 2]) {
      const wrong = await run(STEPS, { SVC_CREDENTIAL: `svc_project_${'a'.repeat(43)}` });
      expect(wrong.stderr).toContain('Parked rows, which wait for a person: 1.');
      expect(rowsLeft()).toBe(rows);
    }
    const right = await run(STEPS);
    expect(right.stdout).toContain('Parked rows that are sent again: 1\n');
    expect(rowsLeft()).toBe(0);
  });

  it('sends one row at a time during an outage, and each row once after it', async () => {
    const proxy = await DisturbingProxy.start(customer.service.url);
    try {
      proxy.decide = ({ number }) => (number <= OUTAGE_REQUESTS ? { status: 502 } : 'forward');
      await run(STEPS.replace(DELIVERY, BUSY), { SVC_URL: proxy.url });
      const keys = proxy.passed.map(({ body }) => JSON.parse(body).idempotencyKey);
      expect(new Set(keys.slice(0, OUTAGE_REQUESTS)).size).toBe(1);
      expect(keys).toHaveLength(OUTAGE_REQUESTS + ROWS);
      expect(new Set(keys).size).toBe(ROWS);
      expect(rowsLeft()).toBe(0);
    } finally {
      await proxy.close();
    }
  });
});
