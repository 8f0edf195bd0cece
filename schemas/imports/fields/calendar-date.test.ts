import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATE_FORMATS, type DateFormat, readCalendarDate } from './calendar-date.ts';

function write(format: DateFormat, year: string, month: string, day: string): string {
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

describe('readCalendarDate', () => {
  it.each(DATE_FORMATS)('reads 4 July 2026 as %s', (format) => {
    expect(readCalendarDate(write(format, '2026', '07', '04'), format)).toBe('2026-07-04');
  });

  it('reads exactly the named format', () => {
    for (const format of DATE_FORMATS) {
      for (const other of DATE_FORMATS.filter((candidate) => candidate !== format)) {
        expect(
          readCalendarDate(write(other, '2026', '12', '25'), format),
          `${other} as ${format}`,
        ).toBeNull();
      }
    }
    expect(readCalendarDate('03/04/2026', 'MM/DD/YYYY')).toBe('2026-03-04');
    expect(readCalendarDate('03/04/2026', 'DD/MM/YYYY')).toBe('2026-04-03');
  });

  it.each([
    ...[
      '2026-02-31',
      '2026-02-30',
      '2026-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '2026-01-32',
    ],
    ...['1900-02-29', '2100-02-29', '0000-01-01', '26-01-31', '2026-1-31', '2026-01-1', '02026-01-31'],
    ...[' 2026-01-31', '2026-01-31 ', '2026-01-31\n', '2026-01-31T00:00:00Z', '٢٠٢٦-٠١-٣١', '2026-1e-01', ''],
  ])('refuses %j', (text) => {
    expect(readCalendarDate(text, 'YYYY-MM-DD')).toBeNull();
  });

  it.each(['2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(readCalendarDate(text, 'YYYY-MM-DD')).toBe(text);
  });

  it('knows the same days as the platform calendar', () => {
    const part = { year: fc.integer({ min: 0, max: 9999 }), month: fc.nat(13), day: fc.nat(32) };
    fc.assert(
      fc.property(fc.record(part), ({ year, month, day }) => {
        const text = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
        const parsed = new Date(`${text}T00:00:00Z`);
        const exists = year > 0 && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
        expect(readCalendarDate(text, 'YYYY-MM-DD') === text).toBe(exists);
      }),
      { numRuns: 5000 },
    );
  });
});
