import { type ErrorCode, Problem, problemFrom } from './problem.ts';

/** The codes of answers to a request whose session does not count. */
const SESSION_CODES = [
  'session_required',
  'membership_ended',
  'organization_required',
] as const satisfies readonly ErrorCode[];

export type EndReason = (typeof SESSION_CODES)[number];

/** Why a request was answered as one without a session; null for another error, such as a wrong password. */
export function endReason(error: Error | null): EndReason | null {
  return error instanceof Problem ? (SESSION_CODES.find((code) => code === error.code) ?? null) : null;
}

/** The requests that wait for a sign-in. Further ones are answered with the refusal. */
const WAITING_MAX = 100;

/** Sends each waiting request. */
let waiting: (() => void)[] = [];

let askToSignIn: (() => void) | null = null;

/** Sets how the page asks the person to sign in again. Returns the end of that: without a page that asks, refusals are answers. */
export function onSessionEnd(ask: () => void): () => void {
  askToSignIn = ask;
  return () => {
    if (askToSignIn === ask) askToSignIn = null;
  };
}

/** Asks the person to sign in again. Returns false where no page asks. */
export function askForSession(): boolean {
  askToSignIn?.();
  return askToSignIn !== null;
}

/** Gives up what was refused because the session had ended: it was about another organization. */
export function dropRequests(): void {
  waiting = [];
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
  // The look at the session itself is what tells whether there is one again.
  if (isLook(request)) return await send(request);
  const text = await request.text();
  const init = text === '' ? {} : { body: text };
  const response = await send(new Request(request, init));
  if (response.status !== 401 || waiting.length >= WAITING_MAX) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (endReason(problemFrom(response, body)) === null || !askForSession()) return response;
  await new Promise<void>((resolve) => waiting.push(resolve));
  return send(new Request(request, init));
}

function isLook({ method, url }: Request): boolean {
  return method === 'GET' && new URL(url).pathname === '/v1/console/session';
}
