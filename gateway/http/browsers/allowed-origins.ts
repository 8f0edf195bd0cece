import { type Fault, serviceError } from '../../../schemas/base/errors.ts';
import { loopbackPort } from '../../../schemas/base/origin.ts';
import type { GatewayServices } from '../../services.ts';

/**
 * Refuses origins of this machine in a configuration where the service does not admit them, and hosts with a wildcard,
 * which the serialisation of an origin allows and no page has.
 *
 * @throws {ServiceError} `bad_request` naming the place.
 */
export function checkOrigins(
  { allowedOrigins }: { readonly allowedOrigins: readonly string[] },
  services: Pick<GatewayServices, 'loopbackPorts'>,
): void {
  for (const [index, origin] of allowedOrigins.entries()) {
    checkOrigin(origin, `body.configuration.allowedOrigins[${index}]`, services);
  }
}

/**
 * The same for one origin.
 *
 * @param at the place of the origin in the request
 * @throws {ServiceError} `bad_request` naming the place.
 */
export function checkOrigin(
  origin: string,
  at: Fault['at'],
  { loopbackPorts }: Pick<GatewayServices, 'loopbackPorts'>,
): void {
  const port = loopbackPort(origin);
  const isForeign = port !== null && !loopbackPorts.includes(port);
  if (!isForeign && !origin.includes('*')) return;
  throw serviceError('bad_request', {
    at,
    seen: 'an origin of this machine or with a wildcard',
    expected: 'an exact HTTPS origin',
  });
}
