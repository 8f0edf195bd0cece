import { serviceError } from '../../schemas/base/errors.ts';
import { secretDigest } from '../../schemas/base/secrets.ts';
import { consoleSessionTargetSchema } from '../../schemas/people/documents.ts';
import type { IncomingHeaders } from '../route.ts';
import type { GatewayServices } from '../services.ts';
import { findSession } from './find-session.ts';
import { sessionSecret } from './session-cookie.ts';

/**
 * The person behind the cookie of a request that needs no role in an organization.
 *
 * @throws {ServiceError} `unauthorized` when nobody is signed in.
 */
export async function signedInPerson(
  request: IncomingHeaders,
  services: GatewayServices,
): Promise<{ personKey: string; userId: string; identityBlob: string }> {
  const secret = sessionSecret(request, services.hosts);
  const digest = secret === null ? null : secretDigest(secret);
  const target = digest === null ? null : await services.lookups.get({ kind: 'console-session', digest });
  const personKey = target === null ? null : consoleSessionTargetSchema.parse(target).personKey;
  const found = personKey === null || digest === null ? null : await findSession(services, personKey, digest);
  if (personKey === null || found === null) {
    throw serviceError('unauthorized', 'Sign in first, or send email and password.');
  }
  const { userId, identityBlob } = found.person;
  return { personKey, userId, identityBlob };
}
