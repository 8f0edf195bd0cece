import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpCode } from '../../gateway/people/set-up-code.ts';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import {
  invitationSchema,
  memberListSchema,
  oneTimeLinkSchema,
  sessionListSchema,
  sessionSchema,
} from '../../schemas/people/http.ts';
import { AccountsService, type Received } from './accounts-service.fixture.ts';

const PASSWORD = 'correct horse battery staple';
const LIMITS = {
  ...DEFAULT_LIMITS,
  console: { ...DEFAULT_LIMITS.console, signUpsPerAddressDay: 1_000 },
  http: { ...DEFAULT_LIMITS.http, managementPerMinute: 10_000, unauthorizedPerMinute: 10_000 },
};

let service: AccountsService;
let people = 0;

beforeAll(async () => {
  service = await AccountsService.start(LIMITS);
});

afterAll(() => service.close());

interface Someone {
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly cookie: string;
}

const cookieOf = ({ cookie }: Received) => String(cookie).split(';')[0] ?? '';
const codeOf = (url: string) => url.slice(url.indexOf('#') + 1);
const refusal = ({ status, body }: Received) => [status, body?.error?.code];

function newEmail(): string {
  people += 1;
  return `person-${people}@example.com`;
}

function someone(answer: Received, email: string): Someone {
  const { user, organizationId } = sessionSchema.parse(answer.body);
  return { email, userId: user.userId, organizationId, cookie: cookieOf(answer) };
}

/** A new person who owns a new organization. */
async function signUp(organization = 'Example'): Promise<Someone> {
  const email = newEmail();
  const answer = await service.send('POST', '/v1/console/sign-up', {
    json: { organization, email, password: PASSWORD },
  });
  expect(answer.status).toBe(201);
  return someone(answer, email);
}

async function inviteCode({ cookie }: Someone, role: string): Promise<string> {
  const answer = await service.send('POST', '/v1/console/invitations', { cookie, json: { role } });
  expect(answer.status).toBe(201);
  return codeOf(String(invitationSchema.parse(answer.body).url));
}

const accept = (code: string, email: string, password = PASSWORD) =>
  service.send('POST', '/v1/console/invitations/accept', { json: { code, email, password } });

/** A new person who joined somebody's organization. */
async function joined(owner: Someone, role: string): Promise<Someone> {
  const email = newEmail();
  const answer = await accept(await inviteCode(owner, role), email);
  expect(answer.status).toBe(200);
  return someone(answer, email);
}

const signIn = (email: string, password = PASSWORD) =>
  service.send('POST', '/v1/console/sign-in', { json: { email, password } });

async function members({ cookie }: Someone) {
  const answer = await service.send('GET', '/v1/console/members', { cookie });
  return memberListSchema.parse(answer.body);
}

const setRole = (by: Someone, of: Someone, role: string) =>
  service.send('PATCH', `/v1/console/members/${of.userId}`, { cookie: by.cookie, json: { role } });

const remove = (by: Someone, of: Someone) =>
  service.send('DELETE', `/v1/console/members/${of.userId}`, { cookie: by.cookie });

describe('sign-up', () => {
  it('makes a person with an organization of its own, which operates nothing', async () => {
    const owner = await signUp();
    const { body } = await service.send('GET', '/v1/console/session', { cookie: owner.cookie });
    expect(body).toMatchObject({ operator: false, organizations: [{ name: 'Example', role: 'owner' }] });
  });

  it('refuses an address that has an account, and leaves nothing of the attempt', async () => {
    const owner = await signUp();
    const json = {
      organization: 'Second',
      email: owner.email.toUpperCase(),
      password: 'another password 123',
    };
    expect(refusal(await service.send('POST', '/v1/console/sign-up', { json }))).toEqual([
      409,
      'state_conflict',
    ]);
    expect((await signIn(owner.email)).status).toBe(200);
    expect((await signIn(owner.email, 'another password 123')).status).toBe(401);
  });

  it('does not set the service up: its own link still works, and makes the operator', async () => {
    const json = {
      code: setUpCode(service.secrets),
      organization: 'Ops',
      email: 'operator@example.com',
      password: PASSWORD,
    };
    const { status, body } = await service.send('POST', '/v1/console/set-up', { json });
    expect([status, body.operator]).toEqual([201, true]);
  });
});

