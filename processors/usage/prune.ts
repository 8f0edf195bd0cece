import {
  isDaySettled,
  isMonthSettled,
  type KeyUsageRoot,
  type UsageRoot,
} from '../../schemas/usage/documents.ts';
import { dayOfMonth, hourOfDay } from '../../schemas/usage/periods.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { UsageRowReader } from './ledger.ts';

type UsageRowKey = RowKey & { readonly kind: 'hour' | 'day' };

/** The rows that list the hours of the oldest day and the days of the oldest month. */
export function rowsToPrune(root: UsageRoot | null): RowKey[] {
  if (root?.kind !== 'key') return [];
  const [day] = root.daysWithMinutes;
  const [month] = root.monthsWithHours;
  return [
    ...(day === undefined ? [] : [{ kind: 'day', id: day }]),
    ...(month === undefined ? [] : [{ kind: 'month', id: month }]),
  ];
}

/**
 * Removes the minutes of the oldest day and the hours of the oldest month once they are settled. One command removes at
 * most one day and one month. So the rows of a key in use are bounded, and those of an unused key do not grow.
 */
export function prune(
  reader: UsageRowReader,
  root: KeyUsageRoot,
  now: number,
): { readonly root: KeyUsageRoot; readonly remove: readonly UsageRowKey[] } {
  const { daysWithMinutes, monthsWithHours } = root;
  const [day] = daysWithMinutes;
  const [month] = monthsWithHours;
  const dayGoes = day !== undefined && isDaySettled(day, now);
  const daysLeft = dayGoes ? daysWithMinutes.slice(1) : daysWithMinutes;
  // The row of a day lists its hours, so it stays as long as they do.
  const monthGoes =
    month !== undefined && isMonthSettled(month, now) && !daysLeft.some((left) => left.startsWith(month));
  return {
    root: {
      ...root,
      daysWithMinutes: daysLeft,
      monthsWithHours: monthGoes ? monthsWithHours.slice(1) : monthsWithHours,
    },
    remove: [...(dayGoes ? hourRows(reader, day) : []), ...(monthGoes ? dayRows(reader, month) : [])],
  };
}

function hourRows(reader: UsageRowReader, day: string): UsageRowKey[] {
  const hours = reader.row('day', day)?.hours ?? [];
  return hours.map(({ hour }) => ({ kind: 'hour', id: hourOfDay(day, hour) }));
}

function dayRows(reader: UsageRowReader, month: string): UsageRowKey[] {
  const days = reader.row('month', month)?.days ?? [];
  return days.map(({ day }) => ({ kind: 'day', id: dayOfMonth(month, day) }));
}
