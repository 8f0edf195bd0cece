/**
 * Returns a signal that is aborted with the first of these. `AbortSignal.any` is younger than the oldest supported browsers. Its
 * listeners are removed once it is aborted, so one of the signals has to be that of a deadline.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const each of signals) {
    const abort = () => first.abort(each.reason);
    if (each.aborted) abort();
    each.addEventListener('abort', abort, { signal: first.signal });
  }
  return first.signal;
}
