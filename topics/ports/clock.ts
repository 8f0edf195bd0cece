/** The time of day, as a port so that tests can move it. */
export interface Clock {
  /** Unix milliseconds, a whole number. */
  now(): number;
}

/** Randomness fit for secrets, as a port so that a seeded run can be repeated. */
export interface Entropy {
  bytes(count: number): Uint8Array;
}
