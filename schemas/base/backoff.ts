/** The pauses between retries, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Returns the pause before the n-th retry in a row, from 1: it doubles from `firstMs` to `maxMs`. */
export function backoffMs(retry: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** (retry - 1));
}
