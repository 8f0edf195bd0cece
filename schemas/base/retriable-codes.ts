import type { ErrorCode } from './errors.ts';

/** True for the code of an error after which the same request, sent again unchanged, can succeed. */
export function isRetriable(code: string): boolean {
  return RETRIABLE.some((each) => each === code);
}

/** Beside the registry and free of zod, so that pages can import it. */
const RETRIABLE: readonly ErrorCode[] = ['workspace_paused', 'rate_limited', 'internal_error', 'unavailable'];
