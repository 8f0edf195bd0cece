import { describe, expect, it } from 'vitest';
import { codeOf, cookieOf, refusal } from '../customer.fixture.ts';
import type { AccountsService, Received } from './accounts-service.fixture.ts';
import { LIMITS, PASSWORD, type People, type Someone, servePeople } from './people.fixture.ts';

let service: AccountsService;
let people: People;

servePeople((started) => {
  ({ service, people } = started);
});

const change = ({ cookie }: Someone, email: string, password = PASSWORD) =>
  service.send('POST', '/v1/console/email', { cookie, json: { password, email } });
const erase = ({ cookie }: Someone, confirm: string, password = PASSWORD) =>
  service.send('POST', '/v1/console/erase', { cookie, json: { password, confirm } });
const leave = ({ cookie }: Someone, organizationId: string) =>
  service.send('DELETE', `/v1/console/memberships/${organizationId}`, { cookie });
const switchTo = (cookie: string, organizationId: string) =>
  service.send('POST', '/v1/console/session', { cookie, json: { organizationId } });

const setPassword = ({ cookie }: Someone, current: string, next: string, key?: string) =>
  service.send('POST', '/v1/console/password', {
    cookie,
    json: { current, next },
    ...(key === undefined ? {} : { key }),
  });

async function emailsOf(owner: Someone): Promise<string[]> {
  return (await people.members(owner)).members.map(({ email }) => email).sort();
}

describe('another password', () => {
  const NEXT = 'another horse battery staple';

  it('is set once under one key, whose repeats get the first answer', async () => {
    const person = await people.signUp();
    const set = (key?: string) => setPassword(person, PASSWORD, NEXT, key);
    const at = [set('one form'), set('one form')];
    expect((await Promise.all(at)).map(({ status }) => status)).toEqual([204, 204]);
    expect((await set('one form')).status).toBe(204);
    expect(refusal(await set('another form'))).toEqual([401, 'unauthorized']);
    expect(refusal(await set())).toEqual([401, 'unauthorized']);
    expect((await people.signIn(person.email, NEXT)).status).toBe(200);
  });

  it('is refused under the key of another one', async () => {
    const person = await people.signUp();
    expect((await setPassword(person, PASSWORD, NEXT, 'one form')).status).toBe(204);
    const other = 'a third horse battery staple';
    expect(refusal(await setPassword(person, PASSWORD, other, 'one form'))).toEqual([401, 'unauthorized']);
    expect(refusal(await setPassword(person, NEXT, other, 'one form'))).toEqual([
      409,
      'idempotency_conflict',
    ]);
    expect((await people.signIn(person.email, NEXT)).status).toBe(200);
  });

  it('cannot be guessed by repeats with its key', async () => {
    const person = await people.signUp();
    expect((await setPassword(person, PASSWORD, NEXT, 'one form')).status).toBe(204);
    const guess = () => setPassword(person, PASSWORD, 'a guessed horse battery', 'one form');
    for (let count = 0; count < LIMITS.console.signInsPerAccountAndAddress; count += 1) {
      expect(refusal(await guess())).toEqual([401, 'unauthorized']);
    }
    expect(refusal(await guess())).toEqual([429, 'rate_limited']);
  });
});

