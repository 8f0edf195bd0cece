import { DENIED_KEPT_MS, DENIED_WINDOWS_MAX } from '../../../topics/ports/limiter.ts';

type Counts = Map<string, number>;

interface Half {
  readonly since: number;
  readonly counts: Counts;
}

/**
 * Which windows of a key denied most calls, in memory. The counts start at zero after half of {@link DENIED_KEPT_MS}, and those
 * before stay as long. A window beyond the bound takes the place and the count of the smallest one (Metwally, Agrawal and El
 * Abbadi, "Efficient computation of frequent and top-k elements in data streams", 2005), so no window counts too few.
 */
export class DeniedWindows {
  #current: Half | null = null;
  #previous: Half | null = null;

  add(window: string, now: number): void {
    const { counts } = this.#at(now);
    const before = counts.get(window);
    if (before === undefined && counts.size >= DENIED_WINDOWS_MAX) {
      const [least, count] = [...counts].reduce((left, right) => (right[1] < left[1] ? right : left));
      counts.delete(least);
      counts.set(window, count + 1);
    } else counts.set(window, (before ?? 0) + 1);
  }

  /** Returns the denied calls by window, and since when they are counted. */
  read(now: number): { readonly since: number; readonly counts: Iterable<readonly [string, number]> } {
    const halves = [this.#previous, this.#current].filter((half) => half !== null && isKept(half, now));
    return {
      since: Math.min(now, ...halves.map((half) => half?.since ?? now)),
      counts: halves.flatMap((half) => [...(half?.counts ?? [])]),
    };
  }

  #at(now: number): Half {
    if (
      this.#current === null ||
      now >= this.#current.since + DENIED_KEPT_MS / 2 ||
      now < this.#current.since
    ) {
      this.#previous = this.#current;
      this.#current = { since: now, counts: new Map() };
    }
    return this.#current;
  }
}

function isKept({ since }: Half, now: number): boolean {
  return now < since + DENIED_KEPT_MS;
}
