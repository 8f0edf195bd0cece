import { describe, expect, it } from 'vitest';
import {
  claimDetailsSchema,
  overviewListSchema,
  overviewSchema,
  searchAnswerSchema,
} from '../../../../schemas/workspaces/overview.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { ORIGIN, refusal } from '../customer.fixture.ts';
import { type ImportsCustomer, serveImports } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { joinAs } from './workspaces-people.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'a', target: 'code' }];
const FILE = Buffer.from('a\n1\n2\n');
const FAULTY_FILE = Buffer.from('a,b\n,1\n2,2\n');

let customer: ImportsCustomer;

serveImports(FIELDS, { http: ROOMY_LIMITS.http, workspace: ROOMY_LIMITS.workspace }, (started) => {
  customer = started;
});

async function overview(one: Pick<ImportsCustomer, 'owner'>) {
  const { status, body } = await one.owner('GET', '/overview');
  expect(status).toBe(200);
  return overviewSchema.parse(body);
}

async function listed(workspaceId: string) {
  const { cookie } = customer;
  const { body } = await customer.send('GET', '/v1/console/workspace-overviews?limit=100', { cookie });
  return overviewListSchema.parse(body).workspaces.find((each) => each.workspaceId === workspaceId);
}

async function search(text: string) {
  const { cookie } = customer;
  const target = `/v1/console/search?text=${encodeURIComponent(text)}`;
  const { status, body } = await customer.send('GET', target, { cookie });
  expect(status).toBe(200);
  return searchAnswerSchema.parse(body).matches;
}

