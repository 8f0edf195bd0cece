import { describe, expect, it } from 'vitest';
import { setUpCode } from '../../../../gateway/people/set-up-code.ts';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { canonicalJson } from '../../../../schemas/base/json.ts';
import { invitationSchema, sessionListSchema } from '../../../../schemas/people/http.ts';
import { codeOf, cookieOf, refusal } from '../customer.fixture.ts';
import type { AccountsService } from './accounts-service.fixture.ts';
import { LIMITS, PASSWORD, type People, type Someone, servePeople } from './people.fixture.ts';

let service: AccountsService;
let people: People;

servePeople((started) => {
  ({ service, people } = started);
});

const setRole = (by: Someone, of: Someone, role: string) =>
  service.send('PATCH', `/v1/console/members/${of.userId}`, { cookie: by.cookie, json: { role } });

describe('GET /v1/console/sign-in', () => {
  it('says what a page may offer, without a session', async () => {
    const { status, body } = await service.send('GET', '/v1/console/sign-in');
    const { signInsPerAccountAndAddress: limit, signInWindowMs } = LIMITS.console;
    const attempts = { limit, windowSeconds: signInWindowMs / 1_000 };
    expect([status, body]).toEqual([
      200,
      { signUp: 'open', singleSignOn: false, mail: false, isSetUp: false, attempts },
    ]);
  });
});

