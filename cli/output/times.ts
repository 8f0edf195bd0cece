const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Returns a time with the hours and minutes that are left until then. */
export function untilEnd(time: string, now: number): string {
  const minutes = Math.floor((Date.parse(time) - now) / MINUTE_MS);
  if (minutes < 0) return `${time} (over)`;
  return `${time} (in ${Math.floor(minutes / HOUR_MINUTES)} h ${minutes % HOUR_MINUTES} min)`;
}
