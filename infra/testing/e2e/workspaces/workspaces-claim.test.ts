import { describe, expect, it } from 'vitest';
import { consoleWorkspaceSchema, workspaceListSchema } from '../../../../schemas/workspaces/http.ts';
import { type Received, refusal } from '../customer.fixture.ts';
import { ImportsCustomer, serveImports } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { joinAs, setRole } from './workspaces-people.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'a', target: 'code' }];
const FILE = Buffer.from('a\n1\n');
const FAULTY_FILE = Buffer.from('a,b\n,1\n');
const CLAIMED_MAX = 10;

let customer: ImportsCustomer;

serveImports(FIELDS, { http: ROOMY_LIMITS.http, workspace: ROOMY_LIMITS.workspace }, (started) => {
  customer = started;
});

const claim = (one: ImportsCustomer) => one.owner('POST', '/claim', {});
const workspaceOf = ({ status, body }: Received) => {
  expect(status).toBe(200);
  return consoleWorkspaceSchema.parse(body);
};

/** A workspace with an import that is ready: it can be claimed. */
async function claimable(): Promise<ImportsCustomer> {
  const one = await customer.another(FIELDS);
  const { status } = await one.validated(await one.uploaded(FILE, COLUMNS));
  expect(status).toBe('ready');
  return one;
}

describe('a claim', () => {
  it('takes a verified result: an upload, or a file with errors, is none', async () => {
    const one = await customer.another(FIELDS);
    expect(refusal(await claim(one))).toEqual([409, 'state_conflict']);
    const { status } = await one.validated(await one.uploaded(FAULTY_FILE, COLUMNS));
    expect(status).toBe('needs_correction');
    expect(refusal(await claim(one))).toEqual([409, 'state_conflict']);
    expect(workspaceOf(await one.owner('GET', '')).state).toBe('preview');
  });

  it('changes plan and limits, and keeps ids, credentials and counts', async () => {
    const one = await claimable();
    const before = workspaceOf(await one.owner('GET', ''));
    expect(before).toMatchObject({
      inventory: expect.objectContaining({ importSchemas: 1, imports: 1, checklists: 0, enrollments: 0 }),
      results: [{ kind: 'import' }],
    });
    const after = workspaceOf(await claim(one));
    expect(after).toMatchObject({ state: 'active', plan: 'free', expiresAt: null });
    expect({ ...after, state: 'preview', plan: 'preview' }).toMatchObject({
      ...before,
      expiresAt: null,
      claimedAt: expect.any(String),
      credentials: [{ credentialId: before.credentials[0]?.credentialId }],
    });
    expect((await one.product()).body).toMatchObject({
      state: 'active',
      plan: 'free',
      limits: {
        schemas: { limit: 5, used: 1, resetsAt: null },
        imports: { limit: 10, used: 1, remaining: 9, resetsAt: expect.any(String) },
      },
    });
  });

  it('again, or from two tabs at once, is answered alike', async () => {
    const one = await claimable();
    const [left, right] = await Promise.all([claim(one), claim(one)]);
    const again = await claim(one);
    for (const answer of [left, right, again]) expect(workspaceOf(answer)).toEqual(workspaceOf(left));
  });

  it('ends the provision token', async () => {
    const one = await claimable();
    expect((await claim(one)).status).toBe(200);
    expect(refusal(await one.openClaimLink())).toEqual([403, 'forbidden']);
    expect(refusal(await one.createAgain())).toEqual([409, 'state_conflict']);
  });
});

