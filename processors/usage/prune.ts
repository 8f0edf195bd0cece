import {
  isDaySettled,
  isMonthSettled,
  type KeyUsageRoot,
  type UsageRoot,
} from '../../schemas/usage/documents.ts';
import { dayOfMonth, hourOfDay } from '../../schemas/usage/periods.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import type { UsageView } from './result.ts';

type UsageRowKey = RowKey & { readonly kind: 'hour' | 'day' };

/** The rows that say which rows of the oldest day and the oldest month there are. */
export function prunedRows(root: UsageRoot | null): RowKey[] {
  if (root?.kind !== 'key') return [];
  const [day] = root.daysWithMinutes;
  const [month] = root.monthsWithHours;
  return [
    ...(day === undefined ? [] : [{ kind: 'day', id: day }]),
    ...(month === undefined ? [] : [{ kind: 'month', id: month }]),
  ];
}

/**
 * Removes the minutes of the oldest day and the hours of the oldest month once they are settled: one of each with every
 * command, so that what a key leaves behind is bounded as long as it is used, and does not grow when it is not.
 */
export function prune(
  view: UsageView,
  root: KeyUsageRoot,
  now: number,
): { readonly root: KeyUsageRoot; readonly remove: readonly UsageRowKey[] } {
  const { daysWithMinutes, monthsWithHours } = root;
  const [day] = daysWithMinutes;
  const [month] = monthsWithHours;
  const dayGoes = day !== undefined && isDaySettled(day, now);
  const daysLeft = dayGoes ? daysWithMinutes.slice(1) : daysWithMinutes;
  // The row of a day says which hours there are, so it stays as long as they do.
  const monthGoes =
    month !== undefined && isMonthSettled(month, now) && !daysLeft.some((left) => left.startsWith(month));
  return {
    root: {
      ...root,
      daysWithMinutes: daysLeft,
      monthsWithHours: monthGoes ? monthsWithHours.slice(1) : monthsWithHours,
    },
    remove: [...(dayGoes ? hourRows(view, day) : []), ...(monthGoes ? dayRows(view, month) : [])],
  };
}

function hourRows(view: UsageView, day: string): UsageRowKey[] {
  const hours = view.row('day', day)?.hours ?? [];
  return hours.map(({ hour }) => ({ kind: 'hour', id: hourOfDay(day, hour) }));
}

function dayRows(view: UsageView, month: string): UsageRowKey[] {
  const days = view.row('month', month)?.days ?? [];
  return days.map(({ day }) => ({ kind: 'day', id: dayOfMonth(month, day) }));
}
