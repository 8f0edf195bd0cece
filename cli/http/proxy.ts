import http from 'node:http';
import { CommandFailure } from '../failure.ts';

/** Variables that name the proxy of an address with `https:`, as curl reads them. Lower case is the older form. */
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy'];
/** Bun takes their proxy where no variable names one for the address, Node does not. */
const GENERAL_VARIABLES = ['ALL_PROXY', 'all_proxy'];
/** Only addresses of this machine may have `http:`, and a proxy would read the credential. */
const UNUSED_VARIABLES = ['HTTP_PROXY', 'http_proxy', ...GENERAL_VARIABLES];
const EXCEPTION_VARIABLES = ['no_proxy', 'NO_PROXY'];
/** The addresses of this machine, as `NO_PROXY` lists them. */
const LOOPBACK = 'localhost,127.0.0.1,[::1]';

export function proxyVariables(environment: Readonly<NodeJS.ProcessEnv>): string[] {
  return setOf(PROXY_VARIABLES, environment);
}

/** Returns the variables that name a proxy for every address, which this tool does not use. */
export function unusedProxyVariables(environment: Readonly<NodeJS.ProcessEnv>): string[] {
  return setOf(GENERAL_VARIABLES, environment);
}

function setOf(names: readonly string[], environment: Readonly<NodeJS.ProcessEnv>): string[] {
  return names.filter((name) => (environment[name] ?? '') !== '');
}

/**
 * Makes `fetch` obey `HTTPS_PROXY` and `NO_PROXY`, and reach addresses of this machine directly. Bun reads the variables by
 * itself, at each request; Node does so from version 24.14, if it is told to. With `NODE_USE_ENV_PROXY`, Node
 * has begun before, and still obeys a later `NO_PROXY`.
 *
 * @param environment the one of this process, which it changes
 * @throws {CommandFailure} if a variable names a proxy and this Node cannot use it
 */
export function useProxyVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of UNUSED_VARIABLES) delete environment[name];
  const exceptions = EXCEPTION_VARIABLES.flatMap((name) => environment[name] ?? []);
  const all = exceptions.includes('*') ? '*' : [...exceptions, LOOPBACK].join(',');
  for (const name of EXCEPTION_VARIABLES) environment[name] = all;
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
