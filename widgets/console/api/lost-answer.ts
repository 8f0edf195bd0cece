import { Problem } from './problem.ts';

/** True if the answer did not arrive, or says nothing about the change: the service may have made it. */
export function isLost(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'unreachable' || error.status >= 500);
}

/** The statuses of refusals that come before a change is decided. */
const BEFORE_DECISION: readonly number[] = [401, 403, 429];

/** True if the error of a repeat with the same key leaves open whether the request before took effect. */
export function leavesOpen(error: unknown): boolean {
  return isLost(error) || (error instanceof Problem && BEFORE_DECISION.includes(error.status));
}

/** The errors of changes that may have taken effect. */
const doubts = new WeakSet<object>();

/** Notes that it is not known whether the change with this error took effect. Returns the error. */
export function inDoubt(error: unknown): unknown {
  if (error instanceof Error) doubts.add(error);
  return error;
}

/** True if it is not known whether the change with this error took effect. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof Error && doubts.has(error);
}

/** A change in words: "the key" was "created". */
export interface Act {
  readonly thing: string;
  readonly done: string;
  /** The title where it is known that nothing was done; by default "The key was not created". */
  readonly failed?: string;
}

/** The title of a change that failed. It says that nothing was done only where that is known. */
export function failedTitle({ thing, done, failed }: Act, error: Error): string {
  if (isInDoubt(error)) return `It is not known whether ${thing} was ${done}`;
  return failed ?? `${thing.charAt(0).toUpperCase()}${thing.slice(1)} was not ${done}`;
}
