import ipaddr from 'ipaddr.js';
import type { AddressBlock } from '../../../topics/ports/address-block.ts';

/** The only block of IPv6 from which global unicast addresses are assigned (RFC 4291, 2.4; IANA IPv6 address space). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Blocks within it that are special: protocol assignments with Teredo and ORCHID, 6to4, AS112, and documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (block) => ipaddr.IPv6.parseCIDR(block),
);

/** Blocks that are special besides the ranges that the library names: all of 192.0.0.0/24, and the relays of 6to4. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
].map((block) => ipaddr.IPv4.parseCIDR(block));

/** The interface identifiers of ISATAP (RFC 5214, 6.1), which embed an IPv4 address: their fifth and sixth groups. */
const ISATAP = [
  [0x0000, 0x5efe],
  [0x0200, 0x5efe],
] as const;

/** True if one of these blocks has the address. */
export function isWithin(address: string, blocks: readonly AddressBlock[]): boolean {
  const parsed = ipaddr.parse(address);
  return blocks.some((block) => block[0].kind() === parsed.kind() && parsed.match(block));
}

/**
 * True for the canonical text of a unicast address of the public internet. Every block of IANA's special-purpose registries
 * (RFC 6890) is false, and so is every IPv6 address that embeds an IPv4 address: mapped, translated, 6to4, Teredo, ISATAP.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    return address.range() === 'unicast' && !SPECIAL_IPV4.some((block) => address.match(block));
  }
  // A zone names an interface of this machine.
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  if (address.range() !== 'unicast' || !address.match(GLOBAL_IPV6)) return false;
  if (SPECIAL_IPV6.some((block) => address.match(block))) return false;
  return !ISATAP.some(([fifth, sixth]) => address.parts[4] === fifth && address.parts[5] === sixth);
}
