import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { ORIGIN, refusal } from '../customer.fixture.ts';
import { ImportsCustomer, mapping, serveImports } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'a', target: 'code' }];
const FILE = Buffer.from('a\n1\n');

describe('what belongs to another installation', () => {
  let customer: ImportsCustomer;
  let stranger: ImportsCustomer;
  let importId = '';

  beforeAll(async () => {
    customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
    stranger = await customer.another(FIELDS);
    importId = await customer.approved(FILE, COLUMNS);
  });

  afterAll(async () => {
    await customer.service.dispose();
  });

  it('is not there for an agent', async () => {
    const refused = [
      await stranger.agent('GET', `/imports/${importId}`),
      await stranger.agent('GET', `/imports/${importId}/binding`),
      await stranger.agent('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS)),
      await stranger.validate(importId),
      await stranger.agent('POST', `/imports/${importId}/cancel`, {}),
      await stranger.agent('POST', `/schemas/${customer.schemaId}`, stranger.configuration(2, FIELDS)),
      await stranger.agent('POST', `/schemas/${customer.schemaId}/imports`, stranger.reservation(FILE)),
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => [404, 'not_found']));
  });

  it("is not there under another installation's address", async () => {
    const { installationId } = stranger;
    stranger.installationId = customer.installationId;
    expect(refusal(await stranger.agent('GET', '/schemas'))).toEqual([404, 'not_found']);
    expect(refusal(await stranger.agent('GET', `/imports/${importId}`))).toEqual([404, 'not_found']);
    stranger.installationId = installationId;
  });

  it('is not there in another workspace of the same owner', async () => {
    for (const path of ['', '/rows', '/errors']) {
      expect(refusal(await stranger.owner('GET', `/imports/${importId}${path}`))).toEqual([404, 'not_found']);
    }
    const approval = { validationDigest: sha256Hex('any') };
    expect(refusal(await stranger.owner('POST', `/imports/${importId}/approve`, approval))).toEqual([
      404,
      'not_found',
    ]);
    expect((await stranger.owner('GET', '/imports')).body.imports).toEqual([]);
  });

  it('is not there for the capability of another schema or workspace', async () => {
    const capability = await stranger.newCapability();
    const { schemaId } = customer;
    customer.schemaId = await customer.newSchema(FIELDS);
    const sibling = await customer.newCapability();
    expect(refusal(await customer.backend(sibling, 'GET', `/${importId}`))).toEqual([404, 'not_found']);
    expect(refusal(await customer.batch(sibling, importId, 0))).toEqual([404, 'not_found']);
    expect(refusal(await customer.acknowledge(sibling, importId, sha256Hex('b'), []))).toEqual([
      404,
      'not_found',
    ]);
    customer.schemaId = schemaId;
    for (const secret of [capability, sibling]) {
      expect(refusal(await customer.backend(secret, 'GET', ''))).toEqual([404, 'not_found']);
      expect(refusal(await customer.batch(secret, importId, 0))).toEqual([404, 'not_found']);
    }
    expect(refusal(await stranger.backend(capability, 'GET', `/${importId}`))).toEqual([404, 'not_found']);
  });
});

