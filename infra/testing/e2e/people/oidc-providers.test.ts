import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOidcClient, type OidcSettings } from '../../../../gateway/people/oidc-client.ts';
import { memberListSchema, sessionSchema } from '../../../../schemas/people/http.ts';
import { AccountsService, type Received } from './accounts-service.fixture.ts';
import { IdentityProvider, type ProviderOptions } from './identity-provider.fixture.ts';

const CONSOLE = 'http://console.test';
/** A secret that a form and a header have to encode. */
const CLIENT = { clientId: 'svc', clientSecret: 'a secret+of:both%/=& of them, long enough' };
const BROWSER = 'text/html,*/*;q=0.8';

let service: AccountsService;
const providers: IdentityProvider[] = [];

beforeAll(async () => {
  service = await AccountsService.start();
});

afterAll(() => service.close());

afterEach(async () => {
  for (const provider of providers.splice(0)) await provider.stop();
});

/** Starts a provider, and the service with it. */
async function providerWith(options: ProviderOptions = {}, settings: Partial<OidcSettings> = {}) {
  const redirectUri = `${CONSOLE}/v1/console/oidc/callback`;
  const provider = await IdentityProvider.start({ ...CLIENT, redirectUri }, options);
  providers.push(provider);
  await use({ issuer: provider.issuer, ...settings });
  return provider;
}

async function use(settings: Partial<OidcSettings> & Pick<OidcSettings, 'issuer'>): Promise<void> {
  service.oidc = createOidcClient({ ...CLIENT, ...settings });
  await service.restart();
}

/** Plays a browser: keeps the cookies of the service, and sends them. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async get(path: string): Promise<Received> {
    return this.#kept(await service.send('GET', path, { cookie: this.cookie, accept: BROWSER }));
  }

  async signOut(): Promise<void> {
    this.#kept(await service.send('POST', '/v1/console/sign-out', { cookie: this.cookie, json: {} }));
  }

  /** Opens the page that starts a sign-in. @returns the provider's address */
  async start(returnTo = '/agent-workspaces'): Promise<string> {
    return location(await this.get(`/v1/console/oidc/start?return=${encodeURIComponent(returnTo)}`));
  }

  /** Comes back from the provider. @returns the address that opens then */
  async finish(provider: IdentityProvider, url: string): Promise<string> {
    const back = new URL(await provider.visit(url));
    return location(await this.get(back.pathname + back.search));
  }

  async signIn(provider: IdentityProvider, returnTo?: string): Promise<string> {
    return await this.finish(provider, await this.start(returnTo));
  }

  async session() {
    return sessionSchema.parse(
      (await service.send('GET', '/v1/console/session', { cookie: this.cookie })).body,
    );
  }

  #kept(received: Received): Received {
    for (const line of received.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return received;
  }
}

const location = ({ headers }: Received) => String(headers.get('location'));
const HOME = `${CONSOLE}/agent-workspaces`;

/** The warnings about sign-ons since the log had this length. */
function warnings(from: number): Record<string, unknown>[] {
  return service.log
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('"level":"warn"') && line.includes('SignOn'))
    .map((line) => JSON.parse(line));
}

describe('the client at the token endpoint', () => {
  it.each<ProviderOptions>([
    { clientAuth: 'client_secret_basic', listedAuth: ['client_secret_basic'] },
    { clientAuth: 'client_secret_post', listedAuth: ['client_secret_post'] },
    { clientAuth: 'client_secret_basic', listedAuth: ['client_secret_basic', 'client_secret_post'] },
    { clientAuth: 'client_secret_post', listedAuth: ['client_secret_basic', 'client_secret_post'] },
    { clientAuth: 'client_secret_jwt', listedAuth: ['client_secret_jwt', 'private_key_jwt'] },
  ])('proves its secret to a provider that wants $clientAuth of $listedAuth', async (options) => {
    const provider = await providerWith(options);
    expect(await new Browser().signIn(provider)).toBe(HOME);
    expect(await new Browser().signIn(provider)).toBe(HOME);
  });
});

