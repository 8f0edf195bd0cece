import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import {
  batchAnswerSchema,
  mintedSessionSchema,
  sessionSchema,
} from '../../../../schemas/imports/delivery-http.ts';
import {
  importStatusSchema,
  reservationSchema,
  sessionImportSchema,
} from '../../../../schemas/imports/http.ts';
import { errorListSchema, rowListSchema, sourceSampleSchema } from '../../../../schemas/imports/row-http.ts';
import { ORIGIN, type Received, refusal } from '../customer.fixture.ts';
import { Browser, mint } from './browser.fixture.ts';
import { ImportsCustomer, mapping } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true, maxLength: 40 },
  { key: 'amount', type: 'decimal', required: false, precision: 6, scale: 2 },
];
const COLUMNS = [
  { source: 'Code', target: 'code' },
  { source: 'Amount', target: 'amount' },
];
const ELSEWHERE = 'https://elsewhere.example';

const csv = (rows: readonly string[]) => Buffer.from(['Code,Amount', ...rows, ''].join('\n'));
const ROWS = Array.from({ length: 130 }, (_, index) => `A${index},${index}.50`);

let customer: ImportsCustomer;
let delegating = '';
let reviewing = '';

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
  delegating = (await customer.createCapability({ delegateApproval: true })).body.capability;
  reviewing = await customer.newCapability();
});

afterAll(async () => {
  await customer.service.dispose();
});

const allowedOrigin = ({ headers }: Received) => headers.get('access-control-allow-origin');

