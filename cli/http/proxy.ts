import http from 'node:http';
import { CommandFailure } from '../failure.ts';

/** Variables that name a proxy, as curl reads them. Lower case is the older form. */
export const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

/** Returns the variables of the environment that name a proxy. */
export function proxyVariables(environment: Readonly<NodeJS.ProcessEnv>): string[] {
  return PROXY_VARIABLES.filter((name) => (environment[name] ?? '') !== '');
}

/**
 * Makes `fetch` obey the proxy variables and `NO_PROXY`. Bun does so by itself; Node does from version 24.14.
 *
 * @throws {CommandFailure} if a variable names a proxy and this Node cannot use it
 */
export function useProxyVariables(environment: Readonly<NodeJS.ProcessEnv>): void {
  if ('bun' in process.versions || proxyVariables(environment).length === 0) return;
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: () => unknown };
  if (setGlobalProxyFromEnv === undefined) {
    throw new CommandFailure(
      'This version of Node does not use proxy variables. Use Bun 1.4, or Node 24.14.',
      {
        code: 'proxy_unsupported',
        exit: 'network',
      },
    );
  }
  setGlobalProxyFromEnv();
}
