import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientAddress, createClientAddresses, parseNetwork, subscriberOf } from './addresses.ts';

const TRUSTED = ['10.0.0.0/8', '2001:db8:1::/48', '::1/128'].map(parseNetwork);

describe('clientAddress', () => {
  it.each<[string, string | undefined, string]>([
    ['203.0.113.9', undefined, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '192.0.2.66, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '192.0.2.66, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['10.0.0.1', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
    ['::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1::5', '[2001:db8:9::1]:4711', '2001:db8:9::1'],
    ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['::1', '2001:db8:1::7,2001:db8:1::8', '2001:db8:1::7'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, nonsense, 10.2.3.4', '10.2.3.4'],
    ['10.0.0.1', '198.51.100.1,', '10.0.0.1'],
    ['10.0.0.1', '0x0a000002', '10.0.0.1'],
    ['10.0.0.1', '127.1', '10.0.0.1'],
    ['', '198.51.100.1', ''],
  ])('peer %s with X-Forwarded-For %s is %s', (peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, TRUSTED)).toBe(expected);
  });

  it('cannot be told another address by the caller, whatever it writes into the header', () => {
    fc.assert(
      fc.property(fc.string(), (written) => {
        expect(clientAddress('10.0.0.1', `${written},198.51.100.1`, TRUSTED)).toBe('198.51.100.1');
        expect(clientAddress('203.0.113.9', written, TRUSTED)).toBe('203.0.113.9');
      }),
    );
  });

  it('looks at a bounded number of addresses', () => {
    const forwarded = ['198.51.100.1', ...Array.from({ length: 100 }, () => '10.0.0.2')].join(',');
    expect(clientAddress('10.0.0.1', forwarded, TRUSTED)).toBe('10.0.0.2');
  });
});

describe('subscriberOf', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::198.51.100.1', '2001:db8:1:2::/64'],
    ['::ffff:198.51.100.1', '::ffff:198.51.100.1'],
    ['64:ff9b::198.51.100.1', '64:ff9b::c633:6401'],
    ['64:ff9b::c633:6402', '64:ff9b::c633:6402'],
    ['::ffff:0:198.51.100.1', '::ffff:0:c633:6401'],
    ['64:ff9b:1::198.51.100.1', '64:ff9b:1::c633:6401'],
    ['', ''],
  ])('%s counts as %s', (address, expected) => {
    expect(subscriberOf(address)).toBe(expected);
  });
});

describe('parseNetwork', () => {
  it.each(['10.0.0.0', '10.0.0.0/33', 'proxy.example/8', '::ffff:10.0.0.0/104', ''])('refuses %j', (text) => {
    expect(() => parseNetwork(text)).toThrow(`reading the trusted proxy "${text}"`);
  });
});

describe('createClientAddresses', () => {
  const addresses = createClientAddresses({ trustedProxies: ['10.0.0.0/8'], secret: 'a secret' });
  const keyOf = (remoteAddress: string, forwarded?: string) =>
    addresses.keyOf({
      socket: { remoteAddress },
      headers: { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage);

  it('gives one key to one subscriber, and another to another', () => {
    expect(keyOf('2001:db8::1')).toBe(keyOf('2001:db8::ffff'));
    expect(keyOf('2001:db8::1')).not.toBe(keyOf('2001:db8:0:1::1'));
    expect(keyOf('10.0.0.1', '198.51.100.1')).toBe(keyOf('::ffff:198.51.100.1'));
    expect(keyOf('198.51.100.1')).not.toBe(keyOf('198.51.100.2'));
  });

  it('does not show the address', () => {
    expect(keyOf('198.51.100.1')).toMatch(/^[\w-]{43}$/);
    const otherwise = createClientAddresses({ trustedProxies: [], secret: 'another secret' });
    const request = { socket: { remoteAddress: '198.51.100.1' }, headers: {} } as unknown as IncomingMessage;
    expect(otherwise.keyOf(request)).not.toBe(keyOf('198.51.100.1'));
  });
});
