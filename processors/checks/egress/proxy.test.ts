import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EgressGuard } from './guard.ts';
import { type EgressLimit, EgressProxy, type EgressProxyOptions, type ProxyAccess } from './proxy.ts';

const PUBLIC_ADDRESS = '93.184.215.14';
const STEP_MS = 250;

describe('EgressProxy', () => {
  let site: Server;
  const names: Readonly<Record<string, readonly string[]>> = {
    'site.example': [PUBLIC_ADDRESS],
    'private.example': ['10.0.0.1'],
    'loopback.example': ['127.0.0.1'],
  };

  beforeAll(async () => {
    site = createServer((incoming, response) =>
      response.end(`${incoming.method} ${incoming.url} ${incoming.headers.host}`),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => site.close(resolve)));

  function start(options: Partial<EgressProxyOptions> = {}): Promise<EgressProxy> {
    const guard = new EgressGuard({
      resolver: { resolve: async (host) => names[host] ?? [] },
      loopbackPorts: [],
      ownHosts: ['own.example'],
      dial: () => connect({ host: '127.0.0.1', port: (site.address() as AddressInfo).port }),
    });
    return EgressProxy.start({ guard, hosts: null, onLimit: () => {}, ...options });
  }

  function optionsOf(proxy: EgressProxy, access: ProxyAccess | null) {
    const { hostname: host, port } = new URL(proxy.access.url);
    const credentials = Buffer.from(`${access?.username}:${access?.password}`).toString('base64');
    const headers = access === null ? {} : { 'proxy-authorization': `Basic ${credentials}` };
    return { host, port, headers, agent: false } as const;
  }

  /** Sends a request in absolute form. Returns status, body and the milliseconds that it took. */
  function send(proxy: EgressProxy, url: string, access: ProxyAccess | null = proxy.access) {
    const begun = performance.now();
    return new Promise<{ status: number; body: string; ms: number }>((resolve, reject) => {
      const options = { ...optionsOf(proxy, access), path: url };
      const asked = request(options, async (response) => {
        let body = '';
        for await (const piece of response) body += piece;
        resolve({ status: response.statusCode ?? 0, body, ms: performance.now() - begun });
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  function tunnel(proxy: EgressProxy, target: string, access: ProxyAccess | null = proxy.access) {
    return new Promise<number>((resolve, reject) => {
      const asked = request({ ...optionsOf(proxy, access), method: 'CONNECT', path: target });
      asked.on('connect', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  it('forwards requests and opens tunnels to public hosts at ports 80 and 443', async () => {
    const proxy = await start();
    expect(await send(proxy, 'http://site.example/page?a=b')).toMatchObject({
      status: 200,
      body: 'GET /page?a=b site.example',
    });
    expect(await tunnel(proxy, 'site.example:443')).toBe(200);
    expect(proxy.blocked).toBe(0);
    await proxy.close();
  });

  it('answers every refusal alike, at a multiple of the same time', async () => {
    const proxy = await start();
    const refused = [
      ...[
        'http://private.example/',
        'http://loopback.example/',
        'http://unknown.example/',
        'http://own.example/',
      ],
      ...['http://site.example:22/', 'http://site.example:8080/', 'http://127.0.0.1/', 'http://[::1]/'],
      ...[
        'http://2130706433/',
        'http://localhost/',
        'http://intranet/',
        'http://169.254.169.254/latest/meta-data/',
      ],
    ];
    const answers = await Promise.all(refused.map((url) => send(proxy, url)));
    for (const { status, body, ms } of answers) {
      expect([status, body]).toEqual([502, '']);
      expect(ms).toBeGreaterThan(STEP_MS - 10);
    }
    expect(proxy.blocked).toBe(refused.length);
    const names = ['http://unknown.example/', 'http://private.example/'];
    expect(names.map((url) => proxy.refusalOf(new URL(url)))).toEqual(['dns', 'dns']);
    for (const target of ['127.0.0.1:443', 'private.example:443', 'site.example:25', 'site.example', ':80']) {
      expect(await tunnel(proxy, target), target).toBe(502);
    }
    await proxy.close();
  });

  it('reaches only the hosts that it is given', async () => {
    const proxy = await start({ hosts: ['site.example'] });
    expect((await send(proxy, 'http://site.example/')).status).toBe(200);
    expect((await send(proxy, 'http://other.example/')).status).toBe(502);
    expect(proxy.blocked).toBe(1);
    await proxy.close();
  });

  it('answers requests without the password of the run with a challenge, and counts none', async () => {
    const proxy = await start({ connectionsMax: 0 });
    const { url, username, password } = proxy.access;
    const others = [null, { url, username, password: '' }, { url, username: `${username}:`, password }];
    for (const access of others) {
      expect((await send(proxy, 'http://site.example/', access)).status).toBe(407);
      expect(await tunnel(proxy, 'site.example:443', access)).toBe(407);
    }
    expect([proxy.limit, proxy.blocked]).toEqual([null, 0]);
    await proxy.close();
  });

  it.each([
    ['connections', { connectionsMax: 1 }],
    ['bytes', { bytesMax: 10 }],
  ] as const)('ends with the bound of %s', async (limit, options) => {
    const reached: EgressLimit[] = [];
    const proxy = await start({ ...options, onLimit: (which) => reached.push(which) });
    await Promise.allSettled([send(proxy, 'http://site.example/'), send(proxy, 'http://site.example/')]);
    expect(reached).toEqual([limit]);
    await proxy.close();
  });
});
