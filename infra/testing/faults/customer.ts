import { setTimeout as pause } from 'node:timers/promises';
import { cookieOf, exchange, type Received } from '../e2e/customer.fixture.ts';
import type { CallTold, LimiterCall } from './calls.ts';
import type { Attempt, History, Observed, Operation, Promised } from './history.ts';

/** Timeout of a connection without an answer. It is longer than the service's deadline of ten seconds. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Default time for an operation to get a definite answer. A killed server is back long before. */
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
  /** The page that sends it. By default the console's own, where a browser would send it. */
  readonly origin?: string;
  /** The `Idempotency-Key` header. */
  readonly key?: string;
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
  /** True if a 500 leaves the outcome open too, as it does for a check of the limiter. Default: false. */
  readonly isOpenAfter500?: boolean;
  /** Returns the rows that the answer promises. */
  readonly promises: (body: Body) => readonly Promised[];
}

/** A definite answer. */
type Definite<Body> =
  | { readonly kind: 'acknowledged'; readonly body: Body; readonly cookie: string | null }
  | { readonly kind: 'refused'; readonly code: string };

/** A definite answer, with the number of attempts that may have had another effect. */
export type Told<Body> = Definite<Body> & {
  /** Attempts whose outcome stayed open. */
  readonly open: number;
  /** Attempts after the acknowledgment. */
  readonly again: number;
};

/** The run is over: nothing new is begun. */
export class RunOverError extends Error {
  constructor() {
    super('beginning something new at the end of a run');
    this.name = 'RunOverError';
  }
}

/** No definite answer arrived in time. The history has the operation, and the checker reports it. */
export class UnansweredError extends Error {
  constructor(name: string, patienceMs: number) {
    super(`sending ${name} for ${patienceMs} ms`);
    this.name = 'UnansweredError';
  }
}

export interface CustomerOptions {
  /** The addresses of the gateways; each sending goes to the next one. */
  readonly gateways: readonly string[];
  readonly history: History;
  readonly isOver: () => boolean;
  readonly random: () => number;
  /** Time for an operation to get a definite answer. Default: longer than any server is away. */
  readonly patienceMs?: number;
  /** Resolves when the next operation may be sent. Absent: at once. */
  readonly turn?: () => Promise<void>;
  /** True if the keys of checks are lost with each end of the process, as on the embedded engine. Default: false. */
  readonly forgetsCheckKeys?: boolean;
}

/** Sends every request until it is answered for certain, with the same key, and notes what it was told. */
export class Customer {
  readonly #options: CustomerOptions;
  #turn = 0;

  constructor(options: CustomerOptions) {
    this.#options = options;
  }

  /** The number of attempts of a check that may have been counted besides the one that was answered. */
  uncertain({ open, again }: Told<unknown>): number {
    return this.#options.forgetsCheckKeys === true ? open + again : open;
  }

  /**
   * Sends the intent until there is a definite answer.
   *
   * @throws {RunOverError} instead of beginning when the run is over; {UnansweredError} when none was answered in time.
   */
  async intent<Body>(intent: Intent<Body>): Promise<Told<Body>> {
    const { history, isOver, random, turn, patienceMs = PATIENCE_MS } = this.#options;
    if (isOver()) throw new RunOverError();
    const operation = history.begin({
      name: intent.name,
      quota: intent.quota ?? null,
      refusals: intent.refusals ?? [],
    });
    await turn?.();
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
      const told = await this.#try(operation, intent);
      if (told !== null) {
        const again =
          told.kind === 'acknowledged' && intent.repeated !== false && random() * REPEAT_ONE_OF < 1;
        const open = operation.attempts.filter(({ answer }) => answer === 'unknown').length;
        if (again) await this.#try(operation, intent);
        return { ...told, open, again: again ? 1 : 0 };
      }
      await pause(PAUSE_MS * random());
    }
    throw new UnansweredError(intent.name, patienceMs);
  }

  /** Reads something that changes nothing and is not part of the history, as often as it takes. */
  async read<Body>(request: Request): Promise<Body> {
    const { random, turn, patienceMs = PATIENCE_MS } = this.#options;
    await turn?.();
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
      const answer = await this.#exchange(request).catch(() => null);
      if (answer?.status === 200) return answer.body;
      await pause(PAUSE_MS * random());
    }
    const name = `${request.method} ${request.path}`;
    this.observe('lost', `${name} never answered 200`);
    throw new UnansweredError(name, patienceMs);
  }

  /** True if nothing new is to be begun. */
  get isOver(): boolean {
    return this.#options.isOver();
  }

  /** Returns a number from 0 to below 1. */
  random(): number {
    return this.#options.random();
  }

  /**
   * Sends a call of the limiter as often as told, or until it is answered, and notes what it was told.
   *
   * @param read reads the answer of a call that was decided
   */
  async call(
    call: Omit<LimiterCall, 'sendings'>,
    request: Request,
    { sendings, read }: { readonly sendings: number; readonly read: (data: never) => CallTold },
  ): Promise<CallTold> {
    const noted: LimiterCall = { ...call, sendings: [] };
    this.#options.history.calls.push(noted);
    for (let left = sendings; ; left -= 1) {
      const sentAt = performance.now();
      const told = await this.#exchange(request).then(
        ({ status, body }): CallTold => {
          if (status === 200) return read(body.data as never);
          const said = `${status} ${body?.error?.code ?? 'no code'}`;
          return status < 500 ? { kind: 'refused', said } : { kind: 'unknown' };
        },
        (): CallTold => ({ kind: 'unknown' }),
      );
      noted.sendings.push({ sentAt, endedAt: performance.now(), told });
      if (told.kind !== 'unknown' || left <= 1) return told;
      await pause(PAUSE_MS * this.random());
    }
  }

  /** Notes that an answer to a read contradicts what was acknowledged. */
  observe(kind: Observed['kind'], what: string): void {
    this.#options.history.observed.push({ kind, what });
  }

  async #try<Body>(operation: Operation, intent: Intent<Body>): Promise<Definite<Body> | null> {
    const ended = this.#options.history.send(operation);
    const note = (answer: Attempt['answer'], said: string, promised: readonly Promised[] = []): void =>
      ended({ answer, said, promised });
    let answer: Received;
    try {
      answer = await this.#exchange(intent.request);
    } catch (error) {
      note('unknown', reasonOf(error));
      return null;
    }
    const { status, body } = answer;
    const code = body?.error?.code ?? 'no code';
    if (status === intent.status) {
      note('acknowledged', String(status), intent.promises(body));
      return { kind: 'acknowledged', body, cookie: cookieOf(answer) || null };
    }
    if (status === 503 || (status === 500 && intent.isOpenAfter500 === true)) {
      note('unknown', `${status} ${code}`);
      return null;
    }
    note('refused', `${status} ${code}`);
    return { kind: 'refused', code };
  }

  #exchange({ method, path, origin, ...parts }: Request): Promise<Received> {
    const { gateways } = this.#options;
    const gateway = gateways[this.#turn % gateways.length] ?? '';
    this.#turn += 1;
    const isOfConsole = parts.cookie !== undefined || method !== 'GET';
    const page = origin ?? (isOfConsole ? gateway : null);
    return exchange(gateway + path, method, { ...parts, origin: page, timeoutMs: ANSWER_TIMEOUT_MS });
  }
}

/** Returns the code or name of an error's first cause. */
function reasonOf(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? `${'code' in cause ? cause.code : cause.name}` : String(cause);
}
