import { LINE_CHARACTERS_MAX, ROW_CHARACTERS_MAX } from './steps.ts';

/** The rules by which the rows of a text are written. */
export interface Dialect {
  /** The character code of the separator. */
  readonly separator: number;
  /** True if a lone CR ends a line. */
  readonly crEnds: boolean;
}

/** The position of one row in a text. */
export interface Row {
  readonly start: number;
  /** The end without the line end. */
  readonly end: number;
  /** The start of the following line. */
  readonly next: number;
  readonly columns: number;
  /** The number of fields that have more than spaces. */
  readonly values: number;
  /** The cells of a row that breaks the rules, by its only possible reading; null for every other row. */
  readonly repaired: readonly string[] | null;
  /** The first rule that the row breaks. */
  readonly broke: Break | null;
}

/** The rule that a row breaks. */
export type Break = 'stray_quote' | 'unclosed_quote' | 'lone_cr';

/** A sign that can stand between fields. */
const SEPARATOR = /^[^\p{L}\p{N}"\r\n]$/u;

export const COMMA = 0x2c;
export const BAR = 0x7c;
/** A line between the rows of a table in which bars stand between fields. */
const RULER = /* @__PURE__ */ new RegExp(`[-+|:= \\t]{1,${LINE_CHARACTERS_MAX}}(?:\\r\\n|\\r|\\n|$)`, 'y');
/** Such a line without bars at its ends, which is no row of signs for missing values. */
const OPEN_RULER = /^[:= \t]*-{3}[-+:= \t]*(?:\|[:= \t]*-{3}[-+:= \t]*)*$/;
const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;

/**
 * Reads the row that begins at `start` by the rules of the service, but for the separator and for CR as a line end.
 *
 * @param filled gets 1 for each column that has a value here
 * @returns null for a row that is too long
 */
export function readRow(
  text: string,
  start: number,
  dialect: Dialect,
  filled: Uint8Array,
): Row | Break | null {
  const { separator, crEnds } = dialect;
  const stop = start + ROW_CHARACTERS_MAX;
  let at = start;
  let columns = 1;
  let values = 0;
  for (; ; columns += 1) {
    const from = at;
    at = fieldEnd(text, from, separator, stop);
    if (at === Infinity) return 'unclosed_quote';
    if (at > stop) return null;
    if (hasText(text, from, at)) {
      filled[columns - 1] = 1;
      if (isFilled(text, from, at)) values += 1;
    }
    if (text.charCodeAt(at) !== separator) break;
    at += 1;
  }
  const length = lineEndAt(text, at, crEnds);
  if (typeof length === 'string') return length;
  const broke = length > 2 ? 'lone_cr' : null;
  return { start, end: at, next: at + length, columns, values, repaired: null, broke };
}

/** True for a field that is neither empty nor a pair of quotes. */
function hasText(text: string, from: number, to: number): boolean {
  return to - from > (text.charCodeAt(from) === QUOTE ? 2 : 0);
}

/** True for more than spaces. */
function isFilled(text: string, from: number, to: number): boolean {
  return text.charCodeAt(from) > SPACE || text.slice(from, to).trim() !== '';
}

/** Reads a line between the rows of a table with bars, as a row without a value; null for any other line. */
export function rulerAt(text: string, start: number, { separator }: Dialect): Row | null {
  if (separator !== BAR) return null;
  RULER.lastIndex = start;
  const line = RULER.exec(text)?.[0];
  if (line === undefined || !/--|==/.test(line)) return null;
  const ruler = line.trimEnd();
  if (!/^\s*[|+]/.test(ruler) && !OPEN_RULER.test(ruler)) return null;
  const end = start + ruler.length;
  return { start, end, next: start + line.length, columns: 1, values: 0, repaired: null, broke: null };
}

/** True for a sign that can stand between fields: one of 16 bits, but no letter, digit, quote or line end. */
export function canSeparate(sign: string): boolean {
  return sign.length === 1 && SEPARATOR.test(sign);
}

/** The length of the line end behind a field, with every CR before its LF, or the rule that the character there breaks. */
function lineEndAt(text: string, at: number, crEnds: boolean): number | Break {
  if (at === text.length) return 0;
  // Where CR ends lines, all but the last one of several end blank lines.
  const returnsMax = crEnds ? 1 : LINE_CHARACTERS_MAX;
  let returns = 0;
  while (returns < returnsMax && text.charCodeAt(at + returns) === CR) returns += 1;
  if (text.charCodeAt(at + returns) === LF) return returns + 1;
  if (returns === 0) return 'stray_quote';
  return crEnds ? 1 : 'lone_cr';
}

/** The place of the quote that closes a field, or of any one behind `stop`; infinite without one. A doubled quote closes nothing. */
function closingQuote(text: string, open: number, stop: number): number {
  let quote = text.indexOf('"', open + 1);
  while (quote !== -1 && quote < stop && text.charCodeAt(quote + 1) === QUOTE)
    quote = text.indexOf('"', quote + 2);
  return quote === -1 ? Infinity : quote;
}

/**
 * The end of the field that begins at `start`, infinite for one in quotes that are not closed.
 *
 * @param stop a place behind which the end is not looked for: any later place may be returned
 */
export function fieldEnd(text: string, start: number, separator: number, stop = Infinity): number {
  return text.charCodeAt(start) === QUOTE
    ? closingQuote(text, start, stop) + 1
    : passPlain(text, start, separator, stop);
}

/** The end of a field without quotes, or a place behind `stop`. */
function passPlain(text: string, start: number, separator: number, stop: number): number {
  const last = Math.min(text.length, stop + 1);
  let at = start;
  for (; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === separator || code === QUOTE || code === CR || code === LF) break;
  }
  return at;
}

export function cellsOf(text: string, { start, end, repaired }: Row, separator: number): readonly string[] {
  if (repaired !== null) return repaired;
  const cells: string[] = [];
  for (let from = start; ; ) {
    const at = fieldEnd(text, from, separator);
    const isQuoted = text.charCodeAt(from) === QUOTE;
    cells.push(isQuoted ? text.slice(from + 1, at - 1).replaceAll('""', '"') : text.slice(from, at));
    if (at >= end) return cells;
    from = at + 1;
  }
}