describe('an invitation', () => {
  it('brings a new person in with its role, once', async () => {
    const owner = await signUp();
    const code = await inviteCode(owner, 'admin');
    expect((await members(owner)).invitations).toHaveLength(1);
    const email = newEmail();
    expect((await accept(code, email)).body).toMatchObject({ organizations: [{ role: 'admin' }] });
    expect(refusal(await accept(code, newEmail()))).toEqual([404, 'not_found']);
    const { members: listed, invitations } = await members(owner);
    expect(listed.map((member) => [member.email, member.role]).sort()).toEqual(
      [
        [email, 'admin'],
        [owner.email, 'owner'],
      ].sort(),
    );
    expect(invitations).toEqual([]);
  });

  it('answers whoever took it up and did not hear of it alike', async () => {
    const owner = await signUp();
    const code = await inviteCode(owner, 'member');
    const email = newEmail();
    await accept(code, email);
    expect((await accept(code, email)).status).toBe(200);
    expect((await members(owner)).members).toHaveLength(2);
  });

  it('answers a repeat with a session for its own organization, and with 404 once the member is removed', async () => {
    const [owner, person] = [await signUp('First'), await signUp('Second')];
    const code = await inviteCode(owner, 'member');
    const answers = [await accept(code, person.email), await accept(code, person.email)];
    const { organizationId } = owner;
    expect(answers.map(({ body }) => body.organizationId)).toEqual([organizationId, organizationId]);
    expect((await remove(owner, person)).status).toBe(204);
    expect(refusal(await accept(code, person.email))).toEqual([404, 'not_found']);
    expect((await members(owner)).members).toHaveLength(1);
  });

  it('lets exactly one of two people in who accept at once', async () => {
    const owner = await signUp();
    const code = await inviteCode(owner, 'member');
    const answers = await Promise.all([accept(code, newEmail()), accept(code, newEmail())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await members(owner)).members).toHaveLength(2);
  });

  it('brings an existing person in by its password or its session, and the session can switch', async () => {
    const [first, second] = [await signUp('First'), await signUp('Second')];
    const code = await inviteCode(first, 'member');
    expect(refusal(await accept(code, second.email, 'a wrong password 123'))).toEqual([401, 'unauthorized']);
    const answer = await service.send('POST', '/v1/console/invitations/accept', {
      cookie: second.cookie,
      json: { code },
    });
    expect(answer.body).toMatchObject({ organizationId: first.organizationId });
    const cookie = cookieOf(answer);
    const switched = await service.send('POST', '/v1/console/session', {
      cookie,
      json: { organizationId: second.organizationId },
    });
    expect(switched.body).toMatchObject({ organizationId: second.organizationId });
    const stranger = await signUp();
    const json = { organizationId: stranger.organizationId };
    expect(refusal(await service.send('POST', '/v1/console/session', { cookie, json }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('ends when it is revoked or over, and an admin makes no owner', async () => {
    const owner = await signUp();
    const admin = await joined(owner, 'admin');
    const json = { role: 'owner' };
    const made = await service.send('POST', '/v1/console/invitations', { cookie: admin.cookie, json });
    expect(refusal(made)).toEqual([403, 'forbidden']);
    const code = await inviteCode(owner, 'member');
    const [open] = (await members(owner)).invitations;
    const path = `/v1/console/invitations/${open?.invitationId}`;
    expect((await service.send('DELETE', path, { cookie: admin.cookie })).status).toBe(204);
    expect(refusal(await accept(code, newEmail()))).toEqual([404, 'not_found']);
    const late = await inviteCode(owner, 'member');
    service.clock.advance(LIMITS.console.invitationMs);
    expect(refusal(await accept(late, newEmail()))).toEqual([404, 'not_found']);
  });
});

describe('roles', () => {
  it('are given by owners to all and by admins to all but owners', async () => {
    const owner = await signUp();
    const [admin, member] = [await joined(owner, 'admin'), await joined(owner, 'member')];
    expect((await setRole(admin, member, 'admin')).body).toMatchObject({ role: 'admin' });
    expect(refusal(await setRole(admin, owner, 'member'))).toEqual([403, 'forbidden']);
    expect(refusal(await setRole(admin, member, 'owner'))).toEqual([403, 'forbidden']);
    expect((await setRole(owner, admin, 'member')).body).toMatchObject({ role: 'member' });
    expect(refusal(await setRole(admin, member, 'member'))).toEqual([403, 'forbidden']);
  });

  it('keep one owner, whoever asks at the same time', async () => {
    const first = await signUp();
    const second = await joined(first, 'owner');
    const answers = await Promise.all([setRole(first, second, 'member'), setRole(second, first, 'member')]);
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const owners = (await members(first)).members.filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    const [last] = [first, second].filter(({ userId }) => userId === owners[0]?.userId);
    expect(refusal(await remove(last!, last!))).toEqual([409, 'state_conflict']);
  });

  it('that were taken away end the sessions for the organization at once', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'member');
    expect((await remove(owner, member)).status).toBe(204);
    expect((await service.send('GET', '/v1/console/session', { cookie: member.cookie })).status).toBe(401);
    expect(refusal(await signIn(member.email))).toEqual([403, 'forbidden']);
  });

  it('let everybody leave and nobody remove somebody above', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'member');
    expect(refusal(await remove(member, owner))).toEqual([403, 'forbidden']);
    expect((await remove(member, member)).status).toBe(204);
  });
});

describe('passwords and sessions', () => {
  it('a changed password ends the other sessions and keeps its own', async () => {
    const owner = await signUp();
    const other = cookieOf(await signIn(owner.email));
    const json = { current: PASSWORD, next: 'a brand new password' };
    const change = (given: object) =>
      service.send('POST', '/v1/console/password', { cookie: owner.cookie, json: given });
    expect(refusal(await change({ ...json, current: 'not the current one' }))).toEqual([401, 'unauthorized']);
    expect((await change(json)).status).toBe(204);
    const session = (cookie: string) => service.send('GET', '/v1/console/session', { cookie });
    expect((await session(owner.cookie)).status).toBe(200);
    expect((await session(other)).status).toBe(401);
    expect((await signIn(owner.email)).status).toBe(401);
    expect((await signIn(owner.email, json.next)).status).toBe(200);
  });

  it('sessions are listed and can be ended one by one', async () => {
    const owner = await signUp();
    const other = cookieOf(await signIn(owner.email));
    const listed = await service.send('GET', '/v1/console/sessions', { cookie: owner.cookie });
    const { sessions } = sessionListSchema.parse(listed.body);
    expect(sessions.map(({ current }) => current)).toEqual([false, true]);
    const path = `/v1/console/sessions/${sessions[0]?.sessionId}`;
    expect((await service.send('DELETE', path, { cookie: owner.cookie })).status).toBe(204);
    expect((await service.send('GET', '/v1/console/session', { cookie: other })).status).toBe(401);
  });

  it('a reset link works once and ends every session', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'member');
    const path = `/v1/console/members/${member.userId}/reset-link`;
    const made = await service.send('POST', path, { cookie: owner.cookie, json: {} });
    expect(made.status).toBe(201);
    const code = codeOf(oneTimeLinkSchema.parse(made.body).url);
    const reset = () =>
      service.send('POST', '/v1/console/password/reset', { json: { code, password: 'a password by link' } });
    expect((await reset()).status).toBe(204);
    expect(refusal(await reset())).toEqual([404, 'not_found']);
    expect((await service.send('GET', '/v1/console/session', { cookie: member.cookie })).status).toBe(401);
    expect((await signIn(member.email, 'a password by link')).status).toBe(200);
  });

  it('a reset link ends when the person joins or leaves an organization', async () => {
    const owner = await signUp('First');
    const offered = async (member: Someone) => {
      const path = `/v1/console/members/${member.userId}/reset-link`;
      const made = await service.send('POST', path, { cookie: owner.cookie, json: {} });
      return codeOf(oneTimeLinkSchema.parse(made.body).url);
    };
    const use = (code: string) =>
      service.send('POST', '/v1/console/password/reset', { json: { code, password: 'a password by link' } });
    const promoted = await joined(owner, 'member');
    const beforeJoin = await offered(promoted);
    const other = await signUp('Second');
    expect((await accept(await inviteCode(other, 'owner'), promoted.email)).status).toBe(200);
    expect(refusal(await use(beforeJoin))).toEqual([404, 'not_found']);
    const removed = await joined(owner, 'member');
    const beforeRemoval = await offered(removed);
    expect((await remove(owner, removed)).status).toBe(204);
    expect(refusal(await use(beforeRemoval))).toEqual([404, 'not_found']);
    expect((await signIn(promoted.email)).status).toBe(200);
  });

  it('a reset link is not to be had for somebody who belongs elsewhere too, nor by an admin', async () => {
    const [owner, other] = [await signUp(), await signUp()];
    const admin = await joined(owner, 'admin');
    await accept(await inviteCode(owner, 'member'), other.email);
    const ask = (by: Someone, of: Someone) =>
      service.send('POST', `/v1/console/members/${of.userId}/reset-link`, { cookie: by.cookie, json: {} });
    expect(refusal(await ask(owner, other))).toEqual([403, 'forbidden']);
    expect(refusal(await ask(admin, admin))).toEqual([403, 'forbidden']);
  });
});

