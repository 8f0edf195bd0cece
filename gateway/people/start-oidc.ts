import { z } from 'zod';
import { serviceError } from '../../schemas/base/errors.ts';
import { ofLength } from '../../schemas/base/text.ts';
import { wireForms } from '../../schemas/base/wire.ts';
import { visitor } from '../audiences.ts';
import type { GatewayServices } from '../http/services.ts';
import type { OidcClient } from './oidc-client.ts';
import { JOURNEY_MS, journeyCookie } from './oidc-cookie.ts';
import { toSignInPage } from './oidc-failure.ts';

const RETURN_CHARACTERS_MAX = 512;
const DEFAULT_RETURN = '/agent-workspaces';

/** One slash, then neither a second one nor a backslash or a control character. */
const RETURN_PATH = '^/(?:[^/\\\\\\u0000-\\u001f\\u007f-\\u009f][^\\\\\\u0000-\\u001f\\u007f-\\u009f]*)?$';

/** An origin to parse paths against. */
const MADE_UP_ORIGIN = 'https://console.invalid';

/**
 * A path of the console itself: parsed against a made-up origin, it has to stay there. The path comes out percent-encoded, as
 * a header has to carry it.
 */
const returnPathSchema = z
  .string()
  .check(ofLength({ max: RETURN_CHARACTERS_MAX }))
  .refine(
    (text) =>
      text.isWellFormed() &&
      /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) &&
      new URL(text, MADE_UP_ORIGIN).origin === MADE_UP_ORIGIN,
    'expected a path of the console that starts with one /',
  )
  .meta({ maxLength: RETURN_CHARACTERS_MAX })
  .register(wireForms, { adds: { pattern: RETURN_PATH } })
  .transform((text) => new URL(text, MADE_UP_ORIGIN).href.slice(MADE_UP_ORIGIN.length));

/** GET `/v1/console/oidc/start`: off to the identity provider. */
export const startOidcRoute = visitor.get('/oidc/start', {
  name: 'startOidc',
  summary: 'Sign in with the identity provider',
  query: z.strictObject({ return: returnPathSchema.default(DEFAULT_RETURN) }),
  success: { status: 302, description: 'To the identity provider' },
  errors: ['not_found'],
  async handle({ query, request, services }) {
    const { hosts, secrets, clock } = services;
    const way = { returnTo: query.return, endsAt: clock.now() + JOURNEY_MS };
    try {
      const { url, journey } = await oidcOf(services).begin(callbackAddress(services), way);
      return { headers: { Location: url, 'Set-Cookie': journeyCookie(hosts, secrets, journey) } };
    } catch (error) {
      return toSignInPage(error, { request, hosts, returnTo: query.return });
    }
  },
});

/**
 * The client of the configured provider.
 *
 * @throws {ServiceError} `not_found` where none is configured.
 */
export function oidcOf({ oidc }: Pick<GatewayServices, 'oidc'>): OidcClient {
  if (oidc === null)
    throw serviceError('not_found', {
      at: 'service.identityProvider',
      seen: 'none',
      expected: 'an identity provider in the settings of the service',
    });
  return oidc;
}

/** The address that the provider redirects to after a sign-in. It has to be registered there. */
export function callbackAddress({ hosts }: Pick<GatewayServices, 'hosts'>): string {
  return `${hosts.console}/v1/console/oidc/callback`;
}
