import { count } from '../../parts/table/numbers.ts';
import { duration } from '../../parts/table/time.tsx';

/** `0.4 s`, `41 s`, `3 min`, `1 h 24 min`. */
export function shortAge(ms: number): string {
  if (ms < 10_000) return `${Math.round(Math.max(0, ms) / 100) / 10} s`;
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : duration(ms);
}

/** `99.62 %`. */
export function share(part: number): string {
  return `${Math.floor(part * 10_000) / 100} %`;
}

/** `1.2 per second`; `–` where the rate is not known. */
export function rate(perSecond: number | null): string {
  if (perSecond === null) return '–';
  return count(perSecond >= 10 ? Math.round(perSecond) : Math.round(perSecond * 10) / 10);
}

/** `14:32:04 UTC`. */
export function clockTime(at: string): string {
  return `${at.slice(11, 19)} UTC`;
}

/** `210 MB`. */
export function megabytes(bytes: number): string {
  return `${count(Math.round(bytes / 1_000_000))} MB`;
}
