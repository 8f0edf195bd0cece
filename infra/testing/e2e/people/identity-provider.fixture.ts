import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface RelyingParty {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** A real OpenID Connect provider on loopback. Each visitor is signed in as `subject` and grants every consent. */
export class IdentityProvider {
  subject = 'subject-1';
  readonly #server: Server;
  readonly #provider: Provider;
  readonly issuer: string;

  private constructor(server: Server, issuer: string, provider: Provider) {
    this.#server = server;
    this.#provider = provider;
    this.issuer = issuer;
  }

  static async start({ clientId, clientSecret, redirectUri }: RelyingParty): Promise<IdentityProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['a key for tests'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, email: 'ada@example.com' }),
      }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    });
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
    if (request.url?.startsWith('/interaction/') !== true) {
      await this.#provider.callback()(request, response);
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
