/** Longest chain of causes that is looked through. The client gives at most three. */
const CAUSES_MAX = 5;

/** True if a broker answered with one of these errors: the client gives that as the cause of the errors that it throws. */
export function hasErrorType(error: unknown, types: readonly string[]): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if ('type' in cause && types.includes(String(cause.type))) return true;
    cause = cause.cause;
  }
  return false;
}
