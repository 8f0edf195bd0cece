import type { PublishedCount } from '../../schemas/usage/commands.ts';
import {
  addCalls,
  type CallCounts,
  largerCalls,
  meteredCalls,
  NO_CALLS,
  subtractCalls,
} from '../../schemas/usage/counts.ts';
import {
  type DayDocument,
  type HourDocument,
  type MonthDocument,
  periodsOf,
  type UsageRows,
} from '../../schemas/usage/documents.ts';
import type { RowChange, Scope } from '../runtime/fold/fold.ts';
import type { UsageFold } from './usage-fold.ts';

/** Reads the rows that a command has named. */
export type UsageRowReader = Pick<Scope<UsageFold>, 'row'>;

/** The hours, days and months of a key, with the counts of one command added. Stored documents stay as they are. */
export class Ledger {
  readonly #reader: UsageRowReader;
  readonly #hours = new Map<string, HourDocument>();
  readonly #days = new Map<string, DayDocument>();
  readonly #months = new Map<string, MonthDocument>();

  constructor(reader: UsageRowReader) {
    this.#reader = reader;
  }

  /** Raises a count, and adds the difference to its day and month. Returns false if the count is known already. */
  raise({ minute: at, incarnation, ...published }: PublishedCount): boolean {
    const { month, day, hour } = periodsOf(at);
    const minute = new Date(at).getUTCMinutes();
    const minutes = this.#hour(hour).minutes;
    const isSame = (count: (typeof minutes)[number]) =>
      count.minute === minute && count.incarnation === incarnation;
    const before = pick(minutes.find(isSame));
    const after = largerCalls(before, published);
    const more = subtractCalls(after, before);
    if (meteredCalls(more) + more.refused === 0) return false;
    const others = minutes.filter((count) => !isSame(count));
    this.#hours.set(hour, { minutes: [...others, { minute, incarnation, ...after }] });
    this.#addToDay(day, new Date(at).getUTCHours(), more);
    this.#addToMonth(month, new Date(at).getUTCDate(), more);
    return true;
  }

  /** The ids of the days and months that have changed. */
  periods(): { readonly days: string[]; readonly months: string[] } {
    return { days: [...this.#days.keys()], months: [...this.#months.keys()] };
  }

  /** The months that have changed, with their new documents. */
  months(): { readonly id: string; readonly document: MonthDocument }[] {
    return [...this.#months].map(([id, document]) => ({ id, document }));
  }

  /** The row changes that store the ledger. */
  changes(): readonly RowChange<UsageRows>[] {
    return [
      ...[...this.#hours].map(([id, document]) => ({ kind: 'hour' as const, id, document })),
      ...[...this.#days].map(([id, document]) => ({ kind: 'day' as const, id, document })),
      ...[...this.#months].map(([id, document]) => ({ kind: 'month' as const, id, document })),
    ];
  }

  #hour(id: string): HourDocument {
    return this.#hours.get(id) ?? this.#reader.row('hour', id) ?? { minutes: [] };
  }

  #addToDay(id: string, hour: number, more: CallCounts): void {
    const { hours } = this.#days.get(id) ?? this.#reader.row('day', id) ?? { hours: [] };
    const others = hours.filter((sum) => sum.hour !== hour);
    const sum = addCalls(pick(hours.find((sum) => sum.hour === hour)), more);
    this.#days.set(id, { hours: [...others, { hour, ...sum }] });
  }

  #addToMonth(id: string, day: number, more: CallCounts): void {
    const { days } = this.#months.get(id) ?? this.#reader.row('month', id) ?? { days: [] };
    const others = days.filter((sum) => sum.day !== day);
    const sum = addCalls(pick(days.find((sum) => sum.day === day)), more);
    this.#months.set(id, { days: [...others, { day, ...sum }] });
  }
}

function pick(counts: CallCounts | undefined): CallCounts {
  const { allowed, denied, refused } = counts ?? NO_CALLS;
  return { allowed, denied, refused };
}
