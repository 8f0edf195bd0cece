import type { CountedChange } from '../../schemas/imports/changed-texts.ts';
import { anySignal } from '../shared/any-signal.ts';

/** The maximum time of one request, its answer's body included. An upload has the server's own bounds. */
const DEADLINE_MS = 20_000;

export interface Field {
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly example?: string | undefined;
  readonly maxLength?: number | undefined;
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
  readonly format?: string | undefined;
}

export interface ErrorCount {
  readonly column: string | null;
  readonly code: string;
  readonly count: number;
}

export interface ImportStatus {
  readonly importId: string;
  readonly status: string;
  readonly mappingRevision: number | null;
  readonly rows: {
    readonly total: number;
    readonly valid: number;
    readonly invalid: number;
    readonly blank: number;
  };
  readonly progress: { readonly done: number; readonly total: number };
  readonly errorCounts: readonly ErrorCount[];
  readonly failure: { readonly code: string; readonly line: number | null } | null;
  /** Absent if nothing was changed before the file was sent. */
  readonly changes?: readonly CountedChange[];
  /** Of one import; a list has none. */
  readonly validationDigest?: string | null;
}

export interface Session {
  readonly workspaceId: string;
  readonly schemaId: string;
  readonly fields: readonly Field[];
  readonly maxBytes: number;
  readonly maxRows: number;
  readonly approvalDelegated: boolean;
  readonly imports: readonly ImportStatus[];
}

export interface Source {
  readonly headers: readonly string[];
  readonly sample: readonly (readonly string[] | null)[];
}

export interface RowError {
  readonly row: number;
  /** In the file that was sent. */
  readonly line: number;
  readonly column: string | null;
  readonly source: string | null;
  readonly value: string | null;
  readonly code: string;
  readonly message: string;
}

export interface Reservation {
  readonly importId: string;
  readonly uploadUrl: string;
  readonly uploadToken: string;
}

/** The code of an upload whose token is refused. The session may last. */
export const UPLOAD_UNAUTHORIZED = 'upload_unauthorized';

/** A request without the answer that was hoped for. `status` is 0 without any answer. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  /** From the `Retry-After` header; null without one. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, code: string, message: string, retryAfter: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  }

  /** True if the same request may be answered another time. */
  get isPassing(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  /** True for the end of the session, which is not that of an upload's token. */
  get isSessionEnd(): boolean {
    return this.status === 401 && this.code !== UPLOAD_UNAUTHORIZED;
  }

  /** True if the import is no longer as the user has seen it. */
  get isConflict(): boolean {
    return this.status === 409;
  }
}

/** A refusal as it is; any other failure is the lack of an answer. */
export function refusedBy(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused(0, '', '');
}

/** Sends a request to a path below those of the caller. It adds the credential. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Sends requests of one browser session. */
export function sendInSession(ingestOrigin: string, token: string): Send {
  return (path, init) => {
    const headers = { ...init.headers, Authorization: `Bearer ${token}` };
    return fetch(`${ingestOrigin}/v1/import/browser${path}`, { ...init, credentials: 'omit', headers });
  };
}

/** The requests of one user who imports. */
export class Api {
  readonly #request: Send;
  readonly #signal: AbortSignal;

  constructor(send: Send, signal: AbortSignal) {
    this.#request = send;
    this.#signal = signal;
  }

  /** Reads, and once more if there was no answer. @throws {Refused} */
  get<Body>(path: string): Promise<Body> {
    return onceMore(() => this.#send(path, { method: 'GET' }));
  }

  /** Sends JSON, and once more if there was no answer: the service recognises a repeat. @throws {Refused} */
  post<Body>(path: string, json: string): Promise<Body> {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json };
    return onceMore(() => this.#send(path, init));
  }

  /**
   * Sends the bytes of a reserved import.
   *
   * @param onProgress gets the number of bytes that were sent so far
   * @throws {Refused}
   */
  upload(
    { uploadUrl, uploadToken }: Reservation,
    bytes: ArrayBuffer,
    onProgress: (sent: number) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      // fetch cannot tell how much of a body was sent.
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      this.#signal.addEventListener('abort', abort);
      request.open('PUT', uploadUrl);
      request.setRequestHeader('Authorization', `Bearer ${uploadToken}`);
      request.setRequestHeader('Content-Type', 'text/csv');
      request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
      request.addEventListener('loadend', () => {
        this.#signal.removeEventListener('abort', abort);
        const { status } = request;
        if (status === 200) resolve();
        else if (status === 401) reject(new Refused(status, UPLOAD_UNAUTHORIZED, ''));
        else reject(refusal(status, parsed(request.responseText), request.getResponseHeader('Retry-After')));
      });
      request.send(bytes);
    });
  }

  async #send<Body>(path: string, init: RequestInit): Promise<Body> {
    let status = 0;
    let body: unknown = null;
    let retryAfter: string | null = null;
    try {
      const answer = await this.#request(path, {
        cache: 'no-store',
        redirect: 'error',
        signal: anySignal(this.#signal, AbortSignal.timeout(DEADLINE_MS)),
        ...init,
      });
      body = parsed(await answer.text());
      status = answer.status;
      retryAfter = answer.headers.get('Retry-After');
      if (answer.ok) return body as Body;
    } catch {
      // Without an answer, or with half of one.
    }
    throw refusal(status, body, retryAfter);
  }
}

/** Repeats a request that got no answer, once. */
export async function onceMore<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Refused && error.isPassing)) throw error;
    return await request();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusal(status: number, body: unknown, retryAfter: string | null): Refused {
  const { error } = Object(body) as { error?: { code?: string; message?: string } };
  return new Refused(status, error?.code ?? '', error?.message ?? '', retryAfter);
}
