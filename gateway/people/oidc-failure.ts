import type { IncomingMessage } from 'node:http';
import { refusalOf } from '../http/failures.ts';
import { accepts } from '../http/headers.ts';
import type { Answer } from '../http/routing/route.ts';
import type { Hosts } from '../services.ts';
import { endedJourneyCookie } from './oidc-cookie.ts';

interface Journey {
  readonly request: Pick<IncomingMessage, 'headersDistinct'>;
  readonly hosts: Pick<Hosts, 'console'>;
  /** The console path that the sign-in was to lead to; null if it is not known. */
  readonly returnTo: string | null;
}

/**
 * Redirects a browser whose sign-in failed to the sign-in page, because the person would see a JSON body. The address
 * has the code of the error and none of its text.
 *
 * @throws the error itself for other callers, and if it is unexpected
 */
export function toSignInPage(error: unknown, { request, hosts, returnTo }: Journey): Answer {
  const refused = refusalOf(error);
  if (refused === null || !accepts(request, 'text/html')) throw error;
  const query = new URLSearchParams({ problem: refused.code });
  if (returnTo !== null) query.set('return', returnTo);
  return {
    headers: {
      Location: `${hosts.console}/sign-in?${query}`,
      'Set-Cookie': endedJourneyCookie(hosts),
    },
  };
}
