import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './addresses.ts';

/** IANA IPv4 Special-Purpose Address Registry, and multicast: the first and the last address of each block. */
const SPECIAL_IPV4: readonly (readonly [block: string, first: string, last: string])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
];

/** IANA IPv6 Special-Purpose Address Registry, multicast, and the forms that embed an IPv4 address. */
const SPECIAL_IPV6: readonly (readonly [block: string, first: string, last: string])[] = [
  ['::/128', '::', '::'],
  ['::1/128', '::1', '::1'],
  ['::/96 (IPv4-compatible)', '::7f00:1', '::8.8.8.8'],
  ['::ffff:0:0/96 (mapped)', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ['::ffff:0:0:0/96 (translated)', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['64:ff9b::/96 (NAT64)', '64:ff9b::7f00:1', '64:ff9b::808:808'],
  ['64:ff9b:1::/48 (NAT64)', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::/32 (Teredo)', '2001:0:7f00:1::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::/48', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16 (6to4)', '2002:7f00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ISATAP', '2606:4700::5efe:7f00:1', '2606:4700::200:5efe:8.8.8.8'],
];

describe('isPublicAddress', () => {
  it.each(SPECIAL_IPV4)('is false for %s', (_block, first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
  });

  it.each(SPECIAL_IPV6)('is false for %s', (_block, first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
  });

  it.each([
    ...[
      '1.0.0.0',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['2001:200::', '2001:4860:4860::8888', '2003::', '2606:4700::6810:84e5', '2a00:1450:4001:800::200e'],
  ])('is true for %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '010.0.0.1',
    '8.8.8',
    '8.8.8.8.',
    '2606:4700::1%eth0',
  ])('is false for %j, which is not the canonical text of an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});
