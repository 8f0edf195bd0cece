import { refusalOf } from '../http/failures.ts';
import { accepts } from '../http/headers.ts';
import type { Answer, IncomingHeaders, RouteContext } from '../http/routing/route.ts';
import type { Hosts } from '../services.ts';
import { signOnCause } from './oidc-cause.ts';
import { SignOnError } from './oidc-error.ts';

interface FailedJourney {
  readonly request: IncomingHeaders;
  readonly hosts: Pick<Hosts, 'console'>;
  /** The console path that the sign-in was to lead to; null if it is not known. */
  readonly returnTo: string | null;
  readonly cookies?: readonly string[];
  readonly warn: RouteContext<'none', unknown, unknown, unknown>['warn'];
}

/**
 * Logs the cause of a failed sign-on, which no answer has. Then redirects a browser to the sign-in page, because the person would see
 * a JSON body. The address has the code and the reason of the error and none of its text.
 *
 * @throws the error itself for other callers, and if it is unexpected
 */
export function failedSignOn(
  error: unknown,
  { request, hosts, returnTo, cookies = [], warn }: FailedJourney,
): Answer {
  const refused = refusalOf(error);
  if (refused === null) throw error;
  const { code } = refused;
  const reason = error instanceof SignOnError ? { reason: error.reason } : {};
  warn({ code, ...reason, cause: signOnCause(error) }, 'SignOnFailed');
  if (!accepts(request, 'text/html')) throw error;
  const query = new URLSearchParams({ problem: code, ...reason });
  if (returnTo !== null) query.set('return', returnTo);
  return { headers: { Location: `${hosts.console}/sign-in?${query}` }, cookies };
}
