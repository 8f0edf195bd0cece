/** Longer than any answer of the service takes: its own deadlines are shorter. */
const ANSWER_TIMEOUT_MS = 60_000;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The caller of a request, and the data sent with it. */
export interface RequestOptions {
  /** A credential for the `Authorization` header. */
  readonly bearer?: string;
  /** The cookie of a signed-in person, as `signIn` answers it. */
  readonly cookie?: string;
  /** The page that a browser sends this from; the console's own where it is absent. */
  readonly origin?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as `text/csv`, byte for byte. */
  readonly csv?: Uint8Array<ArrayBuffer>;
}

export interface Answer<Body> {
  readonly body: Body;
  /** The name and value of the cookie that came with it, or null. */
  readonly cookie: string | null;
}

/** The service answered something else than the caller counts on. */
export class UnexpectedAnswerError extends Error {
  readonly status: number;
  /** The code of the service's error envelope, or null where the body was none. */
  readonly code: string | null;

  constructor(request: string, status: number, envelope: ErrorEnvelope) {
    const {
      code = null,
      message = 'without an error envelope',
      request_id = 'unknown',
    } = envelope.error ?? {};
    super(`${request} answered ${status} ${code ?? ''}: ${message} (request ${request_id})`);
    this.name = 'UnexpectedAnswerError';
    this.status = status;
    this.code = code;
  }
}

interface ErrorEnvelope {
  readonly error?: { readonly code?: string; readonly message?: string; readonly request_id?: string };
}

/**
 * Speaks HTTP with one server, as a customer's own code would. It repeats nothing by itself: who wants to, sends the same
 * idempotency key again.
 */
export class Client {
  /** The server's address, without a trailing slash. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /**
   * Sends one request and returns the body of its answer.
   *
   * @param target a path on the server, or a whole address that the server gave
   * @throws {UnexpectedAnswerError} for another status than the one expected
   * @throws {Error} when there is no answer at all
   */
  async send<Body>(
    method: Method,
    target: string,
    status: number,
    options: RequestOptions = {},
  ): Promise<Body> {
    return (await this.exchange<Body>(method, target, status, options)).body;
  }

  /** Like {@link send}, with the cookie that the answer sets. */
  async exchange<Body>(
    method: Method,
    target: string,
    status: number,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const address = new URL(target, this.base);
    const request = `${method} ${address.pathname}`;
    const response = await this.#fetch(request, address, method, options);
    const body: unknown = parseJson(await response.text());
    if (response.status !== status) {
      throw new UnexpectedAnswerError(request, response.status, (body ?? {}) as ErrorEnvelope);
    }
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? null;
    return { body: body as Body, cookie };
  }

  async #fetch(request: string, address: URL, method: Method, options: RequestOptions): Promise<Response> {
    const { bearer, cookie, origin, json, csv } = options;
    const headers = new Headers();
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
    if (cookie !== undefined) headers.set('cookie', cookie);
    // The console takes changes from its own pages only, which is what a browser says with this header.
    if (method !== 'GET') headers.set('origin', new URL(this.base).origin);
    if (origin !== undefined) headers.set('origin', origin);
    if (json !== undefined) headers.set('content-type', 'application/json');
    if (csv !== undefined) headers.set('content-type', 'text/csv');
    const body = csv ?? (json === undefined ? null : JSON.stringify(json));
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    try {
      return await fetch(address, { method, headers, body, signal, redirect: 'error' });
    } catch (error) {
      throw new Error(`waiting for the answer to ${request}`, { cause: error });
    }
  }
}

/** The value of a JSON text, or null for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
