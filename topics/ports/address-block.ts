import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export type AddressBlock = ReturnType<typeof ipaddr.parseCIDR>;

const BLOCK = z.union([z.cidrv4(), z.cidrv6()]);

/**
 * Reads a block such as `10.0.0.0/8` or `2001:db8::/32`; null if it is none. It takes no short or octal forms, which tools read
 * differently, and no IPv4 block within IPv6: no address would be in it.
 */
export function parseBlock(text: string): AddressBlock | null {
  if (!BLOCK.safeParse(text).success) return null;
  const block = ipaddr.parseCIDR(text);
  return block[0].range() === 'ipv4Mapped' ? null : block;
}
