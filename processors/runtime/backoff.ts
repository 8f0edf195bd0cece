import { type Backoff, backoffMs } from '../../schemas/base/backoff.ts';

/** Pauses of a partition whose records could not be handled. */
const RETRIES: Backoff = { firstMs: 50, maxMs: 5_000 };

/** Returns the pause before the n-th retry in a row, from 1, in milliseconds. */
export function pauseBefore(retry: number): number {
  return backoffMs(retry, RETRIES);
}