describe('a failed sign-on', () => {
  it.each<[string, ProviderOptions, Partial<OidcSettings>, string, object]>([
    [
      'a wrong secret in a header',
      { clientAuth: 'client_secret_basic', listedAuth: ['client_secret_basic'] },
      { clientSecret: 'another secret, of another client' },
      'unavailable&reason=misconfigured',
      { error: 'invalid_client', status: 401 },
    ],
    [
      'a wrong secret in a form',
      { clientAuth: 'client_secret_post', listedAuth: ['client_secret_post'] },
      { clientSecret: 'another secret, of another client' },
      'unavailable&reason=misconfigured',
      { error: 'invalid_client', status: 401 },
    ],
  ])('of %s logs its cause', async (_what, options, settings, problem, cause) => {
    const provider = await providerWith(options, settings);
    const from = service.log.length;
    expect(await new Browser().signIn(provider, '/keys')).toBe(
      `${CONSOLE}/sign-in?problem=${problem}&return=%2Fkeys`,
    );
    expect(warnings(from)).toMatchObject([{ msg: 'SignOnFailed', route: 'finishOidc', cause }]);
    expect(service.log.slice(from)).not.toMatch(/ada@example|another secret/);
  });

  it('of a person who refuses says so, and logs the error of the provider', async () => {
    const provider = await providerWith();
    provider.denies = true;
    const from = service.log.length;
    expect(await new Browser().signIn(provider)).toContain('problem=unauthorized&reason=denied');
    expect(warnings(from)).toMatchObject([{ code: 'unauthorized', cause: { error: 'access_denied' } }]);
  });

  it('at a provider of another name logs the issuer that was expected, and the one that was seen', async () => {
    const provider = await providerWith({ otherName: true });
    const from = service.log.length;
    expect(await new Browser().start()).toContain('problem=unavailable&reason=misconfigured');
    const seen = provider.issuer.replace('127.0.0.1', 'localhost');
    expect(warnings(from)).toMatchObject([
      { route: 'startOidc', cause: { claim: 'issuer', expected: `${provider.issuer}/`, seen: `${seen}/` } },
    ]);
  });

  it('at a provider that is away names the error of the system', async () => {
    const { issuer } = await providerWith();
    await providers.pop()?.stop();
    await use({ issuer });
    const from = service.log.length;
    expect(await new Browser().start()).toContain('problem=unavailable&reason=unreachable');
    expect(warnings(from)).toMatchObject([{ cause: { code: 'ECONNREFUSED' } }]);
  });

  it('at an address that is no provider names the status', async () => {
    const provider = await providerWith();
    await use({ issuer: `${provider.issuer}/nothing` });
    const from = service.log.length;
    expect(await new Browser().start()).toContain('problem=unavailable&reason=misconfigured');
    expect(warnings(from)).toMatchObject([{ cause: { status: 404 } }]);
  });

  it('logs one line for programs, too, and no text that a caller wrote', async () => {
    const provider = await providerWith();
    const browser = new Browser();
    const state = new URL(await browser.start()).searchParams.get('state') ?? '';
    const from = service.log.length;
    const query = new URLSearchParams({
      state,
      error: 'ada@example.com',
      error_description: 'ada',
      iss: provider.issuer,
    });
    const refused = await service.send('GET', `/v1/console/oidc/callback?${query}`, {
      cookie: browser.cookie,
    });
    expect(refused.status).toBe(401);
    expect(warnings(from)).toMatchObject([{ code: 'unauthorized', reason: 'not_confirmed' }]);
    expect(service.log.slice(from)).not.toContain('ada');
  });
});

describe('two tabs of one browser', () => {
  it('both sign in, and each opens the page that it was at', async () => {
    const provider = await providerWith();
    const browser = new Browser();
    const one = await browser.start('/keys');
    const other = await browser.start('/members');
    expect(await browser.finish(provider, one)).toBe(`${CONSOLE}/keys`);
    expect(await browser.finish(provider, other)).toBe(`${CONSOLE}/members`);
    expect(browser.cookie).not.toContain('svc_oidc');
  });

  it('fail alone', async () => {
    const provider = await providerWith();
    const browser = new Browser();
    const one = await browser.start('/keys');
    const other = await browser.start('/members');
    provider.denies = true;
    expect(await browser.finish(provider, one)).toContain('reason=denied&return=%2Fkeys');
    provider.denies = false;
    expect(await browser.finish(provider, other)).toBe(`${CONSOLE}/members`);
  });

  it('open the start page where a path is too long for a cookie', async () => {
    const provider = await providerWith();
    const browser = new Browser();
    expect(await browser.signIn(provider, `/${'日'.repeat(500)}`)).toBe(HOME);
  });
});