describe('the order of checks', () => {
  let customer: ImportsCustomer;

  serveImports(FIELDS, { http: ROOMY_LIMITS.http, workspace: ROOMY_LIMITS.workspace }, (started) => {
    customer = started;
  });

  it('asks for the route, then for the credential, then for everything else', async () => {
    const path = `/v1/installations/${customer.installationId}/svcimport/schemas`;
    const send = (method: string, target: string) => customer.send(method, target, { json: { wrong: true } });
    expect(refusal(await send('POST', `${path}/x/y/z`))).toEqual([404, 'not_found']);
    expect(refusal(await send('DELETE', path))).toEqual([405, 'method_not_allowed']);
    expect(refusal(await send('POST', path))).toEqual([401, 'unauthorized']);
  });

  it('asks whose it is before it looks at the body, and at the body before the state', async () => {
    const { importId } = await customer.reserve(FILE);
    const { installationId } = customer;
    customer.installationId = `ins_${'a'.repeat(24)}`;
    const elsewhere = await customer.agent('POST', `/imports/${importId}/validate`, { wrong: true });
    customer.installationId = installationId;
    expect(refusal(elsewhere)).toEqual([404, 'not_found']);
    const wrong = await customer.agent('POST', `/imports/${importId}/validate`, { wrong: true });
    expect(refusal(wrong)).toEqual([400, 'bad_request']);
    expect(refusal(await customer.validate(importId))).toEqual([409, 'state_conflict']);
  });

  it('answers a replay before a state and a quota', async () => {
    const path = `/schemas/${customer.schemaId}/imports`;
    const wanted = customer.reservation(FILE);
    const first = await customer.agent('POST', path, wanted);
    await customer.reserve(FILE);
    await customer.reserve(FILE);
    expect(refusal(await customer.agent('POST', path, customer.reservation(FILE)))).toEqual([
      429,
      'limit_reached',
    ]);
    expect((await customer.agent('POST', path, wanted)).body).toEqual(first.body);
    const other = { ...wanted, byteLength: 1 };
    expect(refusal(await customer.agent('POST', path, other))).toEqual([409, 'idempotency_conflict']);
  });

  it('takes changes of an owner from the console alone', async () => {
    const { importId } = (await customer.owner('GET', '/imports')).body.imports[0];
    const target = new URL(
      `/v1/console/workspaces/${customer.workspaceId}/imports/${importId}/cancel`,
      customer.service.url,
    );
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: customer.cookie, Origin: ORIGIN },
      body: '{}',
    });
    expect(
      refusal({ status: response.status, headers: response.headers, body: await response.json() }),
    ).toEqual([403, 'origin_not_allowed']);
  });
});

describe('a pause', () => {
  it('stops files, validations and pulls until the resume, and nothing of the owner', async () => {
    const customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
    const importId = await customer.approved(FILE, COLUMNS);
    const unvalidated = await customer.uploaded(FILE, COLUMNS);
    const reserved = await customer.reserve(FILE);
    const capability = await customer.newCapability();
    const change = (verb: string, parts: object = {}) => customer.owner('POST', `/${verb}`, parts);
    expect((await change('claim')).body).toMatchObject({ state: 'active', plan: 'free' });
    const { body: batch } = await customer.batch(capability, importId, 0);
    expect((await change('pause')).body.state).toBe('paused');

    const refused = [
      await customer.agent('POST', `/schemas/${customer.schemaId}/imports`, customer.reservation(FILE)),
      await customer.upload(reserved, [FILE]),
      await customer.validate(unvalidated),
      await customer.batch(capability, importId, 0),
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => [403, 'workspace_paused']));
    const { rowIds } = batch.manifest;
    const allowed = [
      await customer.agent('GET', `/imports/${importId}`),
      await customer.agent('POST', `/imports/${unvalidated}/mapping`, mapping(1, COLUMNS)),
      await customer.backend(capability, 'GET', ''),
      await customer.acknowledge(capability, importId, batch.batchId, rowIds),
      await customer.owner('GET', `/imports/${importId}/rows`),
    ];
    expect(allowed.map(({ status }) => status)).toEqual(allowed.map(() => 200));
    const validate = { version: 'svcimport.validate.v1', idempotencyKey: customer.newKey() };
    expect((await customer.owner('POST', `/imports/${unvalidated}/validate`, validate)).status).toBe(202);
    expect((await customer.settled(unvalidated)).status).toBe('ready');

    expect((await change('resume')).body.state).toBe('active');
    expect(await customer.upload(reserved, [FILE])).toMatchObject({ status: 200 });
    expect((await change('disconnect', { confirm: 'Orders' })).body.state).toBe('disconnected');
    const over = [
      await customer.agent('GET', `/imports/${importId}`),
      await customer.acknowledge(capability, importId, batch.batchId, rowIds),
      await customer.batch(capability, importId, 0),
    ];
    expect(over.map(refusal)).toEqual(over.map(() => [403, 'workspace_disconnected']));
    expect((await customer.owner('GET', `/imports/${importId}`)).body.status).toBe('delivered');
    await customer.service.dispose();
  });
});

