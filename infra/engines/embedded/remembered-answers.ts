import { EngineFullError } from '../../../topics/ports/failures.ts';
import { CHECK_REMEMBERED_MS, type CheckingKey, type EntryAnswer } from '../../../topics/ports/limiter.ts';
import { ExpiringMap } from './expiring-map.ts';
import { rememberedName } from './limiter-names.ts';
import { WindowCounts } from './window-counts.ts';

/** Stored Idempotency-Keys. If all are live, an account may store only {@link REMEMBERED_A_TENANT}. */
const REMEMBERED_MAX = 250_000;

/** Idempotency-Keys reserved for one account: the requests that one key may send in two minutes. */
const REMEMBERED_A_TENANT = 2_000;

/** Bounds of the memory of Idempotency-Keys. */
export interface RememberedRoom {
  readonly rememberedMax: number;
  readonly rememberedGuaranteed: number;
}

export const REMEMBERED_ROOM: RememberedRoom = {
  rememberedMax: REMEMBERED_MAX,
  rememberedGuaranteed: REMEMBERED_A_TENANT,
};

export type Taken = Pick<EntryAnswer, 'allowed' | 'remaining' | 'resetAt'>;

/** The stored answer of an Idempotency-Key, without the quotas, which change. */
interface Remembered {
  readonly inputDigest: string;
  readonly answers: readonly Taken[];
  /** Unix milliseconds at which it is dropped. */
  readonly resetAt: number;
}

/** The answers of Idempotency-Keys. An account may use all the free room, and always has a reserved share. */
export class RememberedAnswers {
  readonly #engine: string;
  readonly #answers: ExpiringMap<Remembered>;
  readonly #counts = new WindowCounts();
  readonly #guaranteed: number;

  constructor(engine: string, { rememberedMax, rememberedGuaranteed }: RememberedRoom) {
    this.#engine = engine;
    this.#answers = new ExpiringMap(engine, rememberedMax);
    this.#guaranteed = rememberedGuaranteed;
  }

  /** Returns the answer that a call repeats. */
  get(key: CheckingKey, now: number): Remembered | undefined {
    if (key.idempotency === null) return undefined;
    return this.#answers.get(rememberedName(key, key.idempotency.digest), now);
  }

  /**
   * Stores an answer.
   *
   * @throws {EngineFullError} if there is no room; nothing was changed then
   */
  add(key: CheckingKey, answers: readonly Taken[], now: number): void {
    if (key.idempotency === null) return;
    const { digest, inputDigest } = key.idempotency;
    const name = rememberedName(key, digest);
    const { live } = this.#counts.of(key.account, now);
    if (!this.#answers.hasRoomFor(name, now) && live >= this.#guaranteed) {
      throw new EngineFullError(this.#engine);
    }
    const resetAt = now + CHECK_REMEMBERED_MS;
    this.#answers.set(name, { inputDigest, answers, resetAt });
    this.#counts.add(key.account, resetAt, CHECK_REMEMBERED_MS);
  }

  /** Deletes at most `max` answers whose time is over. Returns their number. */
  sweep(now: number, max: number): number {
    this.#counts.sweep(now);
    return this.#answers.sweep(now, max);
  }
}
