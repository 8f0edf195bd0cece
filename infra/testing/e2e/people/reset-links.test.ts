import { describe, expect, it } from 'vitest';
import { setUpCode } from '../../../../gateway/people/set-up-code.ts';
import { oneTimeLinkSchema } from '../../../../schemas/people/http.ts';
import { codeOf, refusal } from '../customer.fixture.ts';
import type { AccountsService } from './accounts-service.fixture.ts';
import { LIMITS, PASSWORD, type People, type Someone, servePeople, someone } from './people.fixture.ts';

let service: AccountsService;
let people: People;

servePeople((started) => {
  ({ service, people } = started);
});

describe('a reset link', () => {
  it('works once and ends every session', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    const path = `/v1/console/members/${member.userId}/reset-link`;
    const made = await service.send('POST', path, { cookie: owner.cookie, json: {} });
    expect(made.status).toBe(201);
    const code = codeOf(oneTimeLinkSchema.parse(made.body).url);
    const reset = () =>
      service.send('POST', '/v1/console/password/reset', { json: { code, password: 'a password by link' } });
    expect((await reset()).status).toBe(204);
    expect(refusal(await reset())).toEqual([404, 'not_found']);
    expect((await service.send('GET', '/v1/console/session', { cookie: member.cookie })).status).toBe(401);
    expect((await people.signIn(member.email, 'a password by link')).status).toBe(200);
  });

  it('sets a password once under one key, whose repeats get the first answer', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    const code = codeOf(oneTimeLinkSchema.parse((await people.offerReset(owner, member)).body).url);
    const reset = (key: string, password = 'a password by link') =>
      service.send('POST', '/v1/console/password/reset', { json: { code, password }, key });
    const [one, two] = ['one-form-of-a-page', 'another-form-of-a-page'];
    const together = await Promise.all([reset(one), reset(one)]);
    expect(together.map(({ status }) => status)).toEqual([204, 204]);
    expect((await reset(one)).status).toBe(204);
    expect(refusal(await reset(two))).toEqual([404, 'not_found']);
    expect(refusal(await reset(one, 'another password by link'))).toEqual([409, 'idempotency_conflict']);
    expect((await people.signIn(member.email, 'a password by link')).status).toBe(200);
  });

  it('is no way to guess the password that it set', async () => {
    const owner = await people.signUp();
    const member = await people.joined(owner, 'member');
    const code = codeOf(oneTimeLinkSchema.parse((await people.offerReset(owner, member)).body).url);
    const key = 'one-form-of-a-page';
    const reset = (password: string) =>
      service.send('POST', '/v1/console/password/reset', { json: { code, password }, key });
    expect((await reset('a password by link')).status).toBe(204);
    for (let count = 0; count < LIMITS.console.signInsPerAccountAndAddress; count += 1) {
      expect(refusal(await reset('a guessed password'))).toEqual([409, 'idempotency_conflict']);
    }
    expect(refusal(await reset('a guessed password'))).toEqual([429, 'rate_limited']);
  });

  it('ends when the person joins or leaves an organization', async () => {
    const owner = await people.signUp('First');
    const offered = async (member: Someone) => {
      const path = `/v1/console/members/${member.userId}/reset-link`;
      const made = await service.send('POST', path, { cookie: owner.cookie, json: {} });
      return codeOf(oneTimeLinkSchema.parse(made.body).url);
    };
    const use = (code: string) =>
      service.send('POST', '/v1/console/password/reset', { json: { code, password: 'a password by link' } });
    const promoted = await people.joined(owner, 'member');
    const beforeJoin = await offered(promoted);
    const other = await people.signUp('Second');
    expect((await people.accept(await people.inviteCode(other, 'owner'), promoted.email)).status).toBe(200);
    expect(refusal(await use(beforeJoin))).toEqual([404, 'not_found']);
    const removed = await people.joined(owner, 'member');
    const beforeRemoval = await offered(removed);
    expect((await people.remove(owner, removed)).status).toBe(204);
    expect(refusal(await use(beforeRemoval))).toEqual([404, 'not_found']);
    expect((await people.signIn(promoted.email)).status).toBe(200);
  });

  it('is refused for a person who belongs to another organization too, and to an admin', async () => {
    const [owner, other] = [await people.signUp(), await people.signUp()];
    const admin = await people.joined(owner, 'admin');
    await people.accept(await people.inviteCode(owner, 'member'), other.email);
    const ask = (by: Someone, of: Someone) =>
      service.send('POST', `/v1/console/members/${of.userId}/reset-link`, { cookie: by.cookie, json: {} });
    expect(refusal(await ask(owner, other))).toEqual([403, 'forbidden']);
    expect(refusal(await ask(admin, admin))).toEqual([403, 'forbidden']);
  });
});

describe('a service without mail', () => {
  it('refuses to mail a reset link or an invitation', async () => {
    const owner = await people.signUp();
    const forgotten = { json: { email: owner.email } };
    expect(refusal(await service.send('POST', '/v1/console/forgot-password', forgotten))).toEqual([
      404,
      'not_found',
    ]);
    const invitation = { cookie: owner.cookie, json: { role: 'member', email: people.newEmail() } };
    expect(refusal(await service.send('POST', '/v1/console/invitations', invitation))).toEqual([
      404,
      'not_found',
    ]);
    expect((await service.send('GET', '/v1/console/sign-in')).body).toMatchObject({ mail: false });
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
    return someone(await people.signIn(email), email);
  }

  it('makes a reset link for any person, and other callers do not learn that the person exists', async () => {
    const [owner, other] = [await people.signUp(), await people.signUp()];
    await people.accept(await people.inviteCode(owner, 'member'), other.email);
    const chief = await operator();
    const member = await people.joined(chief, 'admin');
    expect(refusal(await ask(owner, other.email))).toEqual([404, 'not_found']);
    expect(refusal(await ask(member, other.email))).toEqual([403, 'forbidden']);
    expect(refusal(await ask(chief, people.newEmail()))).toEqual([404, 'not_found']);
    const made = await ask(chief, other.email.toUpperCase());
    expect(made.status).toBe(201);
    const code = codeOf(oneTimeLinkSchema.parse(made.body).url);
    const json = { code, password: 'a password by link' };
    expect((await service.send('POST', '/v1/console/password/reset', { json })).status).toBe(204);
    expect((await people.signIn(other.email, json.password)).status).toBe(200);
  });
});
