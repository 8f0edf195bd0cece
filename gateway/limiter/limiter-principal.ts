import type { IncomingMessage } from 'node:http';
import { isLimiterKey } from '../../schemas/limiter/keys.ts';
import { singleHeader } from '../http/headers.ts';
import { type PrincipalOf, principal } from '../principals.ts';
import type { GatewayServices } from '../services.ts';

const BEARER = /^bearer +/i;

/**
 * Authenticates the limiter's API key that a request carries, as `Bearer` or bare. The check itself finds out if the
 * key is revoked.
 *
 * @param addressKey the request's address, by which look-ups of unknown keys are bounded
 * @throws {ServiceError} `rate_limited` when the address has sent too many unknown keys.
 */
export async function limiterPrincipal(
  request: IncomingMessage,
  { checker }: Pick<GatewayServices, 'checker'>,
  addressKey: () => string = () => '',
): Promise<PrincipalOf<'limiter'> | null> {
  const header = singleHeader(request, 'authorization');
  if (header === null) return null;
  const key = header.replace(BEARER, '');
  const target = isLimiterKey(key) ? await checker.find(key, addressKey) : null;
  if (target === null) return null;
  return principal('limiter', { id: target.keyId, organizationId: target.organizationId, key: target });
}

/**
 * Authenticates a key like {@link limiterPrincipal}, and refuses one that is revoked or not paid for: for the routes that do not
 * check. Their body is read after that.
 *
 * @throws {ServiceError} `unauthorized`, `payment_required` or `rate_limited`
 */
export async function usableLimiterPrincipal(
  ...given: Parameters<typeof limiterPrincipal>
): ReturnType<typeof limiterPrincipal> {
  const found = await limiterPrincipal(...given);
  if (found !== null) await given[1].checker.requireUsable(found.key);
  return found;
}
