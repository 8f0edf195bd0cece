import createClient, { type Middleware } from 'openapi-fetch';
import { anySignal } from '../../shared/any-signal.ts';
import type { paths } from './interface.ts';
import { Problem, problemFrom, problemOf } from './problem.ts';
import { noteServerTime } from './server-clock.ts';
import { sendInSession } from './session-end.ts';

/** A request without an answer after this time is given up. The service itself gives up earlier. */
const ANSWER_MS_MAX = 30_000;

const clock: Middleware = {
  onResponse({ response }) {
    noteServerTime(response.headers.get('date'));
  },
};

/** The service's HTTP interface, typed from its OpenAPI document. Paths are relative: the console is served by the service. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request) =>
    sendInSession(request, (sent) =>
      fetch(sent, { signal: anySignal(sent.signal, AbortSignal.timeout(ANSWER_MS_MAX)) }),
    ),
});
api.use(clock);

/** An answer as the typed client gives it. */
export interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the body of an answer.
 *
 * @throws {Problem} for an answer that is an error, and for no answer.
 */
export async function answer<Data>(request: Promise<Answered<Data>>): Promise<Data> {
  let answered: Answered<Data>;
  try {
    answered = await request;
  } catch (error) {
    throw problemOf(error);
  }
  const { data, error, response } = answered;
  if (!response.ok) throw problemFrom(response, error);
  return data as Data;
}

/** True if the error is an answer with this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Problem && error.status === status;
}
