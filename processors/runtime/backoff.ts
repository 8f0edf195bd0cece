import { type Backoff, backoffMs } from '../../schemas/base/backoff.ts';

/** Pauses of a partition after records failed because of an engine. */
const RETRIES: Backoff = { firstMs: 50, maxMs: 5_000 };

/** Returns the pause in milliseconds before the n-th retry in a row; n begins at 1. */
export function retryDelayMs(retry: number): number {
  return backoffMs(retry, RETRIES);
}
