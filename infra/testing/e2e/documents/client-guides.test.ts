// Runs each block of the guides that uses the client library, in a folder with the package as npm installs it.
import { execFile, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWithClient, readGuide } from '../../../docs/guide-code.fixture.ts';
import { freePort } from '../../../tools/service-process/service-process.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { LimiterService } from '../limits/limiter-service.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = folderWithClient();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The code of a guide's blocks in TypeScript. */
function blocksOf(name: string): string[] {
  return [...readGuide(name).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

/** Runs a block, with lines behind it that print what it returns. */
async function runBlock(code: string, lines: string, environment: Readonly<Record<string, string>>) {
  const file = join(folder, 'block.ts');
  writeFileSync(file, `${code}\n${lines}\n`);
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: environment });
  return stdout.trim().split('\n');
}

describe('the guide to rate limits', () => {
  let service: LimiterService;
  beforeAll(async () => {
    service = await LimiterService.start();
  });
  afterAll(() => service.dispose());

  it('is on the first screen of the page of the library', async () => {
    const { key } = await service.newKey('test');
    const [block = ''] = blocksOf('client.md');
    const long = block.replace("onNoAnswer: 'allow'", "onNoAnswer: 'throw', deadlineMs: 60_000");
    const env = { LIMITER_URL: service.main.url, LIMITER_KEY: key };
    expect(await runBlock(long, '', env)).toEqual(['answer the request']);
  });

  it('limits a handler of fetch', async () => {
    const { key } = await service.newKey('test');
    const [, block = ''] = blocksOf('client.md');
    const long = block.replace("onNoAnswer: 'allow'", "onNoAnswer: 'throw', deadlineMs: 60_000");
    const lines = `
for (const _ of [1, 2]) {
  const response = await GET(new Request('http://a.example', { headers: { 'x-real-ip': '2001:db8::1' } }));
  console.log(response.status, response.headers.has('ratelimit'));
}`;
    const env = { LIMITER_URL: service.main.url, LIMITER_KEY: key };
    const answers = await runBlock(long.replace('limit: 100', 'limit: 1'), lines, env);
    expect(answers).toEqual(['200 true', '429 true']);
  });

  it('limits an Express application', async () => {
    const { key } = await service.newKey('test');
    const port = await freePort();
    const [block = '', ...others] = blocksOf('rate-limits.md');
    expect(others).toEqual([]);
    const file = join(folder, 'app.ts');
    writeFileSync(file, block.replace('limit: 100', 'limit: 2'));
    const env = { LIMITER_URL: service.main.url, LIMITER_KEY: key, PORT: String(port) };
    const app = spawn(process.execPath, [file], { cwd: folder, env, stdio: 'inherit' });
    const get = () => fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    try {
      await expect.poll(async () => (await get())?.status).toBe(200);
      expect(await (await get())?.text()).toBe('hello');
      const denied = await get();
      expect([denied?.status, denied?.headers.has('retry-after'), denied?.headers.has('ratelimit')]).toEqual([
        429,
        true,
        true,
      ]);
    } finally {
      app.kill();
    }
  });
});

