import { randomFillSync } from 'node:crypto';
import type { Entropy } from '../../topics/ports/clock.ts';

/** Bytes that are drawn at once: each draw is a call of the system, and a request takes some tens of them. */
const DRAWN_BYTES = 4_096;

/** The operating system's randomness, in larger draws. Each byte is given out once, and then overwritten here. */
export class PooledEntropy implements Entropy {
  readonly #pool = new Uint8Array(DRAWN_BYTES);
  #given = DRAWN_BYTES;

  bytes(count: number): Uint8Array {
    if (count > DRAWN_BYTES) return randomFillSync(new Uint8Array(count));
    if (this.#given + count > DRAWN_BYTES) {
      randomFillSync(this.#pool);
      this.#given = 0;
    }
    const end = this.#given + count;
    const bytes = this.#pool.slice(this.#given, end);
    this.#pool.fill(0, this.#given, end);
    this.#given = end;
    return bytes;
  }
}