describe('the e-mail address of a person', () => {
  const signedIn = async (provider: IdentityProvider) => {
    const browser = new Browser();
    expect(await browser.signIn(provider)).toBe(HOME);
    const members = await service.send('GET', '/v1/console/members', { cookie: browser.cookie });
    return { user: (await browser.session()).user, member: memberListSchema.parse(members.body).members[0] };
  };

  it('is read from the userinfo if the ID token has none', async () => {
    const provider = await providerWith({ emailInUserinfo: true });
    expect(await signedIn(provider)).toMatchObject({
      user: { email: 'ada@example.com', subject: null },
      member: { email: 'ada@example.com', subject: null, erased: false },
    });
  });

  it.each([undefined, null, '', ' ', 'x'.repeat(260), 7, ['ada@example.com']])(
    'is absent if the provider has %j, and the subject stands for it',
    async (email) => {
      const provider = await providerWith();
      provider.email = email;
      const shown = { email: '', subject: 'subject-1' };
      const from = service.log.length;
      expect(await signedIn(provider)).toMatchObject({ user: shown, member: { ...shown, erased: false } });
      expect(warnings(from)).toEqual([]);
    },
  );

  it('is absent if the userinfo cannot be read, and the log has the cause', async () => {
    const provider = await providerWith({ emailInUserinfo: true });
    provider.failsUserinfo = true;
    const from = service.log.length;
    expect(await signedIn(provider)).toMatchObject({ user: { email: '', subject: 'subject-1' } });
    expect(warnings(from)).toMatchObject([{ msg: 'SignOnWithoutEmail', cause: { status: 500 } }]);
  });

  it('is not asked for where there is no userinfo', async () => {
    const provider = await providerWith({ emailInUserinfo: true, withoutUserinfo: true });
    provider.email = undefined;
    const from = service.log.length;
    expect(await signedIn(provider)).toMatchObject({ user: { email: '', subject: 'subject-1' } });
    expect(warnings(from)).toEqual([]);
  });

  it('is what a person types to be erased, and without one the subject', async () => {
    const provider = await providerWith();
    provider.email = undefined;
    const browser = new Browser();
    await browser.signIn(provider);
    const { user } = await browser.session();
    const erase = (confirm: string) =>
      service.send('POST', '/v1/console/erase', { cookie: browser.cookie, json: { confirm } });
    expect((await erase('')).status).toBe(400);
    // The last owner stays, which is checked after the confirmation.
    expect((await erase(String(user.subject))).status).toBe(409);
  });

  it('is the new one after the next sign-in once the provider has another', async () => {
    const provider = await providerWith();
    provider.email = undefined;
    const { user } = await signedIn(provider);
    provider.email = 'grace@example.com';
    expect(await signedIn(provider)).toMatchObject({
      user: { userId: user.userId, email: 'grace@example.com', subject: null },
    });
    provider.email = undefined;
    expect(await signedIn(provider)).toMatchObject({ user: { email: 'grace@example.com' } });
  });
});

describe('another account', () => {
  it('is asked for after a sign-out, and no more once a person has signed in', async () => {
    const provider = await providerWith();
    const browser = new Browser();
    await browser.signIn(provider);
    await browser.signOut();
    await browser.signIn(provider);
    await browser.signIn(provider);
    expect(provider.prompts).toEqual([null, 'login', null]);
  });

  it('is asked for after a refusal of the one that the provider knows, and by the address', async () => {
    const provider = await providerWith();
    service.signUp = 'off';
    await service.restart();
    const browser = new Browser();
    provider.subject = 'unknown here';
    expect(await browser.signIn(provider)).toContain('problem=forbidden');
    await browser.signIn(provider);
    await provider.visit(location(await new Browser().get('/v1/console/oidc/start?account=other')));
    expect(provider.prompts).toEqual([null, 'login', 'login']);
    service.signUp = 'open';
  });

  it('has a page of the provider where it lists one', async () => {
    const provider = await providerWith({ prompts: ['none', 'login', 'select_account'] });
    const address = location(await new Browser().get('/v1/console/oidc/start?account=other'));
    expect(new URL(address).searchParams.get('prompt')).toBe('select_account');
    expect(address).toContain(provider.issuer);
  });
});
