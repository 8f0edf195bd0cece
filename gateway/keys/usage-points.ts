import { DAY_MS, HOUR_MS, utcMonth } from '../../schemas/base/time.ts';
import type { UsageUnit } from '../../schemas/keys/http.ts';
import { type CallCounts, NO_CALLS } from '../../schemas/usage/counts.ts';
import { dayDocumentSchema, monthDocumentSchema, usageRootSchema } from '../../schemas/usage/documents.ts';
import { utcDay } from '../../schemas/usage/periods.ts';
import type { RowKey } from '../../topics/ports/store.ts';
import { type AggregateReading, readAggregate } from '../http/records/read-aggregate.ts';
import type { GatewayServices } from '../services.ts';
import { usageAggregate } from './key-usage.ts';

/** Hours or days in a row. */
export interface Span {
  readonly unit: UsageUnit;
  /** The first moment of the first one, in Unix milliseconds. */
  readonly start: number;
  readonly count: number;
}

export interface UsagePoint extends CallCounts {
  readonly at: number;
}

/** Calls of a key in each hour or day of a span, in order. */
export async function usagePoints(
  store: Pick<GatewayServices['store'], 'read'>,
  keyId: string,
  span: Span,
): Promise<UsagePoint[]> {
  return pointsOf(await readAggregate(store, usageAggregate(keyId), usageRootSchema, rowsOf(span)), span);
}

/** The rows of a key's usage that a span needs. */
export function rowsOf(span: Span): RowKey[] {
  const { kind, rowOf } = UNITS[span.unit];
  return [...new Set(timesOf(span).map(rowOf))].map((id) => ({ kind, id }));
}

/** Calls in each hour or day of a span, in order, from a reading of {@link rowsOf} it. */
export function pointsOf(reading: AggregateReading<unknown>, span: Span): UsagePoint[] {
  const { calls } = UNITS[span.unit];
  return timesOf(span).map((at) => {
    const { allowed, denied, refused } = calls(reading, at) ?? NO_CALLS;
    return { at, allowed, denied, refused };
  });
}

function timesOf({ unit, start, count }: Span): number[] {
  return Array.from({ length: count }, (_, index) => start + index * UNITS[unit].lengthMs);
}

interface Unit {
  readonly lengthMs: number;
  /** The row that has the sums of a moment's unit. */
  readonly kind: 'day' | 'month';
  rowOf(at: number): string;
  calls(reading: AggregateReading<unknown>, at: number): CallCounts | undefined;
}

const UNITS: Readonly<Record<UsageUnit, Unit>> = {
  hour: {
    lengthMs: HOUR_MS,
    kind: 'day',
    rowOf: utcDay,
    calls: ({ row }, at) =>
      row('day', utcDay(at), dayDocumentSchema)?.hours.find(
        ({ hour }) => hour === new Date(at).getUTCHours(),
      ),
  },
  day: {
    lengthMs: DAY_MS,
    kind: 'month',
    rowOf: utcMonth,
    calls: ({ row }, at) =>
      row('month', utcMonth(at), monthDocumentSchema)?.days.find(
        ({ day }) => day === new Date(at).getUTCDate(),
      ),
  },
};
