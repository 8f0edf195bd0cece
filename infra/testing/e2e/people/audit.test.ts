import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditEntry, auditListSchema } from '../../../../schemas/audit/http.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ORIGIN, type Received } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';

/** In everything that a person types: names, cells, addresses, passwords. */
const PRIVATE = 'pr1vate';
const PASSWORD = `${PRIVATE} battery staple`;
const FIELDS = [{ key: 'code', type: 'text', required: true }];

/** An entry is there a moment after its action was answered. A person may read 120 times a minute. */
const WAIT = { timeout: 45_000, interval: 500 };

let customer: ImportsCustomer<ServiceProcess>;
let owner: { readonly userId: string; readonly organizationId: string };
const secrets: string[] = [];

beforeAll(async () => {
  customer = await ImportsCustomer.of(await ServiceProcess.start(), FIELDS);
  const { body } = await send('GET', '/v1/console/session', customer.cookie);
  owner = { userId: body.user.userId, organizationId: body.organizationId };
});

afterAll(async () => {
  await customer.service.dispose();
});

function send(method: string, path: string, cookie?: string, json?: unknown): Promise<Received> {
  return customer.send(method, path, { json, ...(cookie === undefined ? {} : { cookie }) });
}

const requestIdOf = ({ headers }: Received) => headers.get('x-request-id');
const cookieOf = ({ headers }: Received) => headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function entries(query = '', cookie = customer.cookie): Promise<AuditEntry[]> {
  const { status, body } = await send('GET', `/v1/console/audit?limit=100&${query}`, cookie);
  expect(status).toBe(200);
  return auditListSchema.parse(body).entries;
}

/** The one entry of a request, once it is there. */
async function entryOf(answer: Received): Promise<AuditEntry> {
  const found = async () => (await entries()).filter(({ requestId }) => requestId === requestIdOf(answer));
  await expect.poll(found, WAIT).toHaveLength(1);
  return (await found())[0]!;
}

