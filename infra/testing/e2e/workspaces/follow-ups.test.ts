import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { invitationSchema, sessionSchema } from '../../../../schemas/people/http.ts';
import { claimLinkAnswerSchema, createdWorkspaceSchema } from '../../../../schemas/workspaces/http.ts';
import { AccountsService, type Received, type RequestParts } from '../people/accounts-service.fixture.ts';

const PASSWORD = 'correct horse battery staple';
/** The longest time for which a topic's sweep keeps a follow-up: that of invitations. */
const KEPT_MS = 7 * DAY_MS;
const WAIT = { timeout: 45_000, interval: 250 };

let service: AccountsService;

beforeAll(async () => {
  service = await AccountsService.start();
});

afterAll(() => service.close());

const post = (path: string, json: unknown, parts: RequestParts = {}) =>
  service.send('POST', path, { json, ...parts });
const cookieOf = ({ cookie }: Received) => String(cookie).split(';')[0] ?? '';

/** The ids of the rows that remember follow-ups. */
async function remembered(): Promise<string[]> {
  const lines = (await service.stored()).split('\n');
  return lines.filter((line) =>
    /^[a-z-]+:(workspaces|people|organizations)\/[^"]+\/[0-9a-f]{64}$/.test(line),
  );
}

async function confirmations(): Promise<number> {
  return (await service.stored()).split('"type":"delivery-confirmed"').length - 1;
}

/** Sign-up, invitation, removal and attachment: commands that go to and fro between aggregates. */
async function useEverything(): Promise<void> {
  const credentials = { email: 'ada@example.com', password: PASSWORD };
  const owner = {
    cookie: cookieOf(await post('/v1/console/sign-up', { organization: 'Example', ...credentials })),
  };
  const invited = await post('/v1/console/invitations', { role: 'member' }, owner);
  const code = String(invitationSchema.parse(invited.body).url).split('#')[1];
  const joining = { code, email: 'grace@example.com', password: PASSWORD };
  const joined = await post('/v1/console/invitations/accept', joining);
  const { userId } = sessionSchema.parse(joined.body).user;
  expect((await service.send('DELETE', `/v1/console/members/${userId}`, owner)).status).toBe(204);
  const made = await post('/v1/agent/workspaces', { name: 'Orders', cohort: 'external' });
  const { provisionToken, credential: bearer } = createdWorkspaceSchema.parse(made.body);
  const opened = await post('/v1/agent/workspace/claim-link', { provisionToken }, { bearer });
  const link = claimLinkAnswerSchema.parse(opened.body);
  const attach = { code: link.claimUrl.split('#')[1], confirm: link.confirmCode };
  expect((await post('/v1/console/claims/attach', attach, owner)).status).toBe(200);
}

/** Lets time pass while the service is down, so that its sweeps find what became due at its start. */
async function passTime(): Promise<void> {
  service.clock.advance(KEPT_MS + MINUTE_MS);
  await service.restart();
}

it('forgets every follow-up once its sender has confirmed it', async () => {
  await useEverything();
  const operations = ['create', 'join', 'leave', 'attach', 'attachment-confirmed'];
  await expect
    .poll(async () => (await remembered()).map((id) => id.split(':')[0]), WAIT)
    .toEqual(expect.arrayContaining(operations));
  const count = (await remembered()).length;
  await passTime();
  await expect.poll(confirmations, WAIT).toBeGreaterThanOrEqual(count);
  expect(await remembered()).toHaveLength(count);
  await passTime();
  await expect.poll(remembered, WAIT).toEqual([]);
  // The state is unchanged: no repeat has added or removed a member, or attached a workspace twice.
  const signedIn = await post('/v1/console/sign-in', { email: 'ada@example.com', password: PASSWORD });
  const cookie = cookieOf(signedIn);
  const members = await service.send('GET', '/v1/console/members', { cookie });
  expect(members.body.members).toHaveLength(1);
  const workspaces = await service.send('GET', '/v1/console/workspaces', { cookie });
  expect(workspaces.body.workspaces).toHaveLength(1);
});
