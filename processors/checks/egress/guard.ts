// Opens: connections to the public internet. The only place of the browser check that dials.
import { connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import type { AddressBlock } from '../../../topics/ports/address-block.ts';
import { isPublicAddress, isWithin } from './addresses.ts';
import type { Resolver } from './resolver.ts';

/** From the first packet to a connection, for each address. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Addresses of one host that are tried. */
const ADDRESSES_TRIED_MAX = 3;

const PORTS: readonly number[] = [80, 443];
/** Names of this machine, with their addresses. Servers for development mostly listen on one of the two that `localhost` has. */
const LOOPBACK: ReadonlyMap<string, readonly string[]> = new Map([
  ['localhost', ['127.0.0.1', '::1']],
  ['127.0.0.1', ['127.0.0.1']],
]);
const LABELS =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)+$/;

/**
 * Last labels of names that are not of the public DNS: special-use names (RFC 6761, 6762, 7686, 8375, 9476), those of reverse
 * lookups, and those that private networks use (ICANN reserves `internal` for them, and delegates none of the others).
 */
const PRIVATE_NAMES =
  /(?:^|\.)(?:alt|corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|mail|onion|private|svc|test|home\.arpa|in-addr\.arpa|ip6\.arpa)$/;

/** The cause of a connection that was not opened: by a rule, without a public address, or without an answer. */
export type RefusedConnection = 'blocked' | 'dns' | 'connect';

/** An open connection, or the reason why there is none. */
export type Opened = { readonly socket: Socket } | { readonly refused: RefusedConnection };

/** Makes a connection to an address. */
export type Dial = (address: string, port: number) => Socket;

export interface EgressRules {
  readonly resolver: Resolver;
  /** Ports at which this machine may be reached as `localhost` and `127.0.0.1`; empty outside of demos and tests. */
  readonly loopbackPorts: readonly number[];
  /** Host names of the service itself. */
  readonly ownHosts: readonly string[];
  /** Public addresses that are denied as well, besides those of this machine. */
  readonly denied?: readonly AddressBlock[];
  /** Makes connections; by default those of this machine. */
  readonly dial?: Dial;
  /** Called for each connection that a rule refuses. */
  readonly onRefused?: ((rule: EgressRule) => void) | undefined;
}

/** The rules that refuse connections: `hosts` are those that a run may reach, `dns` a name without a public address. */
export const EGRESS_RULES = ['hosts', 'notation', 'port', 'own-host', 'address', 'name', 'dns'] as const;
export type EgressRule = (typeof EGRESS_RULES)[number];

/**
 * Opens connections to hosts that a customer names, and to nothing else than the public internet: ports 80 and 443 of names
 * whose every address is public. It resolves a name once and dials one of the addresses that it has checked, so an answer that
 * changes later leads nowhere (DNS rebinding).
 */
export class EgressGuard {
  readonly #rules: EgressRules;
  readonly #dial: Dial;

  constructor(rules: EgressRules) {
    this.#rules = rules;
    this.#dial = rules.dial ?? ((host, port) => connect({ host, port }));
  }

  /** Opens a connection. `authority`: a host in the form of a URL, brackets around IPv6 included. Never rejects. */
  async open(authority: string, port: number): Promise<Opened> {
    const vetted = await this.#vet(authority, port);
    if ('refused' in vetted) return vetted;
    for (const address of vetted.addresses.slice(0, ADDRESSES_TRIED_MAX)) {
      const socket = this.#dial(address, port);
      // A failure before the connection costs only this address. Callers add listeners.
      socket.on('error', () => socket.destroy());
      const connected = new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('close', reject);
      });
      const isOpen = connected.then(
        () => true,
        () => false,
      );
      if ((await settlesWithin(CONNECT_TIMEOUT_MS, connected)) && (await isOpen)) return { socket };
      socket.destroy();
    }
    return { refused: 'connect' };
  }

  async #vet(
    authority: string,
    port: number,
  ): Promise<{ readonly addresses: readonly string[] } | { readonly refused: RefusedConnection }> {
    const host = canonicalHost(authority);
    if (host === null) return this.refuse('notation');
    const { loopbackPorts, ownHosts, resolver } = this.#rules;
    const loopback = loopbackPorts.includes(port) ? LOOPBACK.get(host) : undefined;
    if (loopback !== undefined) return { addresses: loopback };
    if (!PORTS.includes(port)) return this.refuse('port');
    if (ownHosts.includes(host)) return this.refuse('own-host');
    if (isIP(host) !== 0) return this.#isAdmitted(host) ? { addresses: [host] } : this.refuse('address');
    // A name of one label is of the local network, and would be completed by a search list.
    if (!LABELS.test(host) || PRIVATE_NAMES.test(host)) return this.refuse('name');
    const addresses = await resolver.resolve(host);
    // One answer for a private address and for none: which names a private network has is its own business.
    const isPublic = addresses.length > 0 && addresses.every((address) => this.#isAdmitted(address));
    return isPublic ? { addresses } : this.refuse('dns');
  }

  refuse(rule: EgressRule): { readonly refused: RefusedConnection } {
    this.#rules.onRefused?.(rule);
    return { refused: rule === 'dns' ? 'dns' : 'blocked' };
  }

  #isAdmitted(address: string): boolean {
    return (
      isPublicAddress(address) && !isWithin(address, this.#rules.denied ?? []) && !isOfThisMachine(address)
    );
  }
}

/** True for an address of an interface of this machine, as it has them just now. */
function isOfThisMachine(address: string): boolean {
  return Object.values(networkInterfaces()).some((of) => of?.some((each) => each.address === address));
}

/** The host as a browser understands it: any notation of an IPv4 address in decimal, IDN as punycode, no final dot. */
function canonicalHost(authority: string): string | null {
  if (/[@/\\?#\s]/.test(authority) || !URL.canParse(`http://${authority}/`)) return null;
  const { hostname, host } = new URL(`http://${authority}/`);
  if (host !== hostname) return null;
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
