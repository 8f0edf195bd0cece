/**
 * Waits for a promise, at most `timeoutMs` milliseconds. The work behind the promise continues after that; a late result or
 * error is dropped. If this process was busy when the time ended, a result that has arrived meanwhile is still taken.
 *
 * @throws the error of `late` if the time ends first; else what the promise rejects with.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  promise: Promise<Result>,
  late: () => Error,
): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // The next turn of the event loop reads what has arrived; the turn after that has delivered it.
    setImmediate(() => setImmediate(() => isOpen && timeout.reject(late())));
  }, timeoutMs);
  let isOpen = true;
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    isOpen = false;
    clearTimeout(timer);
  }
}

/** Waits until a promise has settled either way, at most `timeoutMs` milliseconds. Returns true if it has. */
export async function settlesWithin(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await withTimeout(timeoutMs, settled, () => new Error('late'));
  } catch {
    return false;
  }
}
