import type { IncomingMessage } from 'node:http';
import type { Hosts } from '../../services.ts';
import { isForPeople } from '../guards.ts';
import type { Route } from '../routing/route.ts';

/** The path of the metadata of a protected resource (RFC 9728, section 3). */
export const PROTECTED_RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** The endpoint of the Model Context Protocol. Its clients ask for its metadata first, at a separate address. */
export const MCP_PATH = '/mcp';

/**
 * Returns the value of `WWW-Authenticate` (RFC 6750, section 3) for a 401 of a route; null where no scheme of HTTP stands for
 * the credential. An agent without a valid credential learns from `resource_metadata` (RFC 9728, section 5.1) how to get one.
 */
export function challengeOf(
  route: Route,
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  { base }: Pick<Hosts, 'base'>,
): string | null {
  if (isForPeople(route)) return null;
  if (route.principal !== 'project') return 'Bearer';
  const resource = route.path === MCP_PATH ? MCP_PATH : '';
  const metadata = `resource_metadata="${base}${PROTECTED_RESOURCE_PATH}${resource}"`;
  // RFC 6750, 3.1: a request that brought no credential gets no error code.
  return headersDistinct['authorization'] === undefined
    ? `Bearer ${metadata}`
    : `Bearer error="invalid_token", ${metadata}`;
}