describe('the guide to checklists', () => {
  let customer: ChecklistsCustomer<ServiceInProcess>;
  beforeAll(async () => {
    customer = await ChecklistsCustomer.of(await ServiceInProcess.start(), ['connect', 'invite']);
  });
  afterAll(() => customer.service.dispose());

  const secret = 'secret of the guide';
  const environment = () => ({
    SVC_URL: customer.service.url,
    SVC_CREDENTIAL: customer.credential,
    INSTALLATION: customer.installationId,
    CHECKLIST: customer.checklistId,
    ONBOARDING_SECRET: secret,
  });

  it('delivers a row of the outbox, and says what to do with the row', async () => {
    const [block = '', , ...others] = blocksOf('checklist.md');
    expect(others).toEqual([]);
    const rows = [
      { id: 'row 1', user_id: 'user-42', event_key: 'connect' },
      { id: 'row 2', user_id: 'user-42', event_key: 'no step' },
    ];
    const lines = `for (const row of ${JSON.stringify(rows)}) console.log(await deliver(row));`;
    const [first, second] = await runBlock(block, lines, environment());
    expect(first).toBe('delete');
    expect(second).toMatch(/^set aside: body\.eventKey: /);
    const later = await runBlock(block, lines, { ...environment(), SVC_CREDENTIAL: 'svc_project_wrong' });
    expect(later).toEqual(['keep for a person', 'keep for a person']);
  });

  it('backfills existing users from a table, and continues where it was', async () => {
    const [block = '', ...others] = blocksOf('backfill.md');
    expect(others).toEqual([]);
    // The statements are those of Postgres, and SQLite has them as well.
    const lines = `
import { DatabaseSync } from 'node:sqlite';
const table = new DatabaseSync('backfill.db');
table.exec('create table if not exists backfills (name text primary key, position bigint not null)');
table.exec('create table if not exists completed_steps (id integer primary key, user_id text, event_key text)');
const add = table.prepare('insert into completed_steps (user_id, event_key) values (?, ?)');
for (const user of ['ada', 'grace', 'linus']) add.run(user + process.argv.length, 'connect');
add.run('ada', 'no step');
const query = async (text, values) => {
  const named = Object.fromEntries(values.map((value, index) => ['$' + (index + 1), value]));
  return { rows: table.prepare(text).all(named) };
};
const { accepted, refused, last, stoppedBy } = await backfill({ query });
console.log(JSON.stringify({ accepted, refused, last: last.id, stoppedBy }));`;
    const env = environment();
    const first = await runBlock(block, lines, env);
    expect(first.at(-1)).toBe('{"accepted":3,"refused":1,"last":4,"stoppedBy":null}');
    const second = await runBlock(block, lines, env);
    expect(second.at(-1)).toBe('{"accepted":3,"refused":1,"last":8,"stoppedBy":null}');
    expect(await customer.limits()).toMatchObject({ enrollments: { used: 4 }, events: { used: 7 } });
  });

  it('creates the session of a page', async () => {
    const [, block = ''] = blocksOf('checklist.md');
    const lines = "console.log((await progressSession('user-42')).token);";
    const [token = ''] = await runBlock(block, lines, environment());
    const { body } = await customer.progress(token, { origin: 'https://app.example' });
    expect(body).toMatchObject({ completedSteps: 1, totalSteps: 2 });
  });
});

describe('the guide to CSV imports', () => {
  const fields = [
    { key: 'code', type: 'text', required: true, maxLength: 20 },
    { key: 'amount', type: 'decimal', required: true },
    { key: 'ordered', type: 'date', required: false },
  ];
  let customer: ImportsCustomer;
  beforeAll(async () => {
    customer = await ImportsCustomer.start(fields);
  });
  afterAll(() => customer.service.dispose());

  const environment = async () => ({
    INGEST_URL: customer.service.url,
    CAPABILITY: await customer.newCapability(),
    WORKSPACE: customer.workspaceId,
    SCHEMA: customer.schemaId,
  });

  it('applies each batch once, and acknowledges it', async () => {
    const [block = '', , ...others] = blocksOf('csv-import.md');
    expect(others).toEqual([]);
    const rows = Array.from({ length: 150 }, (_, each) => `A-${each},${each}.50,`);
    const columns = fields.map(({ key }) => ({ source: key, target: key }));
    const file = Buffer.from(['code,amount,ordered', ...rows, ''].join('\n'));
    const env = await environment();
    // The same file a second time has the same batches.
    for (let each = 0; each < 2; each += 1) {
      const importId = await customer.approved(file, columns);
      await runBlock(block, '', env);
      const { body } = await customer.backend(env.CAPABILITY, 'GET', `/${importId}`);
      expect(body).toMatchObject({ status: 'delivered', acknowledgedBatches: 2 });
    }
    const database = new DatabaseSync(join(folder, 'orders.db'));
    const found = database.prepare('select count(*) as orders, max(amount) as highest from orders').get();
    database.close();
    expect(found).toEqual({ orders: 150, highest: '99.50' });
  });

  it('creates the session of a page', async () => {
    const [, block = ''] = blocksOf('csv-import.md');
    const lines = 'console.log((await importSession()).sessionToken);';
    expect((await runBlock(block, lines, await environment()))[0]).toMatch(/^svc_import_/);
  });
});

it('the page of the library corrects a file', async () => {
  const csv = join(folder, 'orders.csv');
  writeFileSync(csv, Buffer.from('code;town\r\nA-1;M\u00fcnchen\r\n', 'latin1'));
  const [, , block = ''] = blocksOf('client.md');
  expect(await runBlock(block, '', {})).toEqual(['[x] Write it as UTF-8', '[x] Write commas between fields']);
  expect(readFileSync(join(folder, 'orders-corrected.csv'), 'utf8')).toBe(
    'code,town\r\nA-1,M\u00fcnchen\r\n',
  );
});