describe('an operator', () => {
  const ask = ({ cookie }: Someone, email: string) =>
    service.send('POST', '/v1/ops/people/reset-link', { cookie, json: { email } });

  /** Owns the organization that the set-up link has made; made by an earlier test or here. */
  async function operator(): Promise<Someone> {
    const email = 'operator@example.com';
    const code = setUpCode(service.secrets);
    const json = { code, organization: 'Ops', email, password: PASSWORD };
    await service.send('POST', '/v1/console/set-up', { json });
    return someone(await signIn(email), email);
  }

  it('makes a reset link for anybody, and nobody else knows of that', async () => {
    const [owner, other] = [await signUp(), await signUp()];
    await accept(await inviteCode(owner, 'member'), other.email);
    const chief = await operator();
    const member = await joined(chief, 'admin');
    expect(refusal(await ask(owner, other.email))).toEqual([404, 'not_found']);
    expect(refusal(await ask(member, other.email))).toEqual([403, 'forbidden']);
    expect(refusal(await ask(chief, newEmail()))).toEqual([404, 'not_found']);
    const made = await ask(chief, other.email.toUpperCase());
    expect(made.status).toBe(201);
    const code = codeOf(oneTimeLinkSchema.parse(made.body).url);
    const json = { code, password: 'a password by link' };
    expect((await service.send('POST', '/v1/console/password/reset', { json })).status).toBe(204);
    expect((await signIn(other.email, json.password)).status).toBe(200);
  });
});

