import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOidcClient } from '../../../../gateway/people/oidc-client.ts';
import { JOURNEY_MS } from '../../../../gateway/people/oidc-cookie.ts';
import { invitationSchema, memberListSchema, sessionSchema } from '../../../../schemas/people/http.ts';
import { expectRefused } from '../../refusals/refused.fixture.ts';
import { AccountsService, type Received } from './accounts-service.fixture.ts';
import { IdentityProvider } from './identity-provider.fixture.ts';

const CONSOLE = 'http://console.test';
const CLIENT = { clientId: 'svc', clientSecret: 'a secret that only the two of them know' };

let provider: IdentityProvider;
let service: AccountsService;
let subjects = 0;

beforeAll(async () => {
  provider = await IdentityProvider.start({ ...CLIENT, redirectUri: `${CONSOLE}/v1/console/oidc/callback` });
  service = await AccountsService.start();
  service.oidc = createOidcClient({ issuer: provider.issuer, ...CLIENT });
});

afterAll(async () => {
  await service.close();
  await provider.stop();
});

beforeEach(() => {
  subjects += 1;
  provider.subject = `subject-${subjects}`;
});

const cookieOf = ({ cookie }: Received) => String(cookie).split(';')[0] ?? '';
const location = ({ headers }: Received) => String(headers.get('location'));

async function policy(signUp: AccountsService['signUp']): Promise<void> {
  service.signUp = signUp;
  await service.restart();
}

/** Goes to the provider and back; the answer is the callback's. */
async function signIn(returnTo = '/agent-workspaces'): Promise<Received> {
  const start = await service.send('GET', `/v1/console/oidc/start?return=${encodeURIComponent(returnTo)}`);
  expect(start.status).toBe(302);
  const back = new URL(await provider.visit(location(start)));
  return await service.send('GET', back.pathname + back.search, { cookie: cookieOf(start) });
}

const session = (cookie: string) => service.send('GET', '/v1/console/session', { cookie });