describe('GET /v1/console/workspaces/{workspaceId}/overview', () => {
  it('says that nothing waits and nothing happened in a new workspace', async () => {
    const one = await customer.another(FIELDS);
    const { activity, ...rest } = await overview(one);
    expect(rest).toMatchObject({ next: null, lastActivityAt: null, claimedBy: null });
    expect(activity.products).toContainEqual({ product: 'svcimport', hours: Array(24).fill(0) });
    expect(new Set(activity.products.flatMap(({ hours }) => hours))).toEqual(new Set([0]));
  });

  it('names what to correct, then what to approve, then the missing capability, the claim, the resume', async () => {
    const one = await customer.another(FIELDS);
    const faulty = await one.uploaded(FAULTY_FILE, COLUMNS);
    await one.validated(faulty);
    expect((await overview(one)).next).toMatchObject({ kind: 'correct_import', importId: faulty, count: 1 });
    const ready = await one.uploaded(FILE, COLUMNS);
    await one.validated(ready);
    const approve = { kind: 'approve_import', importId: ready, count: 2, schemaName: 'Orders' };
    expect((await overview(one)).next).toMatchObject({ ...approve, since: expect.any(String) });
    expect((await listed(one.workspaceId))?.next).toMatchObject(approve);

    expect((await one.approve(ready)).status).toBe(200);
    const capability = { ...approve, kind: 'create_capability', schemaId: one.schemaId };
    expect((await overview(one)).next).toMatchObject({ ...capability, since: expect.any(String) });
    await one.newCapability();
    expect((await overview(one)).next?.kind).toBe('correct_import');
    expect((await one.owner('POST', `/imports/${faulty}/cancel`, {})).status).toBe(200);
    expect((await overview(one)).next).toMatchObject({ kind: 'claim', count: 1 });
    expect((await one.owner('POST', '/claim', {})).status).toBe(200);
    expect((await overview(one)).next).toBeNull();
    expect((await one.owner('POST', '/pause', {})).status).toBe(200);
    expect((await overview(one)).next).toMatchObject({ kind: 'resume', count: 0 });
  });

  it('counts imports in the current hour, and the use of limits', async () => {
    const one = await customer.another(FIELDS);
    const before = Date.now();
    await one.uploaded(FILE, COLUMNS);
    await one.uploaded(FILE, COLUMNS);
    const { activity, lastActivityAt, limits } = await overview(one);
    const hours = activity.products[0]?.hours ?? [];
    expect(hours.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(hours.slice(-2).reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(Date.parse(lastActivityAt ?? '')).toBeGreaterThanOrEqual(before - 1_000);
    expect(limits.svcimport?.imports).toMatchObject({ used: 2 });
    expect((await listed(one.workspaceId))?.lastActivityAt).toBe(lastActivityAt);
  });

  it('is for members too', async () => {
    const member = await joinAs(customer, 'member');
    expect((await member.send('GET', '/overview')).status).toBe(200);
  });
});

describe('POST /v1/console/claims/details', () => {
  it('returns the resources and the end of the link, uses nothing up, and says when it was used', async () => {
    const { cookie } = customer;
    const creation = { name: 'Unattached', cohort: 'dogfood', products: ['svcimport'] };
    const { body: made } = await customer.send('POST', '/v1/agent/workspaces', { json: creation });
    const bearer = made.credential;
    const schemas = `/v1/installations/${made.installationId}/svcimport/schemas`;
    const configuration = customer.configuration(1, FIELDS);
    expect((await customer.send('POST', schemas, { bearer, json: configuration })).status).toBe(201);
    const proof = { provisionToken: made.provisionToken };
    const link = await customer.send('POST', '/v1/agent/workspace/claim-link', { bearer, json: proof });
    const json = { code: new URL(link.body.claimUrl).hash.slice(1) };
    const details = async () => {
      const { status, body } = await customer.send('POST', '/v1/console/claims/details', { cookie, json });
      expect(status).toBe(200);
      return claimDetailsSchema.parse(body);
    };
    const resource = { kind: 'schema', name: 'Orders', allowedOrigins: [ORIGIN] };
    const open = {
      attached: false,
      linkExpiresAt: link.body.expiresAt,
      attemptsLeft: 5,
      resources: [resource],
      provedOrigins: [],
    };
    expect(await details()).toMatchObject(open);
    const wrong = { ...json, confirm: link.body.confirmCode === 'AAAA' ? 'BBBB' : 'AAAA' };
    await customer.send('POST', '/v1/console/claims/attach', { cookie, json: wrong });
    expect(await details()).toMatchObject({ ...open, attemptsLeft: 4 });
    const right = { ...json, confirm: link.body.confirmCode };
    expect((await customer.send('POST', '/v1/console/claims/attach', { cookie, json: right })).status).toBe(
      200,
    );
    expect(await details()).toMatchObject({ attached: true, linkExpiresAt: null, attemptsLeft: null });
  });
});

describe('GET /v1/console/search', () => {
  it('finds workspaces, schemas and imports by name and by id', async () => {
    const one = await customer.another(FIELDS);
    const importId = await one.uploaded(FILE, COLUMNS);
    expect(await search(one.workspaceId)).toMatchObject([{ kind: 'workspace', id: one.workspaceId }]);
    expect(await search(one.installationId)).toMatchObject([{ kind: 'workspace', id: one.workspaceId }]);
    expect(await search(one.schemaId)).toMatchObject([
      { kind: 'schema', id: one.schemaId, name: 'Orders', revision: 1, importState: null },
    ]);
    expect(await search(importId)).toMatchObject([
      { kind: 'import', id: importId, name: 'Orders', workspaceId: one.workspaceId, importState: 'uploaded' },
    ]);
    await one.validated(importId);
    expect(await search(importId)).toMatchObject([{ importState: 'ready', workspaceState: 'preview' }]);
    const kinds = (await search('oRDer')).map(({ kind }) => kind);
    expect(new Set(kinds)).toContain('workspace');
    expect(await search('no such name')).toEqual([]);
  });

  it('finds API keys by name, and refuses an empty text', async () => {
    const { cookie } = customer;
    const json = { idempotencyKey: 'k1', product: 'limiter', mode: 'test', name: 'Edge gateway' };
    const { body } = await customer.send('POST', '/v1/keys', { cookie, json });
    expect(await search('edge')).toMatchObject([{ kind: 'key', id: body.keyId, workspaceId: null }]);
    expect(refusal(await customer.send('GET', '/v1/console/search?text=', { cookie }))).toEqual([
      400,
      'bad_request',
    ]);
  });
});

describe('the activity of checklists', () => {
  it('counts accepted events, and no repeats', async () => {
    const service = await ServiceInProcess.start();
    try {
      const one = await ChecklistsCustomer.of(service, ['first', 'second']);
      const answers = [await one.event('ada', 'first'), await one.event('ada', 'second')];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const { body } = await one.owner('GET', '/overview');
      const { activity, next } = overviewSchema.parse(body);
      const events = activity.products.find(({ product }) => product === 'svcactivate')?.hours ?? [];
      expect(events.reduce((sum, count) => sum + count, 0)).toBe(2);
      expect(next).toMatchObject({ kind: 'claim', count: 1 });
    } finally {
      await service.dispose();
    }
  });
});