describe('the audit log of the service', () => {
  it('has the set-up and the attached workspace, once each', async () => {
    await expect.poll(() => entries(), WAIT).toHaveLength(2);
    const [attached, setUp] = await entries();
    const actor = { kind: 'user', id: owner.userId };
    expect(setUp).toMatchObject({ actor, action: 'people.create', target: null });
    expect(attached).toMatchObject({ actor, action: 'workspaces.attach', target: customer.installationId });
  });

  it('has what an owner does to imports, and nothing of the agent, of refusals and of repeats', async () => {
    const file = Buffer.from(`${PRIVATE} code\n${PRIVATE}-1\n`);
    const importId = await customer.uploaded(file, [{ source: `${PRIVATE} code`, target: 'code' }]);
    await customer.validated(importId);
    const refused = await customer.owner('POST', `/imports/${importId}/approve`, {
      validationDigest: '0'.repeat(64),
    });
    expect(refused.status).toBe(409);
    const idempotencyKey = customer.newKey();
    const created = await customer.createCapability({ idempotencyKey, name: PRIVATE });
    const repeated = await customer.createCapability({ idempotencyKey, name: PRIVATE });
    expect([created.status, repeated.status]).toEqual([201, 201]);
    const { capabilityId, capability } = created.body;
    secrets.push(capability);
    const approved = await customer.approve(importId);
    const actor = { kind: 'user', id: owner.userId };
    expect(await entryOf(created)).toMatchObject({
      actor,
      action: 'imports.create-capability',
      detail: { capabilityId, schemaId: customer.schemaId },
    });
    expect(await entryOf(approved)).toMatchObject({
      actor,
      action: 'imports.approve-import',
      detail: { importId },
    });
    const requests = (await entries()).map(({ requestId }) => requestId);
    expect(requests).not.toContain(requestIdOf(refused));
    expect(requests).not.toContain(requestIdOf(repeated));
    expect(requests).toHaveLength(4);
    const ofWorkspace = await entries(`workspaceId=${customer.workspaceId}`);
    expect(ofWorkspace.map(({ action }) => action)).toEqual([
      'imports.approve-import',
      'imports.create-capability',
      'workspaces.attach',
    ]);
  });

  it('has who let whom in, with which role, and is not for members', async () => {
    const invited = await send('POST', '/v1/console/invitations', customer.cookie, { role: 'member' });
    const { invitationId, url } = invited.body;
    const code = new URL(url).hash.slice(1);
    secrets.push(code);
    const joined = await send('POST', '/v1/console/invitations/accept', undefined, {
      code,
      email: `${PRIVATE}@example.com`,
      password: PASSWORD,
    });
    expect(joined.status).toBe(200);
    const { userId } = joined.body.user;
    const member = cookieOf(joined);
    expect((await send('GET', '/v1/console/audit', member)).status).toBe(403);
    const promoted = await send('PATCH', `/v1/console/members/${userId}`, customer.cookie, { role: 'admin' });
    const reset = await send('POST', `/v1/console/members/${userId}/reset-link`, customer.cookie, {});
    secrets.push(new URL(reset.body.url).hash.slice(1));
    expect(await entryOf(invited)).toMatchObject({
      action: 'organizations.invite',
      target: owner.organizationId,
      detail: { invitationId, role: 'member' },
    });
    expect(await entryOf(joined)).toMatchObject({
      actor: { id: userId },
      action: 'people.join',
      detail: { invitationId },
    });
    expect(await entryOf(promoted)).toMatchObject({
      actor: { id: owner.userId },
      action: 'organizations.set-role',
      detail: { userId, from: 'member', role: 'admin' },
    });
    expect(await entryOf(reset)).toMatchObject({ action: 'people.offer-reset', detail: { userId } });
    expect(await entries(`actor=${userId}`, member)).toHaveLength(1);
  });

  it('has sign-ins, right and wrong, and the use of a reset link, with the hash of the address', async () => {
    const email = `${PRIVATE}-reset@example.com`;
    const invited = await send('POST', '/v1/console/invitations', customer.cookie, { role: 'member' });
    const code = new URL(invited.body.url).hash.slice(1);
    const joined = await send('POST', '/v1/console/invitations/accept', undefined, {
      code,
      email,
      password: PASSWORD,
    });
    const { userId } = joined.body.user;
    const signIn = (password: string) => send('POST', '/v1/console/sign-in', undefined, { email, password });
    expect((await signIn(`${PASSWORD}, wrong`)).status).toBe(401);
    const right = await signIn(PASSWORD);
    const offered = await send('POST', `/v1/console/members/${userId}/reset-link`, customer.cookie, {});
    const link = { code: new URL(offered.body.url).hash.slice(1), password: `${PASSWORD}, new` };
    const used = await send('POST', '/v1/console/password/reset', undefined, link);
    secrets.push(code, link.code);
    const actor = { kind: 'user', id: userId };
    const address = expect.stringMatching(/^[\w-]{43}$/);
    expect(await entryOf(right)).toMatchObject({
      actor,
      action: 'people.session-start',
      detail: { address },
    });
    expect(await entryOf(used)).toMatchObject({
      actor,
      action: 'people.reset-password',
      detail: { address },
    });
    await expect
      .poll(async () => await entries(`actor=${userId}&action=people.sign-in-refused`), WAIT)
      .toMatchObject([{ actor, detail: { address } }]);
  });

  it('has reads of private rows and errors, exports, and looks behind a claim link', async () => {
    const file = Buffer.from(`${PRIVATE} code\n${PRIVATE}-1\n`);
    const importId = await customer.uploaded(file, [{ source: `${PRIVATE} code`, target: 'code' }]);
    await customer.validated(importId);
    const target = customer.installationId;
    for (const [path, action] of [
      ['rows', 'imports.read-rows'],
      ['errors', 'imports.read-errors'],
      ['errors.csv', 'imports.download-errors'],
    ] as const) {
      const url = new URL(
        `/v1/console/workspaces/${customer.workspaceId}/imports/${importId}/${path}`,
        customer.service.url,
      );
      const read = await fetch(url, { headers: { Cookie: customer.cookie } });
      expect(read.status).toBe(200);
      expect(await entryOf({ status: 200, headers: read.headers, body: null })).toMatchObject({
        action,
        target,
        detail: { importId },
      });
    }
    const json = { name: 'Orders', cohort: 'external' };
    const { body: created } = await send('POST', '/v1/agent/workspaces', undefined, json);
    const link = await customer.send('POST', '/v1/agent/workspace/claim-link', {
      bearer: created.credential,
      json: { provisionToken: created.provisionToken },
    });
    const code = new URL(link.body.claimUrl).hash.slice(1);
    secrets.push(code, created.credential, created.provisionToken);
    const looked = await send('POST', '/v1/console/claims/inspect', customer.cookie, { code });
    expect(await entryOf(looked)).toMatchObject({
      action: 'workspaces.inspect-claim',
      target: created.installationId,
    });
  });

  it('is hidden from other organizations', async () => {
    const other = await send('POST', '/v1/console/sign-up', undefined, {
      organization: `${PRIVATE} other`,
      email: `${PRIVATE}-other@example.com`,
      password: PASSWORD,
    });
    expect(other.status).toBe(201);
    const cookie = cookieOf(other);
    await expect
      .poll(async () => (await entries('', cookie)).map(({ requestId }) => requestId), WAIT)
      .toEqual([requestIdOf(other)]);
    expect(await entries(`workspaceId=${customer.workspaceId}`, cookie)).toEqual([]);
    expect((await send('GET', '/v1/console/audit')).status).toBe(401);
  });

  it('survives the end of the process', async () => {
    const before = await entries();
    await customer.service.kill();
    await customer.service.restart();
    expect(await entries()).toEqual(before);
  });

  it('holds no secret, no address and nothing that a person typed, on paper as on screen', async () => {
    const url = new URL('/v1/console/audit?limit=100', customer.service.url);
    const listed = await entries();
    const file = await fetch(url, { headers: { Cookie: customer.cookie, Accept: 'text/csv' } });
    await expect.poll(async () => (await entries())[0]?.action, WAIT).toBe('audit.export');
    const texts = [JSON.stringify(listed), await file.text()];
    for (const text of texts) {
      for (const { requestId } of listed) expect(text).toContain(requestId);
      for (const secret of [...secrets, customer.cookie.split('=')[1] ?? '', ORIGIN, PRIVATE, 'Example']) {
        expect(text).not.toContain(secret);
      }
      expect(text).not.toMatch(/@|svc_[a-z]+_|[0-9a-f]{64}/);
    }
  });
});