describe('sign-up', () => {
  it('creates a person with an organization, which is not the operator', async () => {
    const owner = await people.signUp();
    const { body } = await service.send('GET', '/v1/console/session', { cookie: owner.cookie });
    expect(body).toMatchObject({ operator: false, organizations: [{ name: 'Example', role: 'owner' }] });
  });

  it('refuses an address that has an account, and leaves nothing of the attempt', async () => {
    const owner = await people.signUp();
    const json = {
      organization: 'Second',
      email: owner.email.toUpperCase(),
      password: 'another password 123',
    };
    expect(refusal(await service.send('POST', '/v1/console/sign-up', { json }))).toEqual([
      409,
      'state_conflict',
    ]);
    expect((await people.signIn(owner.email)).status).toBe(200);
    expect((await people.signIn(owner.email, 'another password 123')).status).toBe(401);
  });

  it('refuses an address with invisible characters, and says why', async () => {
    for (const hidden of ['\u202e', '\u2066', '\u200b', '\ufeff']) {
      const json = { organization: 'Second', email: `ada${hidden}@example.com`, password: PASSWORD };
      const answer = await service.send('POST', '/v1/console/sign-up', { json });
      expect(refusal(answer)).toEqual([400, 'bad_request']);
      expect(answer.body.error.message).toMatch(/^body\.email: seen .*without invisible characters/);
    }
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

/** Makes an invitation that says for whom it is. */
const inviteFor = async (owner: Someone, forWhom: string, key?: string) => {
  const request = { cookie: owner.cookie, json: { role: 'member', forWhom }, ...(key && { key }) };
  const answer = await service.send('POST', '/v1/console/invitations', request);
  expect(answer.status).toBe(201);
  return invitationSchema.parse(answer.body);
};

describe('the words about whom an invitation is for', () => {
  const WORDS = 'Grace Quux, design';

  it('are shown to owners and admins, and are in blobs only', async () => {
    const owner = await people.signUp();
    const [admin, member] = [await people.joined(owner, 'admin'), await people.joined(owner, 'member')];
    await inviteFor(owner, WORDS);
    await people.inviteCode(owner, 'admin');
    const seenBy = async (person: Someone) =>
      (await people.members(person)).invitations.map(({ forWhom }) => forWhom);
    expect(await Promise.all([owner, admin, member].map(seenBy))).toEqual([
      [WORDS, null],
      [WORDS, null],
      [null, null],
    ]);
    const digest = sha256Hex(canonicalJson({ role: 'member', forWhom: WORDS }));
    for (const text of [await service.stored(), service.log]) {
      expect([WORDS, digest].filter((each) => text.includes(each))).toEqual([]);
    }
  });

  it('go with the invitation: when it is revoked, accepted or over', async () => {
    const owner = await people.signUp();
    const [revoked, accepted] = [await inviteFor(owner, WORDS), await inviteFor(owner, WORDS)];
    await inviteFor(owner, WORDS);
    const held = async () => [
      await service.blobNames(revoked.invitationId),
      await service.blobNames(accepted.invitationId),
    ];
    expect(await held()).toEqual([['for'], ['for']]);
    const path = `/v1/console/invitations/${revoked.invitationId}`;
    expect((await service.send('DELETE', path, { cookie: owner.cookie })).status).toBe(204);
    const code = codeOf(String(accepted.url));
    expect((await people.accept(code, people.newEmail())).status).toBe(200);
    await expect.poll(held).toEqual([[], []]);
    service.clock.advance(LIMITS.console.invitationMs);
    const cookie = cookieOf(await people.signIn(owner.email));
    expect((await people.members({ ...owner, cookie })).invitations).toEqual([]);
  });

  it('do not come back when the request is repeated after the invitation was revoked', async () => {
    const owner = await people.signUp();
    const { invitationId } = await inviteFor(owner, WORDS, 'invite-grace');
    const path = `/v1/console/invitations/${invitationId}`;
    expect((await service.send('DELETE', path, { cookie: owner.cookie })).status).toBe(204);
    const held = () => service.blobNames(invitationId);
    await expect.poll(held).toEqual([]);
    expect(await inviteFor(owner, WORDS, 'invite-grace')).toMatchObject({ invitationId, url: null });
    expect(await held()).toEqual([]);
  });

  it('are in no refusal', async () => {
    const owner = await people.signUp();
    const json = { role: 'member', forWhom: WORDS.repeat(9) };
    const answer = await service.send('POST', '/v1/console/invitations', { cookie: owner.cookie, json });
    expect(refusal(answer)).toEqual([400, 'bad_request']);
    expect(JSON.stringify(answer.body)).not.toContain('Quux');
  });
});

describe('an invitation', () => {
  it('brings a new person in with its role, once', async () => {
    const owner = await people.signUp();
    const code = await people.inviteCode(owner, 'admin');
    expect((await people.members(owner)).invitations).toHaveLength(1);
    const inspect = () => service.send('POST', '/v1/console/invitations/inspect', { json: { code } });
    const { body } = await inspect();
    expect(body).toMatchObject({ role: 'admin', invitedBy: owner.email });
    const email = people.newEmail();
    expect((await people.accept(code, email)).body).toMatchObject({ organizations: [{ role: 'admin' }] });
    expect(refusal(await people.accept(code, people.newEmail()))).toEqual([404, 'not_found']);
    expect(refusal(await inspect())).toEqual([404, 'not_found']);
    const { members: listed, invitations } = await people.members(owner);
    expect(listed.map((member) => [member.email, member.role]).sort()).toEqual(
      [
        [email, 'admin'],
        [owner.email, 'owner'],
      ].sort(),
    );
    expect(invitations).toEqual([]);
  });

  it('gives the same answer to a repeated acceptance', async () => {
    const owner = await people.signUp();
    const code = await people.inviteCode(owner, 'member');
    const email = people.newEmail();
    await people.accept(code, email);
    expect((await people.accept(code, email)).status).toBe(200);
    expect((await people.members(owner)).members).toHaveLength(2);
  });

  it('gives the same session to a new person whose acceptance is sent twice at once with one key', async () => {
    const owner = await people.signUp();
    const json = {
      code: await people.inviteCode(owner, 'member'),
      email: people.newEmail(),
      password: PASSWORD,
    };
    const accept = (key: string) => service.send('POST', '/v1/console/invitations/accept', { json, key });
    const answers = await Promise.all([accept('one-form-of-a-page'), accept('one-form-of-a-page')]);
    answers.push(await accept('one-form-of-a-page'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(cookieOf)).size).toBe(1);
    expect((await people.session(cookieOf(answers[0]!))).status).toBe(200);
    expect((await people.members(owner)).members).toHaveLength(2);
    const other = { ...json, email: people.newEmail() };
    const key = 'another-form-of-a-page';
    const refused = await service.send('POST', '/v1/console/invitations/accept', { json: other, key });
    expect(refusal(refused)).toEqual([404, 'not_found']);
  });

  it('answers a repeat with a session for its own organization, and with 404 once the member is removed', async () => {
    const [owner, person] = [await people.signUp('First'), await people.signUp('Second')];
    const code = await people.inviteCode(owner, 'member');
    const answers = [await people.accept(code, person.email), await people.accept(code, person.email)];
    const { organizationId } = owner;
    expect(answers.map(({ body }) => body.organizationId)).toEqual([organizationId, organizationId]);
    expect((await people.remove(owner, person)).status).toBe(204);
    expect(refusal(await people.accept(code, person.email))).toEqual([404, 'not_found']);
    expect((await people.members(owner)).members).toHaveLength(1);
  });

  it('lets exactly one of two people in who accept at once', async () => {
    const owner = await people.signUp();
    const code = await people.inviteCode(owner, 'member');
    const answers = await Promise.all([
      people.accept(code, people.newEmail()),
      people.accept(code, people.newEmail()),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await people.members(owner)).members).toHaveLength(2);
  });

  it('brings an existing person in by its password or its session, and the session can switch', async () => {
    const [first, second] = [await people.signUp('First'), await people.signUp('Second')];
    const code = await people.inviteCode(first, 'member');
    expect(refusal(await people.accept(code, second.email, 'a wrong password 123'))).toEqual([
      401,
      'unauthorized',
    ]);
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
    const stranger = await people.signUp();
    const json = { organizationId: stranger.organizationId };
    expect(refusal(await service.send('POST', '/v1/console/session', { cookie, json }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('has a path for acceptances that names no invitation', async () => {
    const { cookie } = await people.signUp();
    const answer = await service.send('DELETE', '/v1/console/invitations/accept', { cookie });
    expect(refusal(answer)).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe('OPTIONS, POST');
  });

  it('ends when it is revoked or over, and an admin makes no owner', async () => {
    const owner = await people.signUp();
    const admin = await people.joined(owner, 'admin');
    const json = { role: 'owner' };
    const made = await service.send('POST', '/v1/console/invitations', { cookie: admin.cookie, json });
    expect(refusal(made)).toEqual([403, 'forbidden']);
    const code = await people.inviteCode(owner, 'member');
    const [open] = (await people.members(owner)).invitations;
    const path = `/v1/console/invitations/${open?.invitationId}`;
    expect((await service.send('DELETE', path, { cookie: admin.cookie })).status).toBe(204);
    expect(refusal(await people.accept(code, people.newEmail()))).toEqual([404, 'not_found']);
    const late = await people.inviteCode(owner, 'member');
    service.clock.advance(LIMITS.console.invitationMs);
    expect(refusal(await people.accept(late, people.newEmail()))).toEqual([404, 'not_found']);
  });
});

describe('roles', () => {
  it('are given by owners to all and by admins to all but owners', async () => {
    const owner = await people.signUp();
    const [admin, member] = [await people.joined(owner, 'admin'), await people.joined(owner, 'member')];
    expect((await setRole(admin, member, 'admin')).body).toMatchObject({ role: 'admin' });
    expect(refusal(await setRole(admin, owner, 'member'))).toEqual([403, 'forbidden']);
    expect(refusal(await setRole(admin, member, 'owner'))).toEqual([403, 'forbidden']);
    expect((await setRole(owner, admin, 'member')).body).toMatchObject({ role: 'member' });
    expect(refusal(await setRole(admin, member, 'member'))).toEqual([403, 'forbidden']);
  });

  it('keep one owner when two owners demote each other', async () => {
    const first = await people.signUp();
    const second = await people.joined(first, 'owner');
    const answers = await Promise.all([setRole(first, second, 'member'), setRole(second, first, 'member')]);
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const owners = (await people.members(first)).members.filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    const [last] = [first, second].filter(({ userId }) => userId === owners[0]?.userId);
    expect(refusal(await people.remove(last!, last!))).toEqual([409, 'state_conflict']);
  });

  it('that were taken away end the sessions for the organization at once', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    expect((await people.remove(owner, member)).status).toBe(204);
    const read = (cookie?: string) =>
      service.send('GET', '/v1/console/session', cookie === undefined ? {} : { cookie });
    await expect.poll(async () => refusal(await read(member.cookie))).toEqual([401, 'membership_ended']);
    expect(refusal(await people.signIn(member.email))).toEqual([403, 'forbidden']);
    expect(refusal(await read(member.cookie))).toEqual([401, 'membership_ended']);
    await service.send('POST', '/v1/console/sign-out', { cookie: owner.cookie, json: {} });
    expect(refusal(await read(owner.cookie))).toEqual([401, 'session_required']);
    expect(refusal(await read())).toEqual([401, 'session_required']);
  });

  it('let each member leave, and not remove a member with a higher role', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    expect(refusal(await people.remove(member, owner))).toEqual([403, 'forbidden']);
    expect((await people.remove(member, member)).status).toBe(204);
  });
});

describe('passwords and sessions', () => {
  it('a changed password ends the other sessions and keeps its own', async () => {
    const owner = await people.signUp();
    const other = cookieOf(await people.signIn(owner.email));
    const json = { current: PASSWORD, next: 'a brand new password' };
    const change = (given: object) =>
      service.send('POST', '/v1/console/password', { cookie: owner.cookie, json: given });
    expect(refusal(await change({ ...json, current: 'not the current one' }))).toEqual([401, 'unauthorized']);
    expect((await change(json)).status).toBe(204);
    const session = (cookie: string) => service.send('GET', '/v1/console/session', { cookie });
    expect((await session(owner.cookie)).status).toBe(200);
    expect((await session(other)).status).toBe(401);
    expect((await people.signIn(owner.email)).status).toBe(401);
    expect((await people.signIn(owner.email, json.next)).status).toBe(200);
  });

  it('a sign-in makes a new session, whatever cookie another person has planted in the browser', async () => {
    const [owner, attacker] = [await people.signUp(), await people.signUp()];
    const json = { email: owner.email, password: PASSWORD };
    const session = (cookie: string) => service.send('GET', '/v1/console/session', { cookie });
    const ofNobody = owner.cookie.replace(/=.+/, (secret) => `=${[...secret.slice(1)].reverse().join('')}`);
    for (const planted of [attacker.cookie, ofNobody]) {
      const cookie = cookieOf(await service.send('POST', '/v1/console/sign-in', { cookie: planted, json }));
      expect(cookie).not.toBe(planted);
      expect((await session(cookie)).body).toMatchObject({ user: { userId: owner.userId } });
    }
    expect((await session(attacker.cookie)).body).toMatchObject({ user: { userId: attacker.userId } });
    expect((await session(ofNobody)).status).toBe(401);
  });

  it('sessions are listed and can be ended one by one', async () => {
    const owner = await people.signUp();
    const other = cookieOf(await people.signIn(owner.email));
    const listed = await service.send('GET', '/v1/console/sessions', { cookie: owner.cookie });
    const { sessions } = sessionListSchema.parse(listed.body);
    expect(sessions.map(({ current }) => current)).toEqual([false, true]);
    const path = `/v1/console/sessions/${sessions[0]?.sessionId}`;
    expect((await service.send('DELETE', path, { cookie: owner.cookie })).status).toBe(204);
    expect((await service.send('GET', '/v1/console/session', { cookie: other })).status).toBe(401);
  });

  it('sessions are named by browser and system, and nothing else of a program is kept', async () => {
    const owner = await people.signUp();
    const marker = 'Marker7x';
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0 ${marker}`;
    await service.send('POST', '/v1/console/sign-in', {
      json: { email: owner.email, password: PASSWORD },
      userAgent,
    });
    const { body } = await service.send('GET', '/v1/console/sessions', { cookie: owner.cookie });
    const browsers = sessionListSchema.parse(body).sessions.map(({ browser }) => browser);
    expect(browsers).toEqual(['Firefox on Linux', null]);
    expect((await service.stored()) + service.log).not.toContain(marker);
  });
});

it('keeps addresses, passwords and codes out of topics, state and logs', async () => {
  const owner = await people.signUp();
  const code = await people.inviteCode(owner, 'member');
  const kept = (await service.stored()) + service.log;
  for (const secret of [owner.email, PASSWORD, code, owner.cookie.split('=')[1] ?? '']) {
    expect(kept).not.toContain(secret);
  }
});