describe('who may claim', () => {
  it('is no member', async () => {
    const one = await claimable();
    const member = await joinAs(one, 'member');
    expect((await member.send('GET', '')).status).toBe(200);
    expect(refusal(await member.send('POST', '/claim', {}))).toEqual([403, 'forbidden']);
    expect(workspaceOf(await one.owner('GET', '')).plan).toBe('preview');
  });

  it('is an admin, unless the role was taken away since the page was loaded', async () => {
    const one = await claimable();
    const [admin, former] = [await joinAs(one, 'admin'), await joinAs(one, 'admin')];
    expect((await former.send('GET', '')).status).toBe(200);
    expect((await setRole(one, former, 'member')).status).toBe(200);
    expect(refusal(await former.send('POST', '/claim', {}))).toEqual([403, 'forbidden']);
    expect(workspaceOf(await admin.send('POST', '/claim', {})).plan).toBe('free');
  });

  it('is decided once where role and claim change at the same time', async () => {
    const one = await claimable();
    const admin = await joinAs(one, 'admin');
    const [changed, claimed] = await Promise.all([
      setRole(one, admin, 'member'),
      admin.send('POST', '/claim', {}),
    ]);
    expect(changed.status).toBe(200);
    expect([200, 403]).toContain(claimed.status);
    expect(workspaceOf(await one.owner('GET', '')).plan).toBe(claimed.status === 200 ? 'free' : 'preview');
  });

  it('is no member of another organization, for which the workspace does not exist', async () => {
    const one = await claimable();
    const json = { organization: 'Other', email: 'eve@example.com', password: 'correct horse battery' };
    const { headers } = await one.send('POST', '/v1/console/sign-up', { json });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    for (const path of ['/claim', '/pause', '/resume']) {
      const target = `/v1/console/workspaces/${one.workspaceId}${path}`;
      expect(refusal(await one.send('POST', target, { cookie, json: {} }))).toEqual([404, 'not_found']);
    }
  });
});

describe('the limit of claimed workspaces', () => {
  it('holds exactly under parallel claims, and an erasure frees a place', async () => {
    const service = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
    const all = [service];
    while (all.length < CLAIMED_MAX + 3) all.push(await service.another(FIELDS));
    for (const one of all) await one.validated(await one.uploaded(FILE, COLUMNS));
    const answers = await Promise.all(all.map(claim));
    const refused = all.filter((_, index) => answers[index]?.status !== 200);
    expect(refused).toHaveLength(3);
    for (const one of refused) expect(refusal(await claim(one))).toEqual([429, 'limit_reached']);
    const claimed = all.find((_, index) => answers[index]?.status === 200);
    expect((await claimed?.owner('POST', '/erase', { confirm: 'Orders' }))?.status).toBe(200);
    const again = await Promise.all(refused.map(claim));
    expect(again.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const listed = await service.send('GET', '/v1/console/workspaces', { cookie: service.cookie });
    const { workspaces } = workspaceListSchema.parse(listed.body);
    expect(workspaces.filter(({ plan }) => plan === 'free')).toHaveLength(CLAIMED_MAX);
    expect(workspaces).toHaveLength(CLAIMED_MAX + 2);
    await service.service.dispose();
  });
});

describe('a preview at its end', () => {
  it('is claimed no more, and only its owner still reads it', async () => {
    const { http } = ROOMY_LIMITS;
    const limits = { http, workspace: { previewMs: 8_000 } };
    const short = await ImportsCustomer.start(FIELDS, { limits });
    await short.validated(await short.uploaded(FILE, COLUMNS));
    await expect.poll(async () => (await short.owner('GET', '')).body.state).toBe('expired');
    expect(refusal(await claim(short))).toEqual([410, 'expired']);
    expect(refusal(await short.owner('POST', '/pause', {}))).toEqual([410, 'expired']);
    expect(refusal(await short.agent('GET', '/schemas'))).toEqual([410, 'expired']);
    expect(workspaceOf(await short.owner('GET', ''))).toMatchObject({ state: 'expired', plan: 'preview' });
    expect(workspaceOf(await short.owner('POST', '/erase', { confirm: 'Orders' })).state).toBe(
      'disconnected',
    );
    await short.service.dispose();
  });
});

describe('creations by address', () => {
  it('are exactly ten of a hundred at the same time', async () => {
    const service = await ServiceInProcess.start();
    const json = { name: 'Orders', cohort: 'dogfood' };
    const create = () =>
      fetch(`${service.url}/v1/agent/workspaces`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(json),
      });
    const answers = await Promise.all(Array.from({ length: 100 }, create));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(90);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
    await service.dispose();
  });
});