/** Real time, because the clocks of servers cannot be moved. A busy machine needs seconds for what has to happen before the end. */
const LIFE_MS = 15_000;

describe("a preview's end", () => {
  it('leaves the owner only the status of imports, and all other callers nothing', async () => {
    const previewMs = LIFE_MS;
    const customer = await ImportsCustomer.start(FIELDS, {
      limits: { ...ROOMY_LIMITS, workspace: { ...ROOMY_LIMITS.workspace, previewMs } },
    });
    const importId = await customer.approved(FILE, COLUMNS);
    const reserved = await customer.reserve(FILE);
    const { body: made } = await customer.createCapability({ expiresInDays: 30 });
    const { body: before } = await customer.agent('GET', `/imports/${importId}`);
    expect(Date.parse(before.expiresAt)).toBe(Date.parse(made.expiresAt));
    const batch = (await customer.batch(made.capability, importId, 0)).body;
    await expect.poll(() => Date.now() > Date.parse(made.expiresAt), { timeout: 2 * LIFE_MS }).toBe(true);

    const { rowIds } = batch.manifest;
    const refused = [
      await customer.agent('GET', `/imports/${importId}`),
      await customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS)),
      await customer.validate(importId),
      await customer.agent('POST', `/schemas/${customer.schemaId}/imports`, customer.reservation(FILE)),
      await customer.upload(reserved, [FILE]),
      await customer.backend(made.capability, 'GET', ''),
      await customer.batch(made.capability, importId, 0),
      await customer.acknowledge(made.capability, importId, batch.batchId, rowIds),
      await customer.approve(importId),
      await customer.createCapability(),
      await customer.owner('GET', `/imports/${importId}/rows`),
      await customer.owner('GET', `/imports/${importId}/errors`),
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => [410, 'expired']));
    const { body } = await customer.owner('GET', `/imports/${importId}`);
    expect(body).toMatchObject({ status: 'expired', headers: null, mapping: null, batchCount: 1 });
    expect((await customer.owner('GET', '/imports?status=expired')).body.imports).toHaveLength(2);
    await customer.service.dispose();
  });
});

describe("an import's own end", () => {
  it('leaves its status to read and nothing else', async () => {
    const customer = await ImportsCustomer.start(FIELDS, {
      limits: { ...ROOMY_LIMITS, imports: { retentionMs: LIFE_MS } },
    });
    const importId = await customer.approved(FILE, COLUMNS);
    const capability = await customer.newCapability();
    const { body: batch } = await customer.batch(capability, importId, 0);
    const { body: before } = await customer.agent('GET', `/imports/${importId}`);
    expect(Date.parse(before.expiresAt) - Date.parse(before.uploadedAt)).toBe(LIFE_MS);
    await expect.poll(() => Date.now() > Date.parse(before.expiresAt), { timeout: 2 * LIFE_MS }).toBe(true);

    expect((await customer.agent('GET', `/imports/${importId}`)).body.status).toBe('expired');
    expect((await customer.backend(capability, 'GET', `/${importId}`)).body.status).toBe('expired');
    const refused = [
      await customer.agent('POST', `/imports/${importId}/mapping`, mapping(2, COLUMNS)),
      await customer.validate(importId),
      await customer.agent('POST', `/imports/${importId}/cancel`, {}),
      await customer.approve(importId),
      await customer.batch(capability, importId, 0),
      await customer.owner('GET', `/imports/${importId}/rows`),
    ];
    expect(refused.map(refusal)).toEqual(refused.map(() => [410, 'expired']));
    const { rowIds } = batch.manifest;
    const answer = await customer.acknowledge(capability, importId, batch.batchId, rowIds);
    expect(answer).toMatchObject({ status: 200, body: { remainingBatches: 0 } });
    expect((await customer.agent('GET', `/imports/${importId}`)).body.status).toBe('expired');
    await customer.service.dispose();
  });
});