describe('what a request that came to nothing has written', () => {
  const WAIT = { timeout: 10_000, interval: 20 };

  /** Lets the sweep meet what was written so far; it sleeps by another clock than ours. */
  async function afterTheSweep(): Promise<void> {
    service.clock.advance(2 * HOUR_MS);
    await service.restart();
  }

  it('is removed after an hour, and what a person has is not', async () => {
    const owner = await signUp();
    await afterTheSweep();
    const before = await service.identities();
    service.topicDown = 'organizations';
    const json = { organization: 'Lost', email: newEmail(), password: PASSWORD };
    expect((await service.send('POST', '/v1/console/sign-up', { json })).status).toBe(503);
    service.topicDown = null;
    expect(await service.identities()).toHaveLength(before.length + 1);
    await afterTheSweep();
    await expect.poll(() => service.identities(), WAIT).toEqual(before);
    expect((await signIn(owner.email)).status).toBe(200);
    expect((await service.send('POST', '/v1/console/sign-up', { json })).status).toBe(201);
  });

  it('is not written at all if it cannot be announced', async () => {
    const before = await service.identities();
    service.topicDown = 'people';
    const json = { organization: 'Lost', email: newEmail(), password: PASSWORD };
    expect((await service.send('POST', '/v1/console/sign-up', { json })).status).toBe(503);
    service.topicDown = null;
    expect(await service.identities()).toEqual(before);
  });
});

it('keeps addresses, passwords and codes out of topics, state and logs', async () => {
  const owner = await signUp();
  const code = await inviteCode(owner, 'member');
  const kept = (await service.stored()) + service.log;
  for (const secret of [owner.email, PASSWORD, code, owner.cookie.split('=')[1] ?? '']) {
    expect(kept).not.toContain(secret);
  }
});
