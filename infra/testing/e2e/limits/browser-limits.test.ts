import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Received, refusal } from '../customer.fixture.ts';
import { Browser, mint } from '../imports/browser.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'code', target: 'code' }];
const FILE = Buffer.from('code\n1\n');
const AT_ONCE = 100;
const MIB = 1_048_576;

let owner: ImportsCustomer;

beforeAll(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  owner = await ImportsCustomer.start(FIELDS, { limits: { http, workspace } });
});

afterAll(async () => {
  await owner.service.dispose();
});

/** A workspace that was claimed with one import and one schema used in its preview, whose backend may delegate. */
async function claimed() {
  const customer = await owner.another(FIELDS);
  await customer.claim(FILE, COLUMNS);
  const capability: string = (await customer.createCapability({ delegateApproval: true })).body.capability;
  return { customer, capability };
}

function atOnce(send: (turn: number) => Promise<Received>): Promise<Received[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => send(turn)));
}

const made = (answers: readonly Received[]) => answers.filter(({ status }) => status === 201);

function expectOthersRefused(answers: readonly Received[]): void {
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(refusal(answer)).toEqual([429, 'limit_reached']);
  }
}

describe('the limits of Free, with a hundred requests at the same time', () => {
  it('are exactly five schemas, those of the preview among them', async () => {
    const { customer } = await claimed();
    const answers = await atOnce(() => customer.agent('POST', '/schemas', customer.configuration(1, FIELDS)));
    expect(made(answers)).toHaveLength(4);
    expectOthersRefused(answers);
    expect((await customer.product()).body.limits.schemas).toMatchObject({ limit: 5, used: 5, remaining: 0 });
  });

  it('are exactly ten imports a month, from agents and browsers together', async () => {
    const { customer, capability } = await claimed();
    const browsers = await Promise.all(Array.from({ length: 5 }, () => Browser.open(customer, capability)));
    const answers = await atOnce((turn) => {
      const browser = browsers[turn % 10];
      return browser === undefined
        ? customer.agent('POST', `/schemas/${customer.schemaId}/imports`, customer.reservation(FILE))
        : browser.send('POST', '/imports', { json: browser.reservation(FILE) });
    });
    expect(made(answers)).toHaveLength(9);
    expect(new Set(made(answers).map(({ body }) => body.importId)).size).toBe(9);
    expectOthersRefused(answers);
    const { imports } = (await customer.product()).body.limits;
    expect(imports).toMatchObject({ limit: 10, used: 10, remaining: 0 });
    expect(imports.resetsAt).toMatch(/-01T00:00:00\.000Z$/);
    const [refused] = answers.filter(({ status }) => status === 429);
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(Math.abs(Date.parse(imports.resetsAt) - Date.now() - seconds * 1_000)).toBeLessThan(60_000);
    const listed = await Promise.all(browsers.map((browser) => browser.send('GET', '')));
    const seen = listed.flatMap(({ body }) => body.imports.map(({ importId }: never) => importId));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('are not made wider by cancelling or erasing', async () => {
    const { customer } = await claimed();
    const path = `/schemas/${customer.schemaId}/imports`;
    for (let count = 0; count < 9; count += 1) {
      const { importId } = await customer.reserve(FILE);
      const end = count % 2 === 0 ? 'cancel' : 'erase';
      const json = end === 'cancel' ? {} : { confirm: importId };
      expect((await customer.owner('POST', `/imports/${importId}/${end}`, json)).status).toBe(200);
    }
    const answers = await atOnce(() => customer.agent('POST', path, customer.reservation(FILE)));
    expect(made(answers)).toEqual([]);
    expectOthersRefused(answers);
  });

  it('are exactly twenty sessions, over every capability of a schema', async () => {
    const { customer, capability } = await claimed();
    const capabilities = [capability, await customer.newCapability(), await customer.newCapability()];
    const answers = await atOnce((turn) => mint(customer, capabilities[turn % 3] ?? capability));
    expect(made(answers)).toHaveLength(20);
    expectOthersRefused(answers);
  });
});

describe('a file on Free', () => {
  it('has at most five MiB, to the byte', async () => {
    const { customer, capability } = await claimed();
    const browser = await Browser.open(customer, capability);
    expect((await browser.send('GET', '')).body).toMatchObject({ maxBytes: 5 * MIB, maxRows: 10_000 });
    const json = { ...browser.reservation(FILE), byteLength: 5 * MIB + 1 };
    expect(refusal(await browser.send('POST', '/imports', { json }))).toEqual([413, 'payload_too_large']);
    const line = `${'x'.repeat(1_023)}\n`;
    const whole = Buffer.from(`code\n${line.repeat(5 * 1_024)}`).subarray(0, 5 * MIB);
    const importId = await browser.uploaded(whole, COLUMNS);
    expect(await browser.validated(importId)).toMatchObject({
      status: 'ready',
      byteLength: 5 * MIB,
      rows: { valid: 5_120 },
    });
  });

  it('has at most ten thousand rows, to the row', async () => {
    const { customer, capability } = await claimed();
    const browser = await Browser.open(customer, capability);
    const rows = (count: number) => Buffer.from(`code\n${'1\n'.repeat(count)}`);
    const most = await browser.uploaded(rows(10_000), COLUMNS);
    expect(await browser.validated(most)).toMatchObject({
      status: 'ready',
      rows: { valid: 10_000 },
      batchCount: 100,
    });
    const many = await browser.uploaded(rows(10_001), COLUMNS);
    expect(await browser.validated(many)).toMatchObject({
      status: 'failed',
      failure: { code: 'too_many_rows' },
    });
  });
});
