/** Freezes a JSON value with all that it holds, so that code that changes a shared value throws. */
export function freezeDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const each of Object.values(value)) freezeDeeply(each);
}
