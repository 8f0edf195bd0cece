import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_BYTES, secretFrom } from '../../../../schemas/base/secrets.ts';
import { DAY_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { invitationSchema, oneTimeLinkSchema, sessionSchema } from '../../../../schemas/people/http.ts';
import { claimLinkAnswerSchema, createdWorkspaceSchema } from '../../../../schemas/workspaces/http.ts';
import { expectRefused } from '../../refusals/refused.fixture.ts';
import { AccountsService, type Received, type RequestParts } from '../people/accounts-service.fixture.ts';

const PASSWORD = 'correct horse battery staple';
const UUID = '3b241101-e2bb-4255-8caf-4136c566a962';

let service: AccountsService;
let cookie: string;
let userId: string;

const post = (path: string, json: unknown, parts: RequestParts = {}) =>
  service.send('POST', path, { json, ...parts });
const refusal = ({ status, body }: Received) => [status, body.error.code];

beforeAll(async () => {
  service = await AccountsService.start();
  const json = { organization: 'Example', email: 'ada@example.com', password: PASSWORD };
  const answer = await post('/v1/console/sign-up', json);
  cookie = String(answer.cookie).split(';')[0] ?? '';
  userId = sessionSchema.parse(answer.body).user.userId;
});

afterAll(() => service.close());

/** Each look is a request, and the clock that frees their allowance stands still. */
const WAIT = { timeout: 45_000, interval: 250 };

/** Lets time pass while the service is down, so that what became due is found at its start. */
async function passTime(ms: number): Promise<void> {
  service.clock.advance(ms);
  await service.restart();
}

/** Sends a request again as it was, after the service has another secret and knows the earlier one, and then not any more. */
async function rotated(repeat: () => Promise<Received>): Promise<{ known: Received; lost: Received }> {
  const before = service.secrets;
  await service.restart({ ...before, secret: 'another secret', previous: before.secret });
  const known = await repeat();
  await service.restart({ ...before, secret: 'another secret', previous: null });
  const lost = await repeat();
  await service.restart(before);
  return { known, lost };
}

describe('the Idempotency-Key header', () => {
  it('makes one invitation, whose link is shown once', async () => {
    const invite = (role: string, key: string) => post('/v1/console/invitations', { role }, { cookie, key });
    const first = invitationSchema.parse((await invite('member', 'one')).body);
    expect(first.url).toContain('#svc_invite_');
    const again = await invite('member', 'one');
    expect([again.status, again.body]).toEqual([201, { ...first, url: null }]);
    expectRefused(await invite('admin', 'one'), 'idempotency_conflict', 'header.Idempotency-Key');
    const other = invitationSchema.parse((await invite('member', 'two')).body);
    expect(other.invitationId).not.toBe(first.invitationId);
  });

  it('makes one reset link', async () => {
    const offer = (key?: string) =>
      post(`/v1/console/members/${userId}/reset-link`, {}, { cookie, ...(key === undefined ? {} : { key }) });
    const first = await offer('one');
    expect(first.status).toBe(201);
    expect((await offer('one')).body).toEqual(first.body);
    const { known, lost } = await rotated(() => offer('one'));
    expect(known.body).toEqual(first.body);
    expect(refusal(lost)).toEqual([410, 'gone']);
    const code = oneTimeLinkSchema.parse(first.body).url.split('#')[1];
    const reset = await post('/v1/console/password/reset', { code, password: PASSWORD });
    expect(reset.status).toBe(204);
  });

  it('is free again after a refused reset link', async () => {
    const owner = await post('/v1/console/sign-up', {
      organization: 'Second',
      email: 'grace@example.com',
      password: PASSWORD,
    });
    const session = { cookie: String(owner.cookie).split(';')[0] ?? '' };
    const invited = await post('/v1/console/invitations', { role: 'member' }, session);
    const code = String(invitationSchema.parse(invited.body).url).split('#')[1];
    const joined = await post('/v1/console/invitations/accept', {
      code,
      email: 'ada@example.com',
      password: PASSWORD,
    });
    expect(joined.status).toBe(200);
    const offer = () =>
      post(`/v1/console/members/${userId}/reset-link`, {}, { ...session, key: 'refused at first' });
    expect(refusal(await offer())).toEqual([403, 'forbidden']);
    const elsewhere = String(joined.cookie).split(';')[0] ?? '';
    const { organizations } = sessionSchema.parse(joined.body);
    const [first] = organizations.filter(({ name }) => name === 'Example');
    await post('/v1/console/session', { organizationId: first?.organizationId }, { cookie: elsewhere });
    const second = await post('/v1/console/invitations', { role: 'owner' }, { cookie: elsewhere });
    const successor = await post('/v1/console/invitations/accept', {
      code: String(invitationSchema.parse(second.body).url).split('#')[1],
      email: 'successor@example.com',
      password: PASSWORD,
    });
    expect(successor.status).toBe(200);
    const left = await service.send('DELETE', `/v1/console/members/${userId}`, { cookie: elsewhere });
    expect(left.status).toBe(204);
    await expect.poll(async () => (await offer()).status).toBe(201);
  });

  it('makes one claim link, only for requests with the provision token', async () => {
    const created = createdWorkspaceSchema.parse(
      (await post('/v1/agent/workspaces', { name: 'Orders', cohort: 'external' })).body,
    );
    const open = (provisionToken = created.provisionToken) =>
      post('/v1/agent/workspace/claim-link', { provisionToken }, { bearer: created.credential, key: 'one' });
    const first = await open();
    expect(first.status).toBe(201);
    claimLinkAnswerSchema.parse(first.body);
    expect((await open()).body).toEqual(first.body);
    const other = createdWorkspaceSchema.parse(
      (await post('/v1/agent/workspaces', { name: 'Invoices', cohort: 'external' })).body,
    );
    expect(refusal(await open(other.provisionToken))).toEqual([403, 'forbidden']);
  });

  it('makes one workspace of a request without a provision token, by a long key and from one address', async () => {
    const create = (key: string, parts: RequestParts = {}) =>
      post('/v1/agent/workspaces', { name: 'Orders', cohort: 'external' }, { key, ...parts });
    const first = await create(UUID);
    expect(first.status).toBe(201);
    expect((await create(UUID)).body).toEqual(first.body);
    const { known } = await rotated(() => create(UUID));
    expect(known.body).toEqual(first.body);
    const changed = await post('/v1/agent/workspaces', { name: 'Other', cohort: 'external' }, { key: UUID });
    expectRefused(changed, 'idempotency_conflict', 'header.Idempotency-Key');
    const elsewhere = await create(UUID, { address: '203.0.113.7' });
    expect(elsewhere.body.workspaceId).not.toBe(first.body.workspaceId);
    const short = await create('1');
    expect(refusal(short)).toEqual([400, 'bad_request']);
    expect(short.body.error.message).toContain('at least 32');
  });

  it('is not named where the provision token is the key', async () => {
    const provisionToken = secretFrom('provision', randomBytes(SECRET_BYTES));
    const create = (name: string) =>
      post('/v1/agent/workspaces', { name, cohort: 'external', provisionToken }, { key: UUID });
    expect((await create('Orders')).status).toBe(201);
    expectRefused(await create('Other'), 'idempotency_conflict', 'body.provisionToken');
    const { lost } = await rotated(() => create('Orders'));
    expectRefused(lost, 'gone', 'body.provisionToken');
  });

  it('is free again once what it made has ended, and two days are over', async () => {
    const email = 'patient@example.com';
    let owner = await post('/v1/console/sign-up', { organization: 'Third', email, password: PASSWORD });
    const member = sessionSchema.parse(owner.body).user.userId;
    const key = 'for a time';
    const parts = () => ({ cookie: String(owner.cookie).split(';')[0] ?? '', key });
    const invite = async () => {
      const answer = await post('/v1/console/invitations', { role: 'member' }, parts());
      return invitationSchema.parse(answer.body).invitationId;
    };
    const reset = async () => {
      const answer = await post(`/v1/console/members/${member}/reset-link`, {}, parts());
      return oneTimeLinkSchema.parse(answer.body).expiresAt;
    };
    const created = createdWorkspaceSchema.parse(
      (await post('/v1/agent/workspaces', { name: 'Orders', cohort: 'external' })).body,
    );
    const { provisionToken, credential: bearer } = created;
    const open = async () => {
      const answer = await post('/v1/agent/workspace/claim-link', { provisionToken }, { bearer, key });
      return claimLinkAnswerSchema.parse(answer.body).expiresAt;
    };
    const [invitation, resetEnd, linkEnd] = [await invite(), await reset(), await open()];
    await passTime(2 * DAY_MS + MINUTE_MS);
    await expect.poll(open, WAIT).not.toBe(linkEnd);
    owner = await post('/v1/console/sign-in', { email, password: PASSWORD });
    expect([await invite(), await reset()]).toEqual([invitation, resetEnd]);
    await passTime(5 * DAY_MS);
    owner = await post('/v1/console/sign-in', { email, password: PASSWORD });
    await expect.poll(invite, WAIT).not.toBe(invitation);
    await expect.poll(reset, WAIT).not.toBe(resetEnd);
  });
});
