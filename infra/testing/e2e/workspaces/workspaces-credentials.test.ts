import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { memberListSchema } from '../../../../schemas/people/http.ts';
import {
  consoleWorkspaceSchema,
  createdWorkspaceSchema,
  madeCredentialSchema,
} from '../../../../schemas/workspaces/http.ts';
import { AccountsService, type Received } from '../people/accounts-service.fixture.ts';

const LIMITS = {
  ...DEFAULT_LIMITS,
  workspace: { ...DEFAULT_LIMITS.workspace, createdPerAddressHour: 1_000, createdPerAddressDay: 1_000 },
  console: { ...DEFAULT_LIMITS.console, sessionMs: 100 * HOUR_MS },
  http: { ...DEFAULT_LIMITS.http, managementPerMinute: 100_000, unauthorizedPerMinute: 100_000 },
};

let service: AccountsService;
let cookie: string;
let workspaceId: string;
/** The secret that the workspace was created with. */
let first: string;
let keys = 0;

beforeAll(async () => {
  service = await AccountsService.start(LIMITS);
  const json = { organization: 'Example', email: 'ada@example.com', password: 'correct horse battery' };
  const signedUp = await service.send('POST', '/v1/console/sign-up', { json });
  cookie = signedUp.cookie?.split(';')[0] ?? '';
});

afterAll(() => service.close());

beforeEach(async () => {
  const created = await service.send('POST', '/v1/agent/workspaces', {
    json: { name: 'Orders', cohort: 'dogfood' },
  });
  const { credential, provisionToken, ...workspace } = createdWorkspaceSchema.parse(created.body);
  first = credential;
  workspaceId = workspace.workspaceId;
  const link = await service.send('POST', '/v1/agent/workspace/claim-link', {
    bearer: first,
    json: { provisionToken },
  });
  const code = new URL(link.body.claimUrl).hash.slice(1);
  const json = { code, confirm: link.body.confirmCode };
  expect((await service.send('POST', '/v1/console/claims/attach', { cookie, json })).status).toBe(200);
});

const refusal = ({ status, body }: Received) => [status, body?.error?.code];

function newKey(): string {
  keys += 1;
  return `key ${keys}`;
}

const owner = (method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown) =>
  service.send(method, `/v1/console/workspaces/${workspaceId}${path}`, { cookie, json });
const create = (json: object = { idempotencyKey: newKey(), name: 'Backend' }) =>
  owner('POST', '/credentials', json);
const rotate = (credentialId: string, overlapHours: number, idempotencyKey = newKey()) =>
  owner('POST', `/credentials/${credentialId}/rotate`, { idempotencyKey, overlapHours });
const revoke = (credentialId: string) => owner('DELETE', `/credentials/${credentialId}`);

/** The status of an agent's look at its workspace. */
async function look(bearer: string): Promise<number> {
  return (await service.send('GET', '/v1/agent/workspace', { bearer })).status;
}

async function listed() {
  return consoleWorkspaceSchema.parse((await owner('GET', '')).body).credentials;
}

async function made(answer: Promise<Received>) {
  const { status, body } = await answer;
  expect(status).toBe(201);
  return madeCredentialSchema.parse(body);
}

