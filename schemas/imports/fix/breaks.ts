import type { Findings, Refusal } from './findings.ts';
import { type Dialect, lineOf, type Row } from './rows.ts';
import { filtered } from './slices.ts';

/** Rows of which most can have a quote out of place by chance. */
const BROKEN_ROWS_MIN = 5;

/** A refusal of a file in which most rows have a quote out of place: its quotes have other rules. */
export function* oftenBroken(text: string, rows: readonly Row[]): Generator<void, Refusal | null> {
  const broken = yield* filtered(rows, ({ broke }) => broke !== null && broke !== 'lone_cr');
  const [first] = broken;
  if (first === undefined || rows.length < BROKEN_ROWS_MIN || broken.length * 2 <= rows.length) return null;
  return { code: 'stray_quote', line: lineOf(text, first.start) };
}

/** Notes the rows that break a rule and could be repaired. */
export function* noteBreaks(
  text: string,
  { crEnds }: Dialect,
  rows: readonly Row[],
  findings: Findings,
): Generator<void, void> {
  if (crEnds) findings.add('lineEnds', rows.length, { line: 1, fault: 'lone_cr' });
  const broken = yield* filtered(rows, ({ broke }) => broke !== null);
  const returns = yield* filtered(broken, ({ broke }) => broke === 'lone_cr');
  const quotes = yield* filtered(broken, ({ broke }) => broke !== 'lone_cr');
  const [firstReturn] = returns;
  if (firstReturn !== undefined) {
    findings.add('returns', returns.length, { line: lineOf(text, firstReturn.start), fault: 'lone_cr' });
  }
  const [first] = quotes;
  if (first === undefined) return;
  // A header of one column, and rows with more: the separator is another one, and the quotes are right.
  const isTicked = rows[0]?.columns !== 1 || rows.every((row) => row.columns === 1);
  findings.add('quotes', quotes.length, { line: lineOf(text, first.start), fault: 'stray_quote', isTicked });
}
