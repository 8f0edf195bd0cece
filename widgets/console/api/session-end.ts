import { Problem, problemFrom } from './problem.ts';

/** Why a request was answered as one without a session. */
export type EndReason = 'none' | 'ended' | 'no member' | 'no organization';

/** The reason by the texts that infra/docs/errors.md lists; null for another error, such as a wrong password. */
export function endReason(error: Error | null): EndReason | null {
  if (!(error instanceof Problem) || error.status !== 401) return null;
  if (!error.message.startsWith('header.Cookie')) return null;
  if (error.message.includes('without an organization')) return 'no organization';
  if (error.message.includes('no longer belongs')) return 'no member';
  return error.message.includes('seen no session') ? 'none' : 'ended';
}

/** The requests that wait for a sign-in. Further ones are answered with the refusal. */
const WAITING_MAX = 100;

/** Sends each waiting request. */
let waiting: (() => void)[] = [];

let askToSignIn: () => boolean = () => false;

/** Sets how the page asks the person to sign in again. It returns false where there is no session to continue. */
export function onSessionEnd(ask: () => boolean): void {
  askToSignIn = ask;
}

/** Sends what was refused because the session had ended. */
export function continueRequests(): void {
  const all = waiting;
  waiting = [];
  for (const send of all) send();
}

/**
 * Sends a request, and once more after the person has signed in again, if it was refused because the session had ended. The
 * service did nothing for a refused request.
 */
export async function sendInSession(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const text = await request.text();
  const init = text === '' ? {} : { body: text };
  const response = await send(new Request(request, init));
  if (response.status !== 401 || waiting.length >= WAITING_MAX) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (endReason(problemFrom(response, body)) === null || !askToSignIn()) return response;
  await new Promise<void>((resolve) => waiting.push(resolve));
  return send(new Request(request, init));
}
