import type { ClientAuth, Configuration } from 'openid-client';
import { z } from 'zod';
import { epochMsSchema } from '../../schemas/base/time.ts';
import { SignOnError } from './oidc-error.ts';
import { type OidcPerson, readEmail, readSubject } from './oidc-person.ts';

/** The state that a sign-in keeps between the redirect to the provider and the way back. */
export const oidcJourneySchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** The console path that the browser opens afterwards. */
  returnTo: z.string(),
  /** Unix milliseconds at which it ends. */
  endsAt: epochMsSchema,
});

export type OidcJourney = z.infer<typeof oidcJourneySchema>;

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A sign-in to start at the provider. */
export interface OidcStart extends Pick<OidcJourney, 'returnTo' | 'endsAt'> {
  readonly redirectUri: string;
  /** True if the provider has to ask which account to use, although it knows one. */
  readonly asksForAccount: boolean;
}

/** An OpenID Connect provider, authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636). */
export interface OidcClient {
  /** @throws {SignOnError} `unavailable` when the provider cannot be reached or is not the one of the settings. */
  begin(start: OidcStart): Promise<{ readonly url: string; readonly journey: OidcJourney }>;
  /**
   * Trades the answer in the callback's address for a person.
   *
   * @throws {SignOnError} `unauthorized` when the answer does not belong to the journey or the provider refuses it;
   *   `unavailable` when the provider cannot be reached or refuses this service.
   */
  finish(callbackUrl: URL, journey: OidcJourney): Promise<OidcPerson>;
}

const SCOPE = 'openid email';

/** The ways in which this service can prove its secret at the token endpoint (OpenID Connect Core 1.0, section 9), preferred first. */
const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const;

type Library = typeof import('openid-client');

interface Discovered {
  readonly library: Library;
  /** One for each way to prove the secret that is tried, preferred first. */
  configurations: readonly [Configuration, ...Configuration[]];
}

/** The library is imported and the provider discovered with the first sign-in, and again until that has worked. */
export function createOidcClient(settings: OidcSettings): OidcClient {
  let discovered: Promise<Discovered> | null = null;
  const provider = async (): Promise<Discovered> => {
    discovered ??= discover(settings);
    try {
      return await discovered;
    } catch (error) {
      discovered = null;
      throw SignOnError.ofProvider(error);
    }
  };
  return {
    async begin({ redirectUri, asksForAccount, ...way }) {
      const { library, configurations } = await provider();
      const [configuration] = configurations;
      const codeVerifier = library.randomPKCECodeVerifier();
      const journey = { state: library.randomState(), nonce: library.randomNonce(), codeVerifier, ...way };
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(asksForAccount && { prompt: accountPrompt(configuration) }),
      });
      return { url: url.href, journey };
    },
    async finish(callbackUrl, journey) {
      const found = await provider();
      try {
        const { tokens, configuration } = await exchange(found, callbackUrl, journey);
        const claims = tokens.claims();
        const identity = readSubject(claims);
        const shown = await readEmail(claims, () =>
          readUserinfo(found.library, configuration, tokens.access_token, identity.subject),
        );
        return { ...identity, ...shown };
      } catch (error) {
        throw SignOnError.ofProvider(error);
      }
    },
  };
}

/**
 * Trades the code for tokens. Providers enforce the method that the client is registered with, and list all that they know. So
 * the next method is tried once the provider refuses the secret, and the one that works is kept.
 */
async function exchange(found: Discovered, callbackUrl: URL, { state, nonce, codeVerifier }: OidcJourney) {
  const { library, configurations } = found;
  const checks = {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  };
  const [first, ...others] = configurations;
  try {
    const tokens = await library.authorizationCodeGrant(first, callbackUrl, checks);
    return { tokens, configuration: first };
  } catch (error) {
    const [second] = others;
    if (second === undefined || !isClientRefused(library, error)) throw error;
    const tokens = await library.authorizationCodeGrant(second, callbackUrl, checks);
    found.configurations = [second, first];
    return { tokens, configuration: second };
  }
}

/** Reads the claims of a person that are not in the ID token; none where the provider has no such endpoint. */
async function readUserinfo(library: Library, configuration: Configuration, token: string, subject: string) {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return await library.fetchUserInfo(configuration, token, subject);
}

/** True if the token endpoint refuses the client: `invalid_client`, which may come as a challenge (RFC 6749, section 5.2). */
function isClientRefused(library: Library, error: unknown): boolean {
  if (error instanceof library.ResponseBodyError) return error.error === 'invalid_client';
  return error instanceof library.WWWAuthenticateChallengeError && error.status === 401;
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Discovered> {
  const library = await import('openid-client');
  const url = new URL(issuer);
  // The settings admit plain HTTP on loopback only, where a provider under development runs.
  const isInsecure = url.protocol === 'http:';
  const execute = isInsecure ? [library.allowInsecureRequests] : [];
  const found = await library.discovery(url, clientId, clientSecret, undefined, { execute });
  const metadata = found.serverMetadata();
  const configure = (method: (typeof AUTH_METHODS)[number]) => {
    const auth = clientAuth(library, method, clientSecret);
    const configuration = new library.Configuration(metadata, clientId, clientSecret, auth);
    if (isInsecure) library.allowInsecureRequests(configuration);
    return configuration;
  };
  const [first, second] = authMethods(metadata.token_endpoint_auth_methods_supported);
  return { library, configurations: [configure(first), configure(second)] };
}

/** Two methods to try: those that the provider lists come first. A provider that lists none takes `client_secret_basic`. */
function authMethods(listed: readonly string[] = ['client_secret_basic']) {
  const isListed = (method: string) => listed.includes(method);
  const known = [...AUTH_METHODS.filter(isListed), ...AUTH_METHODS.filter((method) => !isListed(method))];
  const [first = AUTH_METHODS[0], second = AUTH_METHODS[1]] = known;
  return [first, second] as const;
}

function clientAuth(library: Library, method: (typeof AUTH_METHODS)[number], secret: string): ClientAuth {
  switch (method) {
    case 'client_secret_basic':
      return library.ClientSecretBasic(secret);
    case 'client_secret_post':
      return library.ClientSecretPost(secret);
    case 'client_secret_jwt':
      return library.ClientSecretJwt(secret);
  }
}

/** Every provider supports `login`; `select_account` is optional (OpenID Connect Core 1.0, sections 3.1.2.1 and 15.1). */
function accountPrompt(configuration: Configuration): string {
  const { prompt_values_supported: listed } = configuration.serverMetadata();
  return Array.isArray(listed) && listed.includes('select_account') ? 'select_account' : 'login';
}
