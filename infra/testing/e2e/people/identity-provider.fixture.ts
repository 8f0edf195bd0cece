import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientAuthMethod } from 'oidc-provider';

export interface RelyingParty {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** The ways in which providers differ. */
export interface ProviderOptions {
  /** The one method that the client may prove its secret with; absent: the provider's default. */
  readonly clientAuth?: ClientAuthMethod;
  /** The methods that discovery lists; absent: all that the provider knows. */
  readonly listedAuth?: ClientAuthMethod[];
  /** True if the e-mail address is in the userinfo alone. */
  readonly emailInUserinfo?: boolean;
  /** True if the provider has no userinfo. */
  readonly withoutUserinfo?: boolean;
  /** The prompts that discovery lists; absent: it lists none. */
  readonly prompts?: readonly string[];
  /** True if the provider calls itself by another name than the one that it is reached by. */
  readonly otherName?: boolean;
}

/** A real OpenID Connect provider on loopback. Each visitor is signed in as `subject` and grants every consent. */
export class IdentityProvider {
  subject = 'subject-1';
  /** The claim `email` of everyone; undefined: there is none. */
  email: unknown = 'ada@example.com';
  /** True if visitors refuse. */
  denies = false;
  failsUserinfo = false;
  /** The prompts that visitors came with. */
  readonly prompts: (string | null)[] = [];
  readonly #server: Server;
  readonly #provider: Provider;
  readonly issuer: string;

  private constructor(server: Server, issuer: string, provider: Provider) {
    this.#server = server;
    this.#provider = provider;
    this.issuer = issuer;
  }

  static async start(
    { clientId, clientSecret, redirectUri }: RelyingParty,
    options: ProviderOptions = {},
  ): Promise<IdentityProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const { clientAuth, listedAuth, emailInUserinfo = false, withoutUserinfo = false } = options;
    const provider: Provider = new Provider(
      options.otherName === true ? `http://localhost:${port}` : issuer,
      {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [redirectUri],
            ...(clientAuth !== undefined && { token_endpoint_auth_method: clientAuth }),
          },
        ],
        ...(listedAuth !== undefined && { clientAuthMethods: listedAuth }),
        claims: { openid: ['sub'], email: ['email'] },
        conformIdTokenClaims: emailInUserinfo,
        ...(options.prompts !== undefined && { discovery: { prompt_values_supported: options.prompts } }),
        cookies: { keys: ['a key for tests'] },
        features: { devInteractions: { enabled: false }, userinfo: { enabled: !withoutUserinfo } },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: async () => ({ sub: id, ...(started.email !== undefined && { email: started.email }) }),
        }),
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      },
    );
    const started = new IdentityProvider(server, issuer, provider);
    server.on('request', (request, response) => void started.#handle(request, response));
    return started;
  }

  /** Plays the browser at the provider: follows its redirects and returns where it finally sends to. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    while (next.startsWith(this.issuer)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`following the provider's redirects: ${response.status}`);
      next = new URL(location, next).href;
    }
    return next;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.issuer);
    if (pathname === '/auth') this.prompts.push(searchParams.get('prompt'));
    if (this.failsUserinfo && pathname === '/me') {
      response.writeHead(500).end();
      return;
    }
    if (!pathname.startsWith('/interaction/')) {
      await this.#provider.callback()(request, response);
      return;
    }
    if (this.denies) {
      await this.#provider.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    const { params } = await this.#provider.interactionDetails(request, response);
    const grant = new this.#provider.Grant({
      accountId: this.subject,
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope('openid email');
    await this.#provider.interactionFinished(request, response, {
      login: { accountId: this.subject },
      consent: { grantId: await grant.save() },
    });
  }
}
