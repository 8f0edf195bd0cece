import { serviceError } from '../schemas/base/errors.ts';
import { loopbackPort } from '../schemas/base/origin.ts';
import type { GatewayServices } from './services.ts';

/**
 * Refuses origins of this machine in a configuration where the service does not admit them (contract "Hosts and
 * configuration").
 *
 * @throws {ServiceError} `bad_request` naming the place.
 */
export function checkOrigins(
  { allowedOrigins }: { readonly allowedOrigins: readonly string[] },
  { loopbackPorts }: Pick<GatewayServices, 'loopbackPorts'>,
): void {
  for (const [index, origin] of allowedOrigins.entries()) {
    const port = loopbackPort(origin);
    if (port !== null && !loopbackPorts.includes(port)) {
      const place = `body.configuration.allowedOrigins[${index}]`;
      throw serviceError('bad_request', `${place}: expected an exact HTTPS origin.`);
    }
  }
}
