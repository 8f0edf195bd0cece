import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DnsServer } from './dns-server.fixture.ts';
import { EgressGuard } from './guard.ts';
import { createResolver } from './resolver.ts';

const PUBLIC = '93.184.215.14';
const PUBLIC_2 = '93.184.215.15';
const PUBLIC_6 = '2606:4700::6810:84e5';

describe('an egress guard that asks a name server', () => {
  let site: Server;
  let dns: DnsServer;
  let guard: EgressGuard;
  let dialled: string[];
  /** Addresses that do not accept a connection. */
  let closed: string[];

  beforeAll(async () => {
    site = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => site.close(resolve)));

  beforeEach(async () => {
    dns = await DnsServer.start();
    [dialled, closed] = [[], []];
    guard = new EgressGuard({
      resolver: createResolver([dns.address]),
      loopbackPorts: [],
      ownHosts: [],
      dial: (address) => {
        dialled.push(address);
        const { port } = site.address() as AddressInfo;
        return connect({ host: '127.0.0.1', port: closed.includes(address) ? 1 : port });
      },
    });
  });
  afterEach(() => dns.close());

  /** Opens a connection, and closes it. Returns the reason why there is none, or null. */
  async function open(host: string): Promise<string | null> {
    const opened = await guard.open(host, 443);
    if ('refused' in opened) return opened.refused;
    opened.socket.destroy();
    return null;
  }

  it('dials the address that it was given, and asks once for each type', async () => {
    dns.addresses('site.example', [PUBLIC]);
    expect(await open('site.example')).toBeNull();
    expect(dialled).toEqual([PUBLIC]);
    expect(dns.asked.toSorted()).toEqual(['A site.example', 'AAAA site.example']);
  });

  it('asks for the name as a browser understands it, and for no other', async () => {
    dns.addresses('xn--bcher-kva.example', [PUBLIC]);
    expect(await open('BÜCHER.example.')).toBeNull();
    expect(new Set(dns.asked)).toEqual(new Set(['A xn--bcher-kva.example', 'AAAA xn--bcher-kva.example']));
  });

  it('refuses a name that is bound to this machine after its first answer', async () => {
    dns.addresses('rebound.example', [PUBLIC], ['127.0.0.1']);
    expect(await open('rebound.example')).toBeNull();
    expect(await open('rebound.example')).toBe('dns');
    expect(dialled).toEqual([PUBLIC]);
  });

  it('dials only what it was given, also while the name is bound elsewhere', async () => {
    dns.addresses('rebound.example', [PUBLIC, PUBLIC_2], ['127.0.0.1']);
    closed.push(PUBLIC, PUBLIC_2);
    expect(await open('rebound.example')).toBe('connect');
    expect(dialled).toEqual([PUBLIC, PUBLIC_2]);
    expect(dns.asked).toHaveLength(2);
  });

  it('dials the next address of a name if one does not accept', async () => {
    dns.addresses('site.example', [PUBLIC, PUBLIC_6]);
    closed.push(PUBLIC);
    expect(await open('site.example')).toBeNull();
    expect(dialled).toEqual([PUBLIC, PUBLIC_6]);
  });

  it('dials three of many addresses, all of which it has checked', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `93.184.215.${index + 1}`);
    dns.addresses('many.example', many);
    closed.push(...many);
    expect(await open('many.example')).toBe('connect');
    expect(dialled).toEqual(many.slice(0, 3));
    dns.addresses('last.example', [...many, '10.0.0.1']);
    expect(await open('last.example')).toBe('dns');
    expect(dialled).toHaveLength(3);
  });

  it.each([
    ['of this machine', ['127.0.0.1']],
    ['of no machine', ['0.0.0.0']],
    ['of the metadata server', ['169.254.169.254']],
    ['of a private network', ['10.0.0.1']],
    ['of a shared network', ['100.64.0.1']],
    ['public and private', [PUBLIC, '192.168.0.1']],
    ['public in IPv4 and private in IPv6', [PUBLIC, 'fd00::1']],
    ['public in IPv6 and private in IPv4', [PUBLIC_6, '172.16.0.1']],
    ['of this machine in IPv6', ['::1']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['mapped, and of a public server', ['::ffff:93.184.215.14']],
    ['translated', ['64:ff9b::7f00:1']],
    ['of 6to4', ['2002:7f00:1::']],
    ['of Teredo', ['2001:0:7f00:1::']],
    ['link-local', ['fe80::1']],
  ])('refuses a name whose address is %s', async (_what, addresses) => {
    dns.addresses('private.example', addresses);
    expect(await open('private.example')).toBe('dns');
    expect(dialled).toEqual([]);
  });

  it('refuses an alias of a private name, and dials that of a public one', async () => {
    const alias = 'target.example';
    dns.names.set('private.example', { A: [{ addresses: ['127.0.0.1'], alias }] });
    dns.names.set('private6.example', { AAAA: [{ addresses: ['::1'], alias }] });
    dns.names.set('public.example', { A: [{ addresses: [PUBLIC], alias }] });
    dns.names.set('dangling.example', { A: [{ addresses: [], alias }] });
    expect(await open('private.example')).toBe('dns');
    expect(await open('private6.example')).toBe('dns');
    expect(await open('dangling.example')).toBe('dns');
    expect(dialled).toEqual([]);
    expect(await open('public.example')).toBeNull();
    expect(dialled).toEqual([PUBLIC]);
  });

  it('has no address for a name that does not exist, or that a server refuses to resolve', async () => {
    dns.names.set('empty.example', {});
    for (const code of ['SERVFAIL', 'REFUSED', 'FORMERR'] as const) {
      dns.names.set(`${code.toLowerCase()}.example`, { A: [{ code }], AAAA: [{ code }] });
    }
    for (const name of ['unknown', 'empty', 'servfail', 'refused', 'formerr']) {
      expect(await open(`${name}.example`), name).toBe('dns');
    }
    expect(dialled).toEqual([]);
  });

  it.each([
    ['with SERVFAIL', { code: 'SERVFAIL' }],
    ['with REFUSED', { code: 'REFUSED' }],
    ['with FORMERR', { code: 'FORMERR' }],
    ['by silence', { silent: true }],
  ] as const)('dials the IPv4 address if the question for others fails %s', async (_how, answer) => {
    dns.names.set('half.example', { A: [{ addresses: [PUBLIC] }], AAAA: [answer] });
    dns.names.set('other.example', { A: [{ addresses: [] }], AAAA: [answer] });
    dns.names.set('private.example', { A: [{ addresses: ['10.0.0.1'] }], AAAA: [answer] });
    expect(await open('half.example')).toBeNull();
    expect(await open('other.example')).toBe('dns');
    expect(await open('private.example')).toBe('dns');
    expect(dialled).toEqual([PUBLIC]);
  });

  it('has no address if the question for IPv4 addresses fails', async () => {
    dns.names.set('half.example', { A: [{ code: 'SERVFAIL' }], AAAA: [{ addresses: [PUBLIC_6] }] });
    dns.names.set('cut.example', {
      A: [{ addresses: [PUBLIC], isTruncated: true }],
      AAAA: [{ addresses: [] }],
    });
    expect(await open('half.example')).toBe('dns');
    expect(await open('cut.example')).toBe('dns');
    expect(dialled).toEqual([]);
  });

  it('has no address if that question is not answered in time', async () => {
    dns.names.set('silent.example', { A: [{ silent: true }], AAAA: [{ addresses: [PUBLIC_6] }] });
    expect(await open('silent.example')).toBe('dns');
    expect(dialled).toEqual([]);
    expect(dns.asked.filter((question) => question === 'A silent.example').length).toBeGreaterThan(1);
  });

  it('resolves neither an address nor a name of the local network', async () => {
    for (const host of ['127.0.0.1', '2130706433', '[::1]', 'localhost', 'intranet', 'printer.']) {
      expect(await open(host), host).toBe('blocked');
    }
    expect(dns.asked).toEqual([]);
  });
});
