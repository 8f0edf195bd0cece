import { isoTime } from '../base/time.ts';

// Periods of the UTC calendar as texts that sort by time. The text of a period is the beginning of the texts of its parts:
// `2026-11`, `2026-11-21`, `2026-11-21T06`.

/** The UTC day of a time, as `YYYY-MM-DD`. */
export function utcDay(epochMs: number): string {
  return isoTime(epochMs).slice(0, 10);
}

/** The UTC hour of a time, as `YYYY-MM-DDTHH`. */
export function utcHour(epochMs: number): string {
  return isoTime(epochMs).slice(0, 13);
}

/** The hour of a day, 0 to 23, as its text. */
export function hourOfDay(day: string, hour: number): string {
  return `${day}T${twoDigits(hour)}`;
}

/** The day of a month, 1 to 31, as its text. */
export function dayOfMonth(month: string, day: number): string {
  return `${month}-${twoDigits(day)}`;
}

/** The first moment of a UTC day, in Unix milliseconds. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The first moment of the UTC month `months` after this one, in Unix milliseconds. */
export function startOfMonth(month: string, months = 0): number {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year ?? 0, (number ?? 1) - 1 + months, 1);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
