import { serviceError } from '../../../schemas/base/errors.ts';
import type { GatewayServices } from '../../services.ts';
import { singleHeader } from '../headers.ts';
import type { Exchange } from '../routing/exchange.ts';
import type { Route } from '../routing/route.ts';

/** Names of this machine, which no name server can give to another one. */
export const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Addresses at which a process listens on every network. A base address of that form was not configured. */
const ANY_ADDRESS = /^(0\.0\.0\.0|\[::\])$/;

/**
 * Refuses what a page of another site could send after it made its name stand for this machine (DNS rebinding): 403 for a
 * `Host` other than the base address, and for an `Origin` other than that host. Programs send no `Origin`.
 */
export function checkSameHost(route: Route, { request }: Exchange, { hosts }: GatewayServices): void {
  if (route.sameHost === undefined) return;
  const base = new URL(hosts.base);
  const host = hostOf(`${base.protocol}//${singleHeader(request, 'host') ?? ''}`);
  if (host === null || !isAllowed(host, base)) {
    throw serviceError('forbidden', {
      at: 'header.Host',
      seen: 'another host',
      expected: `${base.host}; an operator sets it with BASE_URL`,
    });
  }
  const origin = singleHeader(request, 'origin');
  if (origin === null || hostOf(origin)?.host === host.host) return;
  throw serviceError('origin_not_allowed', {
    at: 'header.Origin',
    seen: 'another origin',
    expected: `${base.origin} or none`,
  });
}

function hostOf(address: string): URL | null {
  return URL.parse(address);
}

function isAllowed({ host, hostname }: URL, base: URL): boolean {
  if (host === base.host) return true;
  return LOOPBACK.test(hostname) && (LOOPBACK.test(base.hostname) || ANY_ADDRESS.test(base.hostname));
}
