import type { Findings, Refusal } from './findings.ts';
import type { Rows } from './row-list.ts';
import { each, filtered, lastIndex } from './slices.ts';

/** Rows of which most can have a quote out of place by chance. */
const BROKEN_ROWS_MIN = 5;

/**
 * A refusal of a file in which most rows have a quote out of place that is left in a cell, but for those of formulas: its quotes
 * have other rules.
 */
export function* oftenBroken(rows: Rows): Generator<void, Refusal | null> {
  const broken = yield* filtered(rows, ({ broke, repaired }) => {
    const cells = repaired?.join() ?? '';
    return broke !== 'lone_cr' && cells.includes('"') && !cells.includes('="');
  });
  if (rows.length < BROKEN_ROWS_MIN || broken.length * 2 <= rows.length) return null;
  return { code: 'stray_quote', line: broken.at(0)?.line ?? null };
}

/** Notes the rows that break a rule and could be repaired, and the blank lines that break one. */
export function* noteBreaks(
  findings: Findings,
  rows: Rows,
  { blank, crEnds }: { readonly blank: Rows; readonly crEnds: boolean },
): Generator<void, void> {
  if (crEnds) findings.add('lineEnds', rows.length + blank.length, { line: 1, fault: 'lone_cr' });
  const broken = yield* filtered(rows, ({ broke }) => broke !== null);
  yield* each(blank, (row) => broken.push(row, row.line));
  const returns = yield* filtered(broken, ({ broke }) => broke === 'lone_cr');
  const quotes = yield* filtered(broken, ({ broke }) => broke !== 'lone_cr');
  const firstReturn = returns.at(0);
  if (firstReturn !== undefined) {
    findings.add('returns', returns.length, { line: firstReturn.line, fault: 'lone_cr' });
  }
  const first = quotes.at(0);
  if (first === undefined) return;
  // A header of one column, and rows with more: the separator is another one, and the quotes are right.
  const isSure = rows.at(0)?.columns !== 1 || (yield* lastIndex(rows, ({ columns }) => columns !== 1)) === -1;
  findings.add('quotes', quotes.length, { line: first.line, fault: 'stray_quote', isSure });
}