describe('a named credential', () => {
  it('opens what the first one opens, and is listed without its secret', async () => {
    const { credentialId, credential } = await made(create());
    expect([await look(first), await look(credential)]).toEqual([200, 200]);
    expect(await listed()).toMatchObject([
      { name: null, last4: first.slice(-4) },
      { credentialId, name: 'Backend', last4: credential.slice(-4), overlapEndsAt: null },
    ]);
    expect(`${service.log}${await service.stored()}`).not.toContain(credential);
  });

  it('comes again with its secret for the same key, and conflicts for another name', async () => {
    const json = { idempotencyKey: newKey(), name: 'Backend' };
    const answer = await made(create(json));
    expect(await made(create(json))).toEqual(answer);
    expect(refusal(await create({ ...json, name: 'Other' }))).toEqual([409, 'idempotency_conflict']);
    expect(await listed()).toHaveLength(2);
  });

  it('is one of exactly five under a hundred requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(refusal)).toEqual(refused.map(() => [429, 'limit_reached']));
    expect(await listed()).toHaveLength(6);
  });

  it('is refused at once when it is revoked, while others stay valid', async () => {
    const { credentialId, credential } = await made(create());
    expect(await look(credential)).toBe(200);
    expect((await revoke(credentialId)).status).toBe(204);
    expect([await look(credential), await look(first)]).toEqual([401, 200]);
    expect((await revoke(credentialId)).status).toBe(204);
    expect(await listed()).toHaveLength(1);
  });

  it('is not found in another workspace', async () => {
    const { credentialId } = await made(create());
    const other = `/v1/console/workspaces/wks_${'a'.repeat(24)}/credentials/${credentialId}`;
    expect(refusal(await service.send('DELETE', other, { cookie }))).toEqual([404, 'not_found']);
    expect(refusal(await revoke(`crd_${'a'.repeat(24)}`))).toEqual([404, 'not_found']);
    expect(refusal(await rotate(`crd_${'a'.repeat(24)}`, 1))).toEqual([404, 'not_found']);
  });
});

describe('a rotation', () => {
  it('lets both secrets work through the overlap, and only the new one afterwards', async () => {
    const [{ credentialId = '' } = {}] = await listed();
    const { credential } = await made(rotate(credentialId, 2));
    const overlapEndsAt = new Date(service.clock.now() + 2 * HOUR_MS).toISOString();
    expect(await listed()).toMatchObject([{ credentialId, last4: credential.slice(-4), overlapEndsAt }]);
    service.clock.advance(2 * HOUR_MS - 1);
    expect([await look(first), await look(credential)]).toEqual([200, 200]);
    service.clock.advance(1);
    expect([await look(first), await look(credential)]).toEqual([401, 200]);
    expect(await listed()).toMatchObject([{ overlapEndsAt: null }]);
  });

  it('without an overlap ends the old secret at once', async () => {
    const [{ credentialId = '' } = {}] = await listed();
    const { credential } = await made(rotate(credentialId, 0));
    expect([await look(first), await look(credential)]).toEqual([401, 200]);
  });

  it('comes again with its secret for the same key', async () => {
    const [{ credentialId = '' } = {}] = await listed();
    const key = newKey();
    const answer = await made(rotate(credentialId, 1, key));
    expect(await made(rotate(credentialId, 1, key))).toEqual(answer);
    expect(refusal(await rotate(credentialId, 2, key))).toEqual([409, 'idempotency_conflict']);
  });

  it('is one of several at the same time', async () => {
    const [{ credentialId = '' } = {}] = await listed();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(credentialId, 1)));
    const done = answers.filter(({ status }) => status === 201);
    const others = answers.filter(({ status }) => status !== 201);
    expect(done.length).toBeGreaterThan(0);
    expect(others.map(refusal)).toEqual(others.map(() => [409, 'state_conflict']));
    const looks = await Promise.all(done.map(({ body }) => look(body.credential)));
    expect(looks).toContain(200);
  });

  it.each([-1, 1.5, 73])('over %j hours is refused', async (overlapHours) => {
    const [{ credentialId = '' } = {}] = await listed();
    expect(refusal(await rotate(credentialId, overlapHours))).toEqual([400, 'bad_request']);
  });
});

describe('the last use', () => {
  it('of a credential is kept, to the hour', async () => {
    await look(first);
    await expect.poll(async () => (await listed())[0]?.lastUsedAt).not.toBeNull();
    const used = (await listed())[0]?.lastUsedAt;
    service.clock.advance(HOUR_MS - 1);
    await look(first);
    expect((await listed())[0]?.lastUsedAt).toBe(used);
    service.clock.advance(1);
    await look(first);
    await expect.poll(async () => (await listed())[0]?.lastUsedAt).not.toBe(used);
  });

  it('of a person is the last sight of them', async () => {
    const members = async () => {
      const { body } = await service.send('GET', '/v1/console/members', { cookie });
      return memberListSchema.parse(body).members;
    };
    await expect.poll(async () => (await members())[0]?.lastSeenAt).not.toBeNull();
  });
});
