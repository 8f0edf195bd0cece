import { useMemo } from 'preact/hooks';
import { newIdempotencyKey } from './client.ts';

/** Returns an idempotency key that stays the same through the retries of one input, and changes with the input. */
export function useIdempotencyKey(...input: readonly unknown[]): string {
  return useMemo(newIdempotencyKey, input);
}
