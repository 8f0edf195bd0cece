import type { CachedAggregate } from './aggregate.ts';
import type { EvictionScope } from './working-set.ts';

/** Cached aggregates of one partition, and cached rows of all of them together. */
const CACHED_AGGREGATES_MAX = 1_000;
const CACHED_ROWS_MAX = 5_000;
/** Keys of evicted rows, of aggregates with a complete set of keys. Each takes less than three bytes. */
const EVICTED_KEYS_MAX = 1_000_000;

/** The part of an aggregate that the cache counts and evicts. */
type Evictable = Pick<CachedAggregate, 'rows' | 'evictedKeys' | 'evict'>;

interface Entry<Aggregate> {
  readonly aggregate: Aggregate;
  readonly rows: number;
  readonly evictedKeys: number;
}

/**
 * Cache of the aggregates of one partition, in the order of their last use. `keep` counts the rows of its aggregate, so that
 * a small delivery does not count all of them again.
 */
export class AggregateCache<Aggregate extends Evictable = CachedAggregate> {
  readonly #entries = new Map<string, Entry<Aggregate>>();
  #rows = 0;
  #evictedKeys = 0;

  get(id: string): Aggregate | undefined {
    return this.#entries.get(id)?.aggregate;
  }

  /** Stores an aggregate as the one that was used last, and counts its rows. */
  keep(id: string, aggregate: Aggregate): void {
    this.drop(id);
    this.#count(id, aggregate);
  }

  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#discount(entry);
  }

  clear(): void {
    this.#entries.clear();
    this.#rows = 0;
    this.#evictedKeys = 0;
  }

  /** Yields the aggregates in the order of their last use. */
  *entries(): Generator<[id: string, aggregate: Aggregate]> {
    for (const [id, { aggregate }] of this.#entries) yield [id, aggregate];
  }

  /**
   * Evicts until the cache is within its bounds: first rows of kinds with many rows, then all rows, and then the
   * aggregates that were used longest ago. Returns the number of evicted rows.
   */
  evict(): number {
    const before = this.#rows;
    this.#evictRows('many');
    this.#evictRows('all');
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= CACHED_AGGREGATES_MAX && this.#evictedKeys <= EVICTED_KEYS_MAX) break;
      this.drop(id);
    }
    return before - this.#rows;
  }

  #evictRows(scope: EvictionScope): void {
    for (const [id, entry] of this.#entries) {
      if (this.#rows <= CACHED_ROWS_MAX) return;
      entry.aggregate.evict(scope);
      this.#discount(entry);
      this.#count(id, entry.aggregate);
    }
  }

  /** A cached aggregate keeps its place in the order. */
  #count(id: string, aggregate: Aggregate): void {
    const { rows, evictedKeys } = aggregate;
    this.#entries.set(id, { aggregate, rows, evictedKeys });
    this.#rows += rows;
    this.#evictedKeys += evictedKeys;
  }

  #discount({ rows, evictedKeys }: Entry<Aggregate>): void {
    this.#rows -= rows;
    this.#evictedKeys -= evictedKeys;
  }
}
