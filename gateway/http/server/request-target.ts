import type { IncomingMessage } from 'node:http';

/** A scheme, an authority and the rest (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Reduces a request target in absolute form to its path and query, in place.
 *
 * @returns the host that the target names, which wins over the header `Host` (RFC 9112, 3.2.2); null for every other form.
 */
export function takeTargetHost(request: IncomingMessage): string | null {
  const target = request.url ?? '';
  if (target.startsWith('/')) return null;
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return null;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return authority;
}
