/** The difference of the service clock to the browser clock, in milliseconds; positive if the service is ahead. */
let aheadMs = 0;

/** Header dates have whole seconds, so a difference up to this says nothing. */
const RESOLUTION_MS = 2_000;

/** Takes the `Date` header of an answer. Countdowns go by the service's clock, because a browser's may be wrong by hours. */
export function noteServerTime(date: string | null): void {
  if (date === null) return;
  const seen = Date.parse(date) - Date.now();
  if (Number.isFinite(seen) && Math.abs(seen - aheadMs) > RESOLUTION_MS) aheadMs = seen;
}

/** The service's time, in milliseconds since 1970. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
