import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, History, Operation, Promised } from './history.ts';

/** Timeout of a connection without an answer. It is longer than the service's deadline of ten seconds. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Time for an operation to get a definite answer. A killed server is back long before. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 500;
/** One acknowledged request in four is sent once more, as a client does that has lost its notes. */
const REPEAT_ONE_OF = 4;

/** A request as it goes over the wire, byte for byte the same each time. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly bearer?: string;
  readonly cookie?: string;
  readonly json?: unknown;
  readonly csv?: Uint8Array<ArrayBuffer>;
}

/** A request with the answer that the customer expects. */
export interface Intent<Body>
  extends Pick<Operation, 'name'>,
    Partial<Pick<Operation, 'quota' | 'refusals'>> {
  readonly request: Request;
  readonly status: number;
  /** True if it may be sent again after its acknowledgment. A request with a key has no second effect. Default: true. */
  readonly repeated?: boolean;
  /** Returns the rows that the answer promises. */
  readonly promises: (body: Body) => readonly Promised[];
}

/** A definite answer. */
export type Told<Body> =
  | { readonly kind: 'acknowledged'; readonly body: Body; readonly cookie: string | null }
  | { readonly kind: 'refused'; readonly code: string };

/** The run is over: nothing new is begun. */
export class RunOverError extends Error {
  constructor() {
    super('beginning something new at the end of a run');
    this.name = 'RunOverError';
  }
}

/** No definite answer arrived in time. The history has the operation, and the checker reports it. */
export class UnansweredError extends Error {
  constructor(name: string) {
    super(`sending ${name} for ${PATIENCE_MS} ms`);
    this.name = 'UnansweredError';
  }
}

interface Exchange {
  readonly status: number;
  readonly body: unknown;
  readonly cookie: string | null;
}

export interface CustomerOptions {
  /** The addresses of the gateways; each sending goes to the next one. */
  readonly gateways: readonly string[];
  readonly history: History;
  readonly isOver: () => boolean;
  readonly random: () => number;
}

/** Sends every request until it is answered for certain, with the same key, and notes what it was told. */
export class Customer {
  readonly #options: CustomerOptions;
  #turn = 0;

  constructor(options: CustomerOptions) {
    this.#options = options;
  }

  /**
   * Sends the intent until there is a definite answer.
   *
   * @throws {RunOverError} instead of beginning when the run is over; {UnansweredError} when none was answered in time.
   */
  async intent<Body>(intent: Intent<Body>): Promise<Told<Body>> {
    const { history, isOver, random } = this.#options;
    if (isOver()) throw new RunOverError();
    const operation = history.begin({
      name: intent.name,
      quota: intent.quota ?? null,
      refusals: intent.refusals ?? [],
    });
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
      const told = await this.#try(operation, intent);
      if (told !== null) {
        const again =
          told.kind === 'acknowledged' && intent.repeated !== false && random() * REPEAT_ONE_OF < 1;
        if (again) await this.#try(operation, intent);
        return told;
      }
      await pause(PAUSE_MS * random());
    }
    throw new UnansweredError(intent.name);
  }

  /** Reads something that changes nothing and is not part of the history, as often as it takes. */
  async read<Body>(request: Request): Promise<Body> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
      const answer = await this.#exchange(request).catch(() => null);
      if (answer?.status === 200) return answer.body as Body;
      await pause(PAUSE_MS * this.#options.random());
    }
    throw new UnansweredError(`${request.method} ${request.path}`);
  }

  async #try<Body>(operation: Operation, intent: Intent<Body>): Promise<Told<Body> | null> {
    const ended = this.#options.history.send(operation);
    const note = (answer: Attempt['answer'], said: string, promised: readonly Promised[] = []): void =>
      ended({ answer, said, promised });
    let answer: Exchange;
    try {
      answer = await this.#exchange(intent.request);
    } catch (error) {
      note('unknown', reasonOf(error));
      return null;
    }
    const { status, cookie } = answer;
    const body = answer.body as Body;
    const code = codeOf(answer.body);
    if (status === intent.status) {
      note('acknowledged', String(status), intent.promises(body));
      return { kind: 'acknowledged', body, cookie };
    }
    if (status === 503) {
      note('unknown', `503 ${code}`);
      return null;
    }
    note('refused', `${status} ${code}`);
    return { kind: 'refused', code };
  }

  async #exchange({ method, path, bearer, cookie, json, csv }: Request): Promise<Exchange> {
    const { gateways } = this.#options;
    const gateway = gateways[this.#turn % gateways.length] ?? '';
    this.#turn += 1;
    const headers = new Headers();
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
    if (cookie !== undefined) headers.set('cookie', cookie);
    if (cookie !== undefined || method !== 'GET') headers.set('origin', gateway);
    if (json !== undefined) headers.set('content-type', 'application/json');
    if (csv !== undefined) headers.set('content-type', 'text/csv');
    const response = await fetch(gateway + path, {
      method,
      headers,
      body: csv ?? (json === undefined ? null : JSON.stringify(json)),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? null,
    };
  }
}

function codeOf(body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: { readonly code?: string } };
  return error?.code ?? 'no code';
}

/** Returns the code or name of an error's first cause. */
function reasonOf(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? `${'code' in cause ? cause.code : cause.name}` : String(cause);
}
