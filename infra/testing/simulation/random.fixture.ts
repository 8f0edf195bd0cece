import { seeded } from '../seeded.fixture.ts';

/** Draws that follow from a seed alone. */
export class Random {
  /** From 0 to below 1. */
  readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = seeded(seed);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  /** A whole number between two, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new RangeError('picking from nothing');
    return item;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.between(0, 255));
  }
}
