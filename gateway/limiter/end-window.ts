import type { z } from 'zod';
import type { windowNameSchema } from '../../schemas/limiter/http.ts';
import type { ApiKeyTarget } from '../../schemas/limiter/keys.ts';
import type { RouteContext } from '../http/routing/route.ts';
import type { PrincipalKind } from '../principals.ts';

type Context = Pick<RouteContext<PrincipalKind, unknown, unknown, unknown>, 'services' | 'submit'>;

/**
 * Ends a window of a key's organization and mode, once that is counted. The command names the key alone. Returns false, and counts
 * nothing, if no window is running.
 *
 * @throws {ServiceError} if the caller may not use this key
 * @throws {EngineUnavailableError} if there is no answer in time; a repeat does no harm
 */
export async function endWindow(
  key: ApiKeyTarget,
  { namespace, identifier, window: windowMs }: z.infer<typeof windowNameSchema>,
  { services: { checker }, submit }: Context,
): Promise<boolean> {
  const window = { namespace, identifier, windowMs };
  if ((await checker.readWindow(key, window)) === null) return false;
  const { organizationId, keyId } = key;
  await submit({ topic: 'organizations', key: organizationId, type: 'end-window', input: { keyId } });
  return await checker.endWindow(key, window);
}
