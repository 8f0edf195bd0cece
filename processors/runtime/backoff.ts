const FIRST_PAUSE_MS = 50;
const PAUSE_MS_MAX = 5_000;

/** The pause before the n-th retry in a row (from 1): it doubles from 50 ms to 5 s and then stays there. */
export function pauseBefore(retry: number): number {
  return Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** Math.min(retry - 1, 10));
}
