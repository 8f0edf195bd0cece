import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { secretDigest } from '../../../schemas/base/secrets.ts';
import { PRINCIPALS, type Principal, type PrincipalKind } from '../../principals.ts';
import type { Hosts } from '../../services.ts';
import type { ClientAddresses } from './addresses.ts';
import { sessionSecret } from './session-cookie.ts';

/** Credentials in memory. The requests of an evicted one count as those of their address until one of them is accepted. */
const REMEMBERED_MAX = 10_000;

/**
 * Returns who fills a share of what callers have in common: an organization, or the creator of a preview; null for a caller
 * without a workspace.
 */
export function holderOf({ organizationId }: Principal, workspace: Principal['workspace']): string | null {
  return (
    workspace?.organizationId ?? organizationId ?? workspace?.creator ?? workspace?.installationId ?? null
  );
}

/**
 * Names the holders of requests before their credential is checked. A credential that was accepted lately leads to its
 * organization. A request with any other one counts as its address: otherwise a caller had one share for each credential that it
 * makes up.
 */
export class KnownCallers {
  readonly #addresses: ClientAddresses;
  readonly #hosts: Pick<Hosts, 'console'>;
  /** Holders by the digest of their credential. */
  readonly #holders = new LRUCache<string, string>({ max: REMEMBERED_MAX });

  constructor(addresses: ClientAddresses, hosts: Pick<Hosts, 'console'>) {
    this.#addresses = addresses;
    this.#hosts = hosts;
  }

  /** Notes a caller whose credential was just accepted. */
  accepted(request: IncomingMessage, principal: Principal<PrincipalKind>): void {
    const { form } = PRINCIPALS[principal.kind].credential;
    const holder = holderOf(principal, principal.workspace);
    const secret =
      form === 'bearer' ? bearer(request) : form === 'session-cookie' ? this.#session(request) : null;
    if (secret !== null && holder !== null) this.#holders.set(secretDigest(secret), holder);
  }

  /** Returns the holder of a request, without a look at the store. */
  holderOf(request: IncomingMessage): string {
    return (
      this.#known(bearer(request)) ??
      this.#known(this.#session(request)) ??
      this.#addresses.subscriberOf(request)
    );
  }

  #known(secret: string | null): string | null {
    return secret === null ? null : (this.#holders.get(secretDigest(secret)) ?? null);
  }

  #session(request: IncomingMessage): string | null {
    return request.headers.cookie === undefined ? null : sessionSecret(request, this.#hosts);
  }
}

/** The secret alone: one credential may stand in the header in many forms. */
function bearer({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization === undefined ? null : authorization.slice(authorization.lastIndexOf(' ') + 1);
}