describe('signing in with a provider', () => {
  it('makes a person with an organization where sign-up is open, and finds it again', async () => {
    await policy('open');
    const first = await signIn('/agent-workspaces?tab=keys');
    expect([first.status, location(first)]).toEqual([302, `${CONSOLE}/agent-workspaces?tab=keys`]);
    const one = sessionSchema.parse((await session(cookieOf(first))).body);
    expect(one).toMatchObject({ user: { email: 'ada@example.com' }, organizations: [{ role: 'owner' }] });
    const two = sessionSchema.parse((await session(cookieOf(await signIn()))).body);
    expect(two.user.userId).toBe(one.user.userId);
    expect(two.organizationId).toBe(one.organizationId);
  });

  it('leaves a change of the address to the provider', async () => {
    await policy('open');
    const json = { password: 'correct horse battery staple', email: 'other@example.com' };
    const refused = await service.send('POST', '/v1/console/email', {
      cookie: cookieOf(await signIn()),
      json,
    });
    expectRefused(refused, 'forbidden', 'caller.identity');
  });

  it('says that the person has no password, and makes no reset link', async () => {
    await policy('open');
    const cookie = cookieOf(await signIn());
    const { user } = sessionSchema.parse((await session(cookie)).body);
    expect(user.hasPassword).toBe(false);
    const list = await service.send('GET', '/v1/console/members', { cookie });
    expect(memberListSchema.parse(list.body).members).toMatchObject([{ hasPassword: false }]);
    const path = `/v1/console/members/${user.userId}/reset-link`;
    expectRefused(await service.send('POST', path, { cookie, json: {} }), 'forbidden', 'path.userId');
    const json = {
      organization: 'Password',
      email: 'grace@example.com',
      password: 'correct horse battery staple',
    };
    const byPassword = await service.send('POST', '/v1/console/sign-up', { json });
    expect(byPassword.body).toMatchObject({ user: { hasPassword: true } });
  });

  it('never matches by e-mail address: the same address at the provider is another person', async () => {
    await policy('open');
    const password = 'correct horse battery staple';
    const json = { organization: 'Password', email: 'ada@example.com', password };
    const byPassword = await service.send('POST', '/v1/console/sign-up', { json });
    const byProvider = await session(cookieOf(await signIn()));
    expect(byProvider.body.user.userId).not.toBe(byPassword.body.user.userId);
    expect(byProvider.body.user.email).toBe(byPassword.body.user.email);
  });

  it('admits a new person by invitation only where the policy says so', async () => {
    await policy('open');
    const owner = cookieOf(await signIn());
    await policy('invite');
    provider.subject = 'somebody-invited';
    const cookie = cookieOf(await signIn('/invitation'));
    expectRefused(await session(cookie), 'organization_required', 'header.Cookie');
    const made = await service.send('POST', '/v1/console/invitations', {
      cookie: owner,
      json: { role: 'member' },
    });
    const { url } = invitationSchema.parse(made.body);
    const json = { code: String(url).split('#')[1] };
    const accepted = await service.send('POST', '/v1/console/invitations/accept', { cookie, json });
    expect(accepted.body).toMatchObject({ organizations: [{ role: 'member' }] });
  });

  it('makes no organization for a new person who follows an invitation where sign-up is open', async () => {
    await policy('open');
    const owner = cookieOf(await signIn());
    provider.subject = `invited-${subjects}`;
    const made = await service.send('POST', '/v1/console/invitations', {
      cookie: owner,
      json: { role: 'member' },
    });
    const cookie = cookieOf(await signIn('/invitation'));
    expectRefused(await session(cookie), 'organization_required', 'header.Cookie');
    const { url } = invitationSchema.parse(made.body);
    const json = { code: String(url).split('#')[1] };
    const accepted = await service.send('POST', '/v1/console/invitations/accept', { cookie, json });
    expect(sessionSchema.parse(accepted.body).organizations).toMatchObject([{ role: 'member' }]);
    const later = sessionSchema.parse((await session(cookieOf(await signIn()))).body);
    expect(later.organizations).toHaveLength(1);
  });

  it('makes the organization of a person whose invitation led nowhere at the next sign-in', async () => {
    await policy('open');
    const invited = cookieOf(await signIn('/invitation'));
    expectRefused(await session(invited), 'organization_required', 'header.Cookie');
    const first = sessionSchema.parse((await session(cookieOf(await signIn()))).body);
    expect(first.organizations).toMatchObject([{ name: 'My organization', role: 'owner' }]);
    const second = sessionSchema.parse((await session(cookieOf(await signIn()))).body);
    expect(second).toMatchObject({ user: first.user, organizations: first.organizations });
  });

  it('refuses new users if sign-up is off', async () => {
    await policy('off');
    expect((await signIn()).status).toBe(403);
  });

  it('sends a browser to the sign-in page with the code of the error, and keeps the way back', async () => {
    await policy('off');
    const start = await service.send('GET', '/v1/console/oidc/start?return=/keys');
    const back = new URL(await provider.visit(location(start)));
    const target = back.pathname + back.search;
    const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
    const refused = await service.send('GET', target, { cookie: cookieOf(start), accept });
    expect([refused.status, location(refused)]).toEqual([
      302,
      `${CONSOLE}/sign-in?problem=forbidden&return=%2Fkeys`,
    ]);
    expect(refused.cookie).toBe(
      `${cookieOf(start).split('=')[0]}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
    );
    const lost = await service.send('GET', target, { accept });
    expect(location(lost)).toBe(`${CONSOLE}/sign-in?problem=unauthorized&reason=not_started`);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'evil', '/a\nb'])(
    'does not redirect to %j',
    async (target) => {
      const path = `/v1/console/oidc/start?return=${encodeURIComponent(target)}`;
      expect((await service.send('GET', path)).status).toBe(400);
    },
  );

  it('takes an answer of the provider only in the browser that asked, and only once', async () => {
    await policy('open');
    const start = await service.send('GET', '/v1/console/oidc/start');
    const back = new URL(await provider.visit(location(start)));
    const target = back.pathname + back.search;
    expect((await service.send('GET', target)).status).toBe(401);
    const other = await service.send('GET', '/v1/console/oidc/start');
    expect((await service.send('GET', target, { cookie: cookieOf(other) })).status).toBe(401);
    const cookie = cookieOf(start);
    expect((await service.send('GET', target, { cookie: `${cookie.slice(0, -4)}AAAA` })).status).toBe(401);
    expect((await service.send('GET', target, { cookie })).status).toBe(302);
    expect((await service.send('GET', target, { cookie })).status).toBe(401);
  });

  it('goes back to a path of any characters', async () => {
    await policy('open');
    const answer = await signIn('/arbeitsbereiche/Grüße 日本?q=€#teil');
    expect([answer.status, location(answer)]).toEqual([
      302,
      `${CONSOLE}/arbeitsbereiche/Gr%C3%BC%C3%9Fe%20%E6%97%A5%E6%9C%AC?q=%E2%82%AC#teil`,
    ]);
    expect((await session(cookieOf(answer))).status).toBe(200);
  });

  it('takes the cookie of the journey away at its end, and accepts no journey that took too long', async () => {
    await policy('open');
    const cookies = (await signIn()).headers.getSetCookie();
    expect(cookies[1]).toMatch(/^svc_oidc_[\w-]{16}=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
    const start = await service.send('GET', '/v1/console/oidc/start');
    const back = new URL(await provider.visit(location(start)));
    service.clock.advance(JOURNEY_MS);
    const late = await service.send('GET', back.pathname + back.search, { cookie: cookieOf(start) });
    expect(late.status).toBe(401);
  });

  it('is not there without a provider, and unavailable while the provider is', async () => {
    const { oidc } = service;
    service.oidc = null;
    await service.restart();
    expect((await service.send('GET', '/v1/console/oidc/start')).status).toBe(404);
    service.oidc = createOidcClient({ issuer: 'http://127.0.0.1:9', ...CLIENT });
    await service.restart();
    expect((await service.send('GET', '/v1/console/oidc/start')).status).toBe(503);
    const browser = await service.send('GET', '/v1/console/oidc/start?return=/keys', { accept: 'text/html' });
    expect(location(browser)).toBe(
      `${CONSOLE}/sign-in?problem=unavailable&reason=unreachable&return=%2Fkeys`,
    );
    service.oidc = oidc;
    await service.restart();
  });
});
