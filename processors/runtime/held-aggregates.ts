import type { HeldAggregate } from './aggregate.ts';
import type { Share } from './working-set.ts';

/** Aggregates of one partition that stay in memory between deliveries, and rows of all of them together. */
const HELD_AGGREGATES_MAX = 1_000;
const HELD_ROWS_MAX = 5_000;
/** Further rows, of aggregates whose every row was written here, that may exist: each takes less than three bytes. */
const NAMED_ROWS_MAX = 1_000_000;

/** The counts of an aggregate: the rows in memory, and those that may exist besides. */
type Weighable = Pick<HeldAggregate, 'rows' | 'namedRows' | 'shed'>;

interface Held<Aggregate> {
  readonly aggregate: Aggregate;
  readonly rows: number;
  readonly namedRows: number;
}

/**
 * The aggregates of one partition that are in memory, in the order of their last use. Their rows are counted when they are
 * kept, so that a delivery of a few does not have to look at all.
 */
export class HeldAggregates<Aggregate extends Weighable = HeldAggregate> {
  readonly #held = new Map<string, Held<Aggregate>>();
  #rows = 0;
  #namedRows = 0;

  get(id: string): Aggregate | undefined {
    return this.#held.get(id)?.aggregate;
  }

  /** Keeps an aggregate as the one that was used last, and counts what it holds now. */
  keep(id: string, aggregate: Aggregate): void {
    this.drop(id);
    this.#count(id, aggregate);
  }

  drop(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#held.delete(id);
    this.#discount(held);
  }

  clear(): void {
    this.#held.clear();
    this.#rows = 0;
    this.#namedRows = 0;
  }

  /** In the order of their last use. */
  *entries(): Generator<[id: string, aggregate: Aggregate]> {
    for (const [id, { aggregate }] of this.#held) yield [id, aggregate];
  }

  /**
   * Evicts rows that are seldom read again, then all rows, and then aggregates, those used longest ago first, until the cache
   * is within its bounds.
   */
  letGo(): void {
    this.#shed('many');
    this.#shed('all');
    for (const id of this.#held.keys()) {
      if (this.#held.size <= HELD_AGGREGATES_MAX && this.#namedRows <= NAMED_ROWS_MAX) break;
      this.drop(id);
    }
  }

  #shed(share: Share): void {
    for (const [id, held] of this.#held) {
      if (this.#rows <= HELD_ROWS_MAX) return;
      held.aggregate.shed(share);
      this.#discount(held);
      this.#count(id, held.aggregate);
    }
  }

  /** An aggregate that is held already stays in its place. */
  #count(id: string, aggregate: Aggregate): void {
    const { rows, namedRows } = aggregate;
    this.#held.set(id, { aggregate, rows, namedRows });
    this.#rows += rows;
    this.#namedRows += namedRows;
  }

  #discount({ rows, namedRows }: Held<Aggregate>): void {
    this.#rows -= rows;
    this.#namedRows -= namedRows;
  }
}
