// Refusals of people and organizations that no other end-to-end test meets.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { AccountsService } from '../e2e/people/accounts-service.fixture.ts';
import { LIMITS, PASSWORD, People } from '../e2e/people/people.fixture.ts';
import { expectRefused } from './refused.fixture.ts';

const CONSOLE = {
  ...LIMITS.console,
  invitationsOpen: 2,
  membersPerOrganization: 3,
  organizationsPerPerson: 2,
  signUpsPerAddressDay: 4,
};

describe('people are refused', () => {
  let service: AccountsService;
  let people: People;
  beforeEach(async () => {
    service = await AccountsService.start({ ...LIMITS, console: CONSOLE });
    people = new People(service);
  });
  afterEach(() => service.close());

  const invite = (cookie: string) =>
    service.send('POST', '/v1/console/invitations', { cookie, json: { role: 'member' } });

  it('one invitation, member or organization too many', async () => {
    const owner = await people.signUp();
    const first = await people.joined(owner, 'member');
    await people.joined(owner, 'member');
    const code = await people.inviteCode(owner, 'member');
    expectRefused(await people.accept(code, people.newEmail()), 'limit_reached', 'organization.members');
    await people.inviteCode(owner, 'member');
    expectRefused(await invite(owner.cookie), 'limit_reached', 'organization.invitations');

    const second = await people.signUp();
    expect((await people.accept(await people.inviteCode(second, 'member'), first.email)).status).toBe(200);
    const third = await people.signUp();
    const refused = await people.accept(await people.inviteCode(third, 'member'), first.email);
    expectRefused(refused, 'limit_reached', 'person.organizations');
  });

  it('a membership that they have, and one without an account', async () => {
    const owner = await people.signUp();
    const code = await people.inviteCode(owner, 'member');
    expectRefused(await people.accept(code, owner.email), 'state_conflict', 'caller');
    const path = '/v1/console/invitations/accept';
    expectRefused(await service.send('POST', path, { json: { code } }), 'session_required', 'header.Cookie');
  });

  it('a role for a user who is not a member', async () => {
    const { cookie } = await people.signUp();
    const path = `/v1/console/members/${idFrom('user', new Uint8Array(ID_BYTES))}`;
    const answer = await service.send('PATCH', path, { cookie, json: { role: 'admin' } });
    expectRefused(answer, 'not_found', 'path.userId');
  });

  it('a sign-up from an address with too many, or where it is closed', async () => {
    for (let count = 0; count < CONSOLE.signUpsPerAddressDay; count += 1) await people.signUp();
    const json = { organization: 'Example', email: people.newEmail(), password: PASSWORD };
    const signUp = () => service.send('POST', '/v1/console/sign-up', { json });
    expectRefused(await signUp(), 'rate_limited', 'request.rate');
    service.signUp = 'off';
    await service.restart();
    expectRefused(await signUp(), 'forbidden', 'service.signUp');
  });
});
