import { HOUR_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { withTimeout } from '../../schemas/base/timeout.ts';
import type { SessionAnswer } from '../../schemas/people/http.ts';
import { EngineUnavailableError } from '../../topics/ports/failures.ts';
import type { PrincipalOf } from '../principals.ts';

type Operator = PrincipalOf<'console'>;

/** The time for which a gateway believes a session that it has seen, while the engine that has the session is down. */
export const REMEMBERED_MS = HOUR_MS;

/** Sessions that a gateway remembers. The one that was seen least lately is forgotten. */
const OPERATORS_MAX = 100;

/** The wait for an engine that may hang, where the answer is remembered. */
const ENGINE_WAIT_MS = SECOND_MS;

interface Remembered {
  readonly operator: Operator;
  readonly seenAt: number;
  readonly answer: SessionAnswer | null;
}

/**
 * The sessions of operators that this gateway has seen. While the engine that has the sessions is down, an operator can still read
 * what is wrong. Nothing is changed in the name of a remembered session.
 */
export class OperatorMemory {
  readonly #now: () => number;
  readonly #known = new Map<string, Remembered>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers a session of an owner of the organization that operates the service; forgets any other. */
  note(operator: Operator, answer?: SessionAnswer): void {
    const { sessionDigest: digest } = operator;
    const before = this.#known.get(digest)?.answer ?? null;
    this.#known.delete(digest);
    if (!operator.operator || operator.role !== 'owner') return;
    this.#known.set(digest, { operator, seenAt: this.#now(), answer: answer ?? before });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > OPERATORS_MAX) this.#known.delete(oldest);
  }

  forget(sessionDigest: string): void {
    this.#known.delete(sessionDigest);
  }

  /**
   * Returns what `ask` finds, or what is remembered if its engine does not answer.
   *
   * @throws {EngineUnavailableError} if nothing is remembered
   */
  async ask<Found>(
    sessionDigest: string,
    ask: () => Promise<Found>,
    remembered: (known: Remembered) => Found | null,
  ): Promise<Found> {
    const known = this.#known.get(sessionDigest);
    const kept = known === undefined || this.#now() - known.seenAt > REMEMBERED_MS ? null : remembered(known);
    if (kept === null) return await ask();
    try {
      return await withTimeout(ENGINE_WAIT_MS, ask(), () => new EngineUnavailableError('store'));
    } catch (error) {
      if (error instanceof EngineUnavailableError) return kept;
      throw error;
    }
  }
}
