import { BlockList } from 'node:net';

/** True if a host name, as the URL standard writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
