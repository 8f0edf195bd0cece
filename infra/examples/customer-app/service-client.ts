/** Longer than the service takes to answer or to say that it cannot. */
const ANSWER_TIMEOUT_MS = 15_000;

export interface ServiceAnswer {
  readonly status: number;
  /** The answer's JSON, or null for none. */
  readonly body: unknown;
  /** The error's code, or null for an answer that is none. */
  readonly code: string | null;
  /** From the header `Retry-After`. */
  readonly retryAfterMs: number | null;
}

/** There was no answer: whether the request arrived is not known. Send the same request again, with the same key. */
export class TransportError extends Error {
  constructor(cause: unknown) {
    super('waiting for the service', { cause });
    this.name = 'TransportError';
  }
}

/** Speaks JSON with the service under one credential, which it keeps out of addresses and errors. */
export class ServiceClient {
  readonly #base: string;
  readonly #credential: string;

  constructor(base: string, credential: string) {
    this.#base = base;
    this.#credential = credential;
  }

  /** Resolves with the answer, whatever its status. @throws {TransportError} when there is none in time. */
  async send(method: 'GET' | 'POST', path: string, json?: unknown): Promise<ServiceAnswer> {
    try {
      const response = await fetch(new URL(path, this.#base), {
        method,
        headers: {
          Authorization: `Bearer ${this.#credential}`,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body: json === undefined ? null : JSON.stringify(json),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        redirect: 'error',
      });
      const body: unknown = await response.json().catch(() => null);
      return {
        status: response.status,
        body,
        code: codeOf(body),
        retryAfterMs: secondsOf(response.headers.get('retry-after')),
      };
    } catch (error) {
      throw new TransportError(error);
    }
  }
}

function codeOf(body: unknown): string | null {
  const { error } = Object(body) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : null;
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1_000 : null;
}
