// Checks what the options of the library have in common.

/** The largest number of an option. A timer that is longer ends at once. */
export const NUMBER_MAX: number = 2 ** 31 - 1;

/**
 * Returns a number of the options.
 *
 * @throws {TypeError} with the name, the value and what is allowed, unless it is a whole number in these bounds
 */
export function wholeNumber(name: string, value: number, min = 1, max: number = NUMBER_MAX): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(
    `${name}: seen ${typeof value} ${value}, expected a whole number from ${min} to ${max}.`,
  );
}

/** Returns a deadline in milliseconds; `Infinity` is the longest one. @throws {TypeError} like {@link wholeNumber} */
export function deadlineOf(deadlineMs: number): number {
  return wholeNumber('deadlineMs', deadlineMs === Number.POSITIVE_INFINITY ? NUMBER_MAX : deadlineMs);
}
