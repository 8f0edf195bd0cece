import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { keyedDigest } from '../../../schemas/base/digest.ts';
import { type AddressBlock, parseBlock } from '../../../topics/ports/address-block.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads who sent a request, and hides it. */
export interface ClientAddresses {
  /**
   * Returns a stand-in for the caller's address in counter keys: the same for the same IPv4 address or IPv6 /64. It
   * tells nothing to a reader of the store.
   */
  keyOf(request: IncomingMessage): string;
  /** Returns that IPv4 address or IPv6 /64 itself. Only memory may hold it. */
  subscriberOf(request: IncomingMessage): string;
}

export interface AddressOptions {
  /** `TRUSTED_PROXIES`: networks in CIDR notation whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Keys the HMAC. */
  readonly secret: string;
}

/** The number of forwarded addresses that are read. Our proxies make no longer chain. */
const FORWARDED_MAX = 32;

/** The smallest network of an IPv6 subscriber (RFC 6177). All of it counts as one caller. */
const IPV6_SUBSCRIBER_BITS = 64;

/** @throws {Error} naming the entry of `trustedProxies` that is not a network. */
export function createClientAddresses(options: AddressOptions): ClientAddresses {
  const trusted = options.trustedProxies.map(parseNetwork);
  const subscriber = ({ socket, headers }: IncomingMessage) =>
    subscriberOf(clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trusted));
  return {
    keyOf: (request) => keyedDigest(options.secret, 'address', subscriber(request)).toString('base64url'),
    subscriberOf: subscriber,
  };
}

/**
 * The address of the caller. It is the peer, unless the peer is a trusted proxy; then it is the address that the
 * proxy forwards, from the right to the left. An address that the caller itself put into the header stands further
 * left and is never reached.
 */
export function clientAddress(
  peer: string,
  forwarded: string | string[] | undefined,
  trusted: readonly AddressBlock[],
): string {
  const chain = [forwarded ?? []].flat().join(',').split(',').slice(-FORWARDED_MAX);
  let address = parseAddress(peer);
  while (address !== null && isTrusted(address, trusted)) {
    const next = chain.pop();
    const before = next === undefined ? null : parseAddress(next.trim());
    if (before === null) break;
    address = before;
  }
  return address?.toString() ?? peer;
}

/** IPv6 ranges in which translators write the IPv4 addresses of all their callers, by RFC 6052, RFC 8215 and RFC 6145. */
const TRANSLATED: readonly string[] = ['rfc6052', 'rfc6145'];

/** The IPv4 address, also of a caller behind a translator, or the /64 of an IPv6 address. */
export function subscriberOf(address: string): string {
  const parsed = parseAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  if (TRANSLATED.includes(parsed.range())) return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(
    `${parsed.toNormalizedString()}/${IPV6_SUBSCRIBER_BITS}`,
  );
  return `${network.toString()}/${IPV6_SUBSCRIBER_BITS}`;
}

/** @throws {Error} quoting the entry, which is configuration and no secret. */
export function parseNetwork(text: string): AddressBlock {
  const network = parseBlock(text);
  if (network !== null) return network;
  throw new Error(`reading the trusted proxy ${JSON.stringify(text)}: expected a network such as 10.0.0.0/8`);
}

/** An address as proxies write it: also with a port or in brackets. IPv4 inside IPv6 becomes IPv4. */
function parseAddress(text: string): Address | null {
  const bare = /^\[([^\]]+)\](?::[0-9]+)?$/.exec(text)?.[1] ?? /^([0-9.]+):[0-9]+$/.exec(text)?.[1] ?? text;
  const zoneless = bare.replace(/%.*$/, '');
  // Without this, forms such as `10.1` or `0x7f000001` would pass as IPv4.
  if (!zoneless.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(zoneless)) return null;
  return ipaddr.isValid(zoneless) ? ipaddr.process(zoneless) : null;
}

function isTrusted(address: Address, trusted: readonly AddressBlock[]): boolean {
  return ipaddr.subnetMatch(address, { trusted: [...trusted] }, 'untrusted') === 'trusted';
}
