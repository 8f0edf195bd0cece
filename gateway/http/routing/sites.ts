import type { Hosts } from '../../services.ts';
import type { Route } from './route.ts';

/** The routes and headers of one host. */
export interface Site {
  readonly routes: readonly Route[];
  /** True if it is the console's host. */
  readonly isConsole: boolean;
  /** True if it is the main host of the interface. */
  readonly isBase: boolean;
  /** True if it is the host for pages of customers. */
  readonly isIngest: boolean;
  /** True if callers reach it over HTTPS. */
  readonly secure: boolean;
}

export interface Sites {
  /** By the value of a request's `Host` header, in lower case. */
  readonly byHost: ReadonlyMap<string, Site>;
  /** For every other value. */
  readonly otherwise: Site;
}

/**
 * Divides routes among hosts (infra/docs/reference/README.md#hosts). While all base addresses are equal, every host
 * that a caller names serves everything. Else each host serves its routes, and an unknown one only those for `any`.
 */
export function divideAmongHosts(routes: readonly Route[], hosts: Hosts): Sites {
  const urls = Object.values(hosts).map((address: string) => new URL(address));
  const [first] = urls;
  if (first === undefined || urls.every((url) => url.host === first.host)) {
    return {
      byHost: new Map(),
      otherwise: {
        routes,
        isConsole: true,
        isBase: true,
        isIngest: true,
        secure: first?.protocol === 'https:',
      },
    };
  }
  const byHost = new Map<string, Site>();
  for (const url of urls) {
    const site = {
      routes: routes.filter((route) => route.host === 'any' || new URL(hosts[route.host]).host === url.host),
      isConsole: new URL(hosts.console).host === url.host,
      isBase: new URL(hosts.base).host === url.host,
      isIngest: new URL(hosts.ingest).host === url.host,
      secure: url.protocol === 'https:',
    };
    for (const name of hostNames(url)) byHost.set(name, site);
  }
  const anyHost = routes.filter((route) => route.host === 'any');
  const secure = urls.every((url) => url.protocol === 'https:');
  return { byHost, otherwise: { routes: anyHost, isConsole: false, isBase: false, isIngest: false, secure } };
}

/** The forms of an address in a `Host` header: a port that the scheme implies may be left out or spelled out. */
function hostNames(url: URL): string[] {
  if (url.port !== '') return [url.host];
  return [url.host, `${url.host}:${url.protocol === 'https:' ? '443' : '80'}`];
}
