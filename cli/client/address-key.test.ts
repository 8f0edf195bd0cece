import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { codeOf, readGuide } from '../../infra/docs/guide-code.fixture.ts';
import { addressKey } from './address-key.ts';

const KEYS: readonly (readonly [address: string, key: string])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:db8:0:0:1::', '2001:db8::/64'],
  ['2001:0:0:7::9', '2001:0:0:7::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['::', '::/64'],
];

const WITH_PORT: readonly (readonly [address: string, key: string])[] = [
  ['192.0.2.1:5678', '192.0.2.1'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.1]', '192.0.2.1'],
];

const NO_ADDRESSES = [
  ...[
    '',
    ' ',
    'unknown',
    'localhost',
    '10.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '256.1.1.1',
    '1.2.3.4.5',
    '1.2.3.4.',
  ],
  ...['::1]@example.com/', '2001:db8::1::2', '1:2:3', '203.0.113.7, 10.0.0.1', '::ffff:999.0.0.1', ':'],
];

describe('addressKey', () => {
  it.each([...KEYS, ...WITH_PORT])('names the subscriber of %s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it.each([...NO_ADDRESSES, undefined, null])('throws for %j, and does not repeat it', (address) => {
    expect(() => addressKey(address)).toThrow(TypeError);
    expect(() => addressKey(address)).toThrow(
      /^addressKey: seen (a string of \d+ characters|undefined|object), expected an IPv4 or IPv6 address\.$/,
    );
  });

  it('is the function of the guide in Python', () => {
    const code = codeOf(readGuide('rate-limits.md'), 'python', 'import ipaddress');
    const asked = JSON.stringify([...KEYS, ...WITH_PORT].map(([address]) => address));
    const wrong = JSON.stringify(NO_ADDRESSES);
    const program = `${code}
import json, sys
def key_of(address):
    try:
        return address_key(address)
    except ValueError:
        return None
print(json.dumps([[key_of(each) for each in json.loads(line)] for line in sys.argv[1:]]))
`;
    const env = { ...process.env, LIMITER_URL: 'http://127.0.0.1:1', LIMITER_KEY: 'none' };
    const printed = execFileSync('python3', ['-c', program, asked, wrong], { encoding: 'utf8', env });
    expect(JSON.parse(printed)).toEqual([
      [...KEYS, ...WITH_PORT].map(([, key]) => key),
      NO_ADDRESSES.map(() => null),
    ]);
  });
});
