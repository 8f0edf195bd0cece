import type { Configuration } from 'openid-client';
import { z } from 'zod';
import { ServiceError, serviceError } from '../../schemas/base/errors.ts';
import { epochMsSchema } from '../../schemas/base/time.ts';

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

/**
 * The person as the provider identifies them. Issuer and subject are the identity; the address is for display alone.
 */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An OpenID Connect provider, authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636). */
export interface OidcClient {
  begin(
    redirectUri: string,
    way: Pick<OidcJourney, 'returnTo' | 'endsAt'>,
  ): Promise<{ readonly url: string; readonly journey: OidcJourney }>;
  /**
   * Trades the answer in the callback's address for an identity.
   *
   * @throws {ServiceError} `unauthorized` when the answer does not belong to the journey or the provider refuses it;
   *   `unavailable` when the provider cannot be reached.
   */
  finish(callbackUrl: URL, journey: OidcJourney): Promise<OidcIdentity>;
}

const SCOPE = 'openid email';
const RETRY_AFTER_SECONDS = 5;

const claimsSchema = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1).max(255),
  email: z.string().max(254).optional(),
});

interface Discovered {
  readonly library: typeof import('openid-client');
  readonly configuration: Configuration;
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
      const refused = serviceError(
        'unavailable',
        'The identity provider does not answer.',
        RETRY_AFTER_SECONDS,
      );
      throw new ServiceError(refused.refusal, { cause: error });
    }
  };
  return {
    async begin(redirectUri, way) {
      const { library, configuration } = await provider();
      const codeVerifier = library.randomPKCECodeVerifier();
      const journey = { state: library.randomState(), nonce: library.randomNonce(), codeVerifier, ...way };
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, journey };
    },
    async finish(callbackUrl, { state, nonce, codeVerifier }) {
      const { library, configuration } = await provider();
      try {
        const tokens = await library.authorizationCodeGrant(configuration, callbackUrl, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const { iss, sub, email } = claimsSchema.parse(tokens.claims());
        return { issuer: iss, subject: sub, email: email ?? '' };
      } catch (error) {
        const refused = serviceError('unauthorized', {
          at: 'query',
          seen: 'an answer that the identity provider does not confirm',
          expected: 'its answer to this sign-in; start again',
        });
        throw new ServiceError(refused.refusal, { cause: error });
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Discovered> {
  const library = await import('openid-client');
  const url = new URL(issuer);
  // The settings admit plain HTTP on loopback only, where a provider under development runs.
  const execute = url.protocol === 'http:' ? [library.allowInsecureRequests] : [];
  return {
    library,
    configuration: await library.discovery(url, clientId, clientSecret, undefined, { execute }),
  };
}