describe('another e-mail address', () => {
  it('is for the same person with the same memberships and password', async () => {
    const [owner, member] = [await people.signUp(), await people.signUp('Own')];
    await people.accept(await people.inviteCode(owner, 'admin'), member.email);
    const other = cookieOf(await people.signIn(member.email));
    const email = people.newEmail();
    const answer = await change(member, email.toUpperCase());
    expect(answer.status).toBe(204);
    expect((await people.session(other)).status).toBe(401);
    expect((await people.session(member.cookie)).status).toBe(401);
    const { body } = await people.session(cookieOf(answer));
    expect(body).toMatchObject({
      user: { userId: member.userId, email },
      organizationId: member.organizationId,
    });
    expect(body.organizations.map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin']);
    expect(await emailsOf(owner)).toEqual([owner.email, email].sort());
    expect((await people.signIn(member.email)).status).toBe(401);
    const again = await people.signIn(email);
    expect(again.status).toBe(200);
    expect((await change({ ...member, cookie: cookieOf(again) }, email)).status).toBe(204);
    expect((await people.remove(owner, member)).status).toBe(204);
    expect((await people.signIn(email)).body.organizations).toHaveLength(1);
  });

  it('frees the former address for another person', async () => {
    const owner = await people.signUp();
    const email = people.newEmail();
    const { email: former } = owner;
    expect((await change(owner, email)).status).toBe(204);
    const json = { organization: 'Next', email: former, password: PASSWORD };
    const next = await service.send('POST', '/v1/console/sign-up', { json });
    expect(next.status).toBe(201);
    expect(next.body.user.userId).not.toBe(owner.userId);
  });

  it('is refused if the address is taken, without the password, and for one of two people who choose the same one', async () => {
    const [one, two] = [await people.signUp(), await people.signUp()];
    const before = await service.identities();
    expect(refusal(await change(one, two.email))).toEqual([409, 'state_conflict']);
    expect(refusal(await change(one, people.newEmail(), 'a wrong password'))).toEqual([401, 'unauthorized']);
    expect(await service.identities()).toEqual(before);
    const wanted = people.newEmail();
    const answers = await Promise.all([change(one, wanted), change(two, wanted)]);
    expect(answers.map(({ status }: Received) => status).sort()).toEqual([204, 409]);
    expect((await people.signIn(wanted)).status).toBe(200);
  });

  it('ends a reset link, and the next one is for the new address', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    const before = codeOf((await people.offerReset(owner, member)).body.url);
    const email = people.newEmail();
    expect((await change(member, email)).status).toBe(204);
    expect(refusal(await people.reset(before, 'a password by link'))).toEqual([404, 'not_found']);
    const after = codeOf((await people.offerReset(owner, member)).body.url);
    expect((await people.reset(after, 'a password by link')).status).toBe(204);
    expect((await people.signIn(email, 'a password by link')).status).toBe(200);
  });
});

describe('leaving', () => {
  it('works for every organization of the person, but not for its last owner', async () => {
    const [owner, other] = [await people.signUp(), await people.signUp()];
    await people.accept(await people.inviteCode(owner, 'member'), other.email);
    expect(refusal(await leave(other, other.organizationId))).toEqual([409, 'state_conflict']);
    const left = await leave(other, owner.organizationId);
    expect([left.status, left.cookie]).toEqual([204, null]);
    expect(refusal(await leave(other, owner.organizationId))).toEqual([404, 'not_found']);
    expect(refusal(await switchTo(other.cookie, owner.organizationId))).toEqual([404, 'not_found']);
    expect(await emailsOf(owner)).toEqual([owner.email]);
    const member = await people.joined(owner, 'member');
    expect((await leave(member, owner.organizationId)).cookie).toContain('Max-Age=0');
  });
});

describe('erasing oneself', () => {
  it('takes the password and the own address', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    expect(refusal(await erase(member, owner.email))).toEqual([400, 'bad_request']);
    expect(refusal(await erase(member, member.email, 'a wrong password'))).toEqual([401, 'unauthorized']);
    expect((await people.session(member.cookie)).status).toBe(200);
  });

  it('leaves every organization and nothing of the person', async () => {
    const [first, second] = [await people.signUp(), await people.signUp()];
    const before = await service.identities();
    const member = await people.joined(first, 'admin');
    await people.accept(await people.inviteCode(second, 'owner'), member.email);
    const answer = await erase(member, member.email.toUpperCase());
    expect([answer.status, answer.cookie]).toEqual([
      204,
      'svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(await emailsOf(first)).toEqual([first.email]);
    expect(await emailsOf(second)).toEqual([second.email]);
    expect(refusal(await people.signIn(member.email))).toEqual([401, 'unauthorized']);
    expect(await service.identities()).toEqual(before);
    const json = { organization: 'Again', email: member.email, password: PASSWORD };
    const again = await service.send('POST', '/v1/console/sign-up', { json });
    expect([again.status, again.body.user.userId === member.userId]).toEqual([201, false]);
  });

  it('is refused to the last owner of an organization, who stays in all others', async () => {
    const [first, second] = [await people.signUp(), await people.signUp()];
    await people.accept(await people.inviteCode(first, 'member'), second.email);
    expect(refusal(await erase(second, second.email))).toEqual([409, 'state_conflict']);
    expect(await emailsOf(first)).toEqual([first.email, second.email].sort());
  });
});
