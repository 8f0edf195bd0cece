import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseBlock } from '../../../topics/ports/address-block.ts';
import { EgressGuard } from './guard.ts';

const ADDRESS = '93.184.215.14';
const DENIED = ['203.0.114.0/24', '2a00:1450:4001::/48'];

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'site.example': [ADDRESS],
  'denied.example': ['203.0.114.9'],
  'mixed.example': [ADDRESS, '2a00:1450:4001::1'],
  'private.example': ['10.0.0.1'],
  'redis.prod.svc.cluster.local': [ADDRESS],
};

describe('EgressGuard', () => {
  const server = createServer((_request, response) => response.end());
  const asked: string[] = [];
  let guard: EgressGuard;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    guard = new EgressGuard({
      resolver: {
        resolve: async (host) => {
          asked.push(host);
          return NAMES[host] ?? [];
        },
      },
      loopbackPorts: [],
      ownHosts: [],
      denied: DENIED.map(parseBlock).filter((block) => block !== null),
      dial: () => connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }),
    });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  async function open(host: string): Promise<string> {
    const opened = await guard.open(host, 443);
    if ('refused' in opened) return opened.refused;
    opened.socket.destroy();
    return 'open';
  }

  it.each([
    ['site.example', 'open'],
    ['denied.example', 'dns'],
    ['mixed.example', 'dns'],
    ['203.0.114.9', 'blocked'],
    ['[2a00:1450:4001::1]', 'blocked'],
    ['[2a00:1450:4002::1]', 'open'],
  ])('admits what its operator does not deny: %s', async (host, answer) => {
    expect(await open(host)).toBe(answer);
  });

  it('has one answer for a private address and for none', async () => {
    expect([await open('private.example'), await open('unknown.example')]).toEqual(['dns', 'dns']);
  });

  it.each([
    ...['redis.prod.svc.cluster.local', 'wiki.corp', 'nas.home.arpa', 'metadata.google.internal'],
    ...['printer.local.', 'x.LOCALHOST', '1.0.0.10.in-addr.arpa', 'a.onion'],
  ])('asks no name server for a name of a private network: %s', async (host) => {
    asked.length = 0;
    expect([await open(host), asked]).toEqual(['blocked', []]);
  });

  it('admits no address of this machine', async () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
      expect(await open(address.includes(':') ? `[${address}]` : address)).toBe('blocked');
    }
  });
});

describe.runIf(hasIPv6())('EgressGuard, for an admitted port of this machine', () => {
  it('reaches a server that listens on the IPv6 address of localhost only', async () => {
    const server = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const guard = new EgressGuard({
      resolver: { resolve: async () => [] },
      loopbackPorts: [port],
      ownHosts: [],
    });
    const opened = await guard.open('localhost', port);
    if ('refused' in opened) throw new Error(opened.refused);
    opened.socket.destroy();
    expect(await guard.open('127.0.0.1', port)).toEqual({ refused: 'connect' });
  });
});

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((of) => of?.some(({ address }) => address === '::1'));
}