describe('minting a session', () => {
  it('gives the backend what its browser needs, once, and keeps the digest of the token only', async () => {
    const answer = await mint(customer, delegating);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const session = mintedSessionSchema.parse(answer.body);
    expect(session).toMatchObject({
      version: 'svcimport.session.v1',
      workspaceId: customer.workspaceId,
      schemaId: customer.schemaId,
      schemaRevision: 1,
      origin: ORIGIN,
      ingestOrigin: customer.service.url,
      maxBytes: 1_048_576,
      maxRows: 1_000,
      approvalDelegated: true,
    });
    expect(session.sessionToken).toMatch(/^svc_import_[0-9A-Za-z]{40}$/);
    const lifetime = Date.parse(session.expiresAt) - Date.now();
    expect(lifetime).toBeLessThanOrEqual(30 * 60_000);
    expect(lifetime).toBeGreaterThan(29 * 60_000);
    expect(await customer.placesHolding(session.sessionToken)).toEqual([]);
    expect(await customer.placesHolding(sha256Hex(session.sessionToken))).toContain('lookups');
    expect(customer.service.output).not.toContain(session.sessionToken);
    const keyed = () => mint(customer, delegating, customer.schemaId, 'a page view');
    const once = await keyed();
    expect([once.status, (await keyed()).body]).toEqual([201, once.body]);
    const otherCapability = await customer.newCapability();
    const stranger = await mint(customer, otherCapability, customer.schemaId, 'a page view');
    expect(refusal(stranger)).toEqual([409, 'idempotency_conflict']);
    const another = await mint(customer, delegating);
    expect(another.body.sessionToken).not.toBe(session.sessionToken);
  });

  it('takes a capability of just this workspace and schema', async () => {
    const other = await customer.newSchema(FIELDS);
    expect(refusal(await mint(customer, delegating, other))).toEqual([404, 'not_found']);
    expect(refusal(await mint(customer, `${delegating}x`))).toEqual([401, 'unauthorized']);
    const neighbour = await customer.another(FIELDS);
    expect(refusal(await mint(neighbour, delegating))).toEqual([404, 'not_found']);
    const unknownField = { version: 'svcimport.mint-session.v1', origin: ELSEWHERE };
    const path = `/v1/import/sessions/${customer.workspaceId}/${customer.schemaId}`;
    const refused = await customer.send('POST', path, { bearer: delegating, json: unknownField });
    expect(refusal(refused)).toEqual([400, 'bad_request']);
  });

  it('allows exactly twenty active sessions a schema, for a hundred requests at the same time', async () => {
    const neighbour = await customer.another(FIELDS);
    const capability = await neighbour.newCapability();
    const answers = await Promise.all(Array.from({ length: 100 }, () => mint(neighbour, capability)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers).toHaveLength(100);
    expect(refused).toHaveLength(80);
    for (const answer of refused) {
      expect(refusal(answer)).toEqual([429, 'limit_reached']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(29 * 60);
    }
  });
});

describe('a file from a page', () => {
  it('goes all the way to the batches, with every answer for that page only', async () => {
    const browser = await Browser.open(customer, delegating);
    const file = csv(ROWS);
    const answers: Received[] = [];
    const keep = async (answer: Promise<Received>): Promise<Received['body']> => {
      answers.push(await answer);
      return answers.at(-1)?.body;
    };
    const json = browser.reservation(file);
    const reserved = reservationSchema.parse(await keep(browser.send('POST', '/imports', { json })));
    expect(await keep(browser.send('POST', '/imports', { json }))).toEqual(reserved);
    const { importId } = reserved;
    expect(await keep(browser.upload(reserved, file))).toMatchObject({ importId, status: 'uploaded' });
    const path = `/imports/${importId}`;
    const sample = sourceSampleSchema.parse(await keep(browser.send('GET', `${path}/source`)));
    expect(sample.headers).toEqual(['Code', 'Amount']);
    expect(sample.sample).toEqual(ROWS.slice(0, 20).map((row) => row.split(',')));
    importStatusSchema.parse(
      await keep(browser.send('POST', `${path}/mapping`, { json: mapping(1, COLUMNS) })),
    );
    const status = sessionImportSchema.parse(await browser.validated(importId));
    expect(status).toMatchObject({ status: 'ready', rows: { total: 130, valid: 130 }, batchCount: 2 });
    const { validationDigest } = status;
    const approved = await keep(browser.send('POST', `${path}/approve`, { json: { validationDigest } }));
    const by = approved.createdBy;
    expect(approved).toMatchObject({ status: 'approved', approvedBy: by });
    expect(by).toMatchObject({ kind: 'session', id: expect.stringMatching(/^cap_/) });
    const session = sessionSchema.parse(await keep(browser.send('GET', '')));
    expect(session).toMatchObject({ fields: FIELDS, origin: ORIGIN, imports: [{ importId }] });
    const pulled = await customer.backend(delegating, 'GET', `/${importId}/batches?index=1`);
    expect(batchAnswerSchema.parse(pulled.body).rows).toHaveLength(30);
    for (const answer of answers) {
      expect(allowedOrigin(answer)).toBe(ORIGIN);
      expect(answer.headers.get('vary')).toBe('Origin');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('shows what is wrong with it, and is corrected by the next mapping', async () => {
    const browser = await Browser.open(customer, reviewing);
    const importId = await browser.uploaded(csv(['A1,1', 'A2,=1+1', ',3']), COLUMNS);
    expect(await browser.validated(importId)).toMatchObject({ status: 'needs_correction' });
    const path = `/imports/${importId}`;
    const errors = errorListSchema.parse((await browser.send('GET', `${path}/errors`)).body);
    expect(errors.errors).toMatchObject([
      { row: 2, column: 'amount', source: 'Amount', value: '=1+1', code: 'not_decimal' },
      { row: 3, column: 'code', source: 'Code', value: '', code: 'required' },
    ]);
    const rows = rowListSchema.parse((await browser.send('GET', `${path}/rows?filter=valid`)).body);
    expect(rows.rows).toMatchObject([{ row: 1, source: ['A1', '1'], values: { code: 'A1', amount: '1' } }]);
    const remapped = [{ source: 'Amount', target: 'code' }];
    const { status } = await browser.send('POST', `${path}/mapping`, { json: mapping(2, remapped) });
    expect(status).toBe(200);
    expect(await browser.validated(importId)).toMatchObject({ status: 'ready' });
    expect(refusal(await browser.approve(importId))).toEqual([403, 'forbidden']);
    expect((await customer.approve(importId)).body).toMatchObject({ approvedBy: { kind: 'user' } });
    expect(refusal(await browser.send('POST', `${path}/cancel`, { json: {} }))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  it('shows the header and at most twenty rows, and nothing of a file that failed', async () => {
    const browser = await Browser.open(customer, reviewing);
    const source = async (file: Uint8Array) => {
      const reserved = await browser.reserve(file);
      await browser.upload(reserved, file);
      return await browser.send('GET', `/imports/${reserved.importId}/source`);
    };
    const sample = async (file: Uint8Array) => (await source(file)).body;
    expect(refusal(await source(Buffer.from('a,a\n1,2\n')))).toEqual([409, 'state_conflict']);
    const behind = Buffer.from(`\ufeff${'\r\n'.repeat(70_000)}a,b\n\n1,2`);
    expect(await sample(behind)).toEqual({ headers: ['a', 'b'], sample: [['1', '2']] });
    expect(await sample(Buffer.from('a,b\n'))).toEqual({ headers: ['a', 'b'], sample: [] });
    expect(await sample(Buffer.from('a,b\n\n1\n"x\ny",2\nlast,"open'))).toEqual({
      headers: ['a', 'b'],
      sample: [['1'], ['x\ny', '2']],
    });
    const wide = Buffer.from(`a\n${'x'.repeat(70_000)}\n1`);
    expect(await sample(wide)).toEqual({ headers: ['a'], sample: [null, ['1']] });
    const reserved = await browser.reserve(wide);
    expect(refusal(await browser.send('GET', `/imports/${reserved.importId}/source`))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  it('is charged to the plan before any byte of it', async () => {
    const browser = await Browser.open(customer, reviewing);
    const json = { ...browser.reservation(csv(ROWS)), byteLength: 1_048_577 };
    expect(refusal(await browser.send('POST', '/imports', { json }))).toEqual([413, 'payload_too_large']);
    const before = (await customer.product()).body.limits.imports.used;
    const { importId } = await browser.reserve(csv(ROWS));
    await browser.send('POST', `/imports/${importId}/cancel`, { json: {} });
    expect((await customer.product()).body.limits.imports.used).toBe(before + 1);
    expect(refusal(await browser.send('GET', `/imports/${importId}/rows`))).toEqual([410, 'cancelled']);
    expect((await browser.send('GET', `/imports/${importId}`)).body.status).toBe('cancelled');
  });
});

describe('another page', () => {
  it.each([
    ['of another origin', ELSEWHERE],
    ['that is none', null],
  ])('%s gets nothing, whatever it asks', async (_name, origin) => {
    const browser = await Browser.open(customer, delegating);
    const file = csv(ROWS);
    const reserved = await browser.reserve(file);
    const answers = await Promise.all([
      browser.send('GET', '', { origin }),
      browser.send('POST', '/imports', { json: browser.reservation(file), origin }),
      browser.send('GET', `/imports/${reserved.importId}/rows`, { origin }),
      browser.upload(reserved, file, origin),
    ]);
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([403, 'origin_not_allowed']);
      expect(allowedOrigin(answer)).toBeNull();
      expect(answer.headers.get('vary')).toBe('Origin');
    }
    expect((await browser.upload(reserved, file)).status).toBe(200);
  });

  it('asks with a preflight, which is answered without a token', async () => {
    const url = `${customer.service.url}/v1/import/browser/imports`;
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' };
    const answer = await fetch(url, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '3600',
    });
  });
});

describe("a session's own imports", () => {
  it('are all that it can see or touch', async () => {
    const [one, other] = [await Browser.open(customer, delegating), await Browser.open(customer, delegating)];
    const file = csv(ROWS);
    const strangers = [
      await one.uploaded(file, COLUMNS),
      await customer.uploaded(file, [COLUMNS[0] ?? {}]),
      '0190b0a0-0000-4000-8000-000000000001',
    ];
    for (const importId of strangers) {
      const path = `/imports/${importId}`;
      const answers = await Promise.all([
        other.send('GET', path),
        other.send('GET', `${path}/source`),
        other.send('GET', `${path}/rows`),
        other.send('GET', `${path}/errors`),
        other.send('POST', `${path}/mapping`, { json: mapping(2, COLUMNS) }),
        other.validate(importId),
        other.send('POST', `${path}/approve`, { json: { validationDigest: sha256Hex('any') } }),
        other.send('POST', `${path}/cancel`, { json: {} }),
      ]);
      for (const answer of answers) expect(refusal(answer)).toEqual([404, 'not_found']);
    }
    expect((await other.send('GET', '')).body.imports).toEqual([]);
    expect((await one.send('GET', '')).body.imports).toHaveLength(1);
  });

  it('have nothing to do with the keys of another session', async () => {
    const [one, other] = [await Browser.open(customer, delegating), await Browser.open(customer, delegating)];
    const json = one.reservation(csv(ROWS), 'the first upload');
    const first = await one.send('POST', '/imports', { json });
    const second = await other.send('POST', '/imports', { json });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.importId).not.toBe(first.body.importId);
    const changed = { ...json, byteLength: 1 };
    expect(refusal(await other.send('POST', '/imports', { json: changed }))).toEqual([
      409,
      'idempotency_conflict',
    ]);
  });
});

describe('a session ends', () => {
  /** Opens a session in a new workspace, and reserves an upload in it. */
  async function begin() {
    const neighbour = await customer.another(FIELDS);
    const { capability, capabilityId } = (await neighbour.createCapability()).body;
    const browser = await Browser.open(neighbour, capability);
    const file = csv(ROWS);
    const reserved = await browser.reserve(file);
    return { neighbour, capability, capabilityId, browser, file, reserved };
  }

  async function expectEnded({ browser, file, reserved }: Awaited<ReturnType<typeof begin>>) {
    const answers = [await browser.send('GET', ''), await browser.upload(reserved, file)];
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([401, 'unauthorized']);
      expect(allowedOrigin(answer)).toBe(ORIGIN);
    }
  }

  it('with the revocation of its capability, and leaves its import to the owner', async () => {
    const begun = await begin();
    const { neighbour, capability, capabilityId, reserved } = begun;
    const path = `/schemas/${neighbour.schemaId}/capabilities/${capabilityId}`;
    expect((await neighbour.owner('DELETE', path)).status).toBe(204);
    await expectEnded(begun);
    expect(refusal(await mint(neighbour, capability))).toEqual([401, 'unauthorized']);
    expect((await neighbour.owner('GET', `/imports/${reserved.importId}`)).status).toBe(200);
  });

  it('with a new revision, while the capability stays valid', async () => {
    const begun = await begin();
    const { neighbour, capability } = begun;
    await neighbour.agent('POST', `/schemas/${neighbour.schemaId}`, neighbour.configuration(2, FIELDS));
    await expectEnded(begun);
    expect((await mint(neighbour, capability)).body).toMatchObject({ schemaRevision: 2 });
  });

  it('for as long as the workspace is paused, and for good when it is disconnected', async () => {
    const begun = await begin();
    const { neighbour, capability, browser, file, reserved } = begun;
    await neighbour.claim(file, COLUMNS);
    await neighbour.owner('POST', '/pause', {});
    const paused = [
      await mint(neighbour, capability),
      await browser.send('GET', ''),
      await browser.upload(reserved, file),
    ];
    for (const answer of paused) expect(refusal(answer)).toEqual([403, 'workspace_paused']);
    expect(paused.map(allowedOrigin)).toEqual([null, ORIGIN, ORIGIN]);
    await neighbour.owner('POST', '/resume', {});
    expect((await browser.upload(reserved, file)).status).toBe(200);
    await neighbour.owner('POST', '/disconnect', { confirm: 'Orders' });
    expect(refusal(await browser.send('GET', ''))).toEqual([403, 'workspace_disconnected']);
    expect(refusal(await mint(neighbour, capability))).toEqual([403, 'workspace_disconnected']);
  });
});
