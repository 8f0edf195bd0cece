import { expect } from 'vitest';
import { checkAnswers } from '../faults/check.ts';
import { Customer } from '../faults/customer.ts';
import { History } from '../faults/history.ts';
import { LOADS, tellUntilOver } from '../faults/loads/all.ts';
import type { Owner } from '../faults/loads/load.ts';
import { seeded } from '../seeded.fixture.ts';

/** Time for the service to take this many more requests after a process was exchanged. */
const STEADY_ACKNOWLEDGMENTS = 20;
const STEADY = { timeout: 90_000, interval: 100 };

/** Customers that repeat requests as the documentation says, until they are told to end. */
export class Load {
  readonly #history = new History();
  readonly #stories: Promise<void>[];
  #isOver = false;

  /** @param gateways their addresses; each request goes to the next one */
  constructor(gateways: readonly string[], owner: Owner, loads = LOADS) {
    const random = seeded(1);
    const options = { gateways, history: this.#history, random, isOver: () => this.#isOver };
    this.#stories = loads.map((load) => tellUntilOver(load, () => new Customer(options), owner));
  }

  /** Waits until further requests are acknowledged. */
  async untilSteady(): Promise<void> {
    const wanted = this.#history.acknowledged + STEADY_ACKNOWLEDGMENTS;
    await expect.poll(() => this.#history.acknowledged, STEADY).toBeGreaterThan(wanted);
  }

  /** Ends the customers, and expects that each got the answers that a client has to expect, and reads what it was told. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#stories);
    expect([...checkAnswers(this.#history.operations), ...this.#history.observed]).toEqual([]);
  }
}
