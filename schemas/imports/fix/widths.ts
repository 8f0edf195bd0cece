import type { Findings } from './findings.ts';
import { inPieces } from './quoting.ts';

/** The start of a file that shows its form. */
const SAMPLE_CHARACTERS = 64 * 1_024;
/** Fewer lines can stand in columns by chance. */
const LINES_MIN = 3;
/** A table in a box that is drawn with signs for lines. */
const BOX = /^(?:.*\n){0,3}?\s*[┌╔╭┏├]/;
const BOX_SIGNS = /[─-╿]/g;
const UPRIGHT = /[│┃┆┇║]/;
const LEVEL = /[─━═]/;
/** A line of dashes below the names of columns that have fixed widths. */
const RULER = /^ *(?:--+|==+)(?: +(?:-+|=+))+ *$/;
/** Blanks inside of a line, as they stand between fields of fixed widths. */
const GAP = /\S {2,}\S/;
/** Signs between fields. Some commas are those of numbers. */
const SEPARATORS = /[;\t|]|,\D/;
const NEEDS_QUOTES = /[",;\t|^~:]/;

/** Returns whether a line belongs to a table, for one line after the other. */
type InTable = (line: string) => boolean;

/**
 * Reads the lines of a box as bars and dashes, and fields of fixed widths with commas between them if the person agrees. A line of
 * dashes below the names shows the widths. Lines stay where they are.
 */
export function* withFields(text: string, findings: Findings): Generator<void, string> {
  const start = text.slice(0, SAMPLE_CHARACTERS);
  if (BOX.test(start)) {
    return yield* inPieces(text, (piece) =>
      piece.replace(BOX_SIGNS, (sign) => (UPRIGHT.test(sign) ? '|' : LEVEL.test(sign) ? '-' : '+')),
    );
  }
  if (findings.choices.separator !== undefined) return text;
  const lines = start.split('\n').map((line) => line.trimEnd());
  yield;
  const ruler = lines.findIndex((line, at) => RULER.test(line) && isNames(lines[at - 1]));
  const isRuled = ruler !== -1;
  const filled = lines.filter((line) => line !== '');
  const apart = filled.filter((line) => GAP.test(line) && !SEPARATORS.test(line));
  if (!isRuled && (apart.length < LINES_MIN || apart.length * 2 <= filled.length)) return text;
  const inTable = (): InTable => (isRuled ? below(lines[ruler - 1] ?? '') : (line) => GAP.test(line));
  const gaps = yield* gapsIn(text, inTable(), isRuled ? 1 : 2);
  const line = isRuled ? ruler : 1;
  if (!findings.add('separator', 1, { examples: [' '], line, isSure: false, isShown: isRuled })) return text;
  const isRow = inTable();
  return yield* inPieces(text, (piece) =>
    linesOf(piece, (own, end) => {
      const isOne = isRow(own);
      if (RULER.test(own)) return end;
      return isOne ? fieldsOf(own, gaps) + end : null;
    }),
  );
}

function isNames(line = ''): boolean {
  return line !== '' && !RULER.test(line) && !SEPARATORS.test(line);
}

/** Changes each line, given without the white space at its end, and the line end. Null leaves it as it is. */
function linesOf(piece: string, change: (line: string, end: string) => string | null): string {
  const lines = piece.split(/(?<=\n)/).map((line) => {
    const own = line.trimEnd();
    return change(own, line.slice(own.length).replace(/^[^\r\n]+/, '')) ?? line;
  });
  return lines.join('');
}

/** A table begins at its names and ends at a blank line. The names can stand on each page. */
function below(names: string): InTable {
  let isIn = false;
  return (line) => {
    isIn = line === names || (isIn && line !== '');
    return isIn;
  };
}

/** The places behind the first field at which all lines of a table have as many blanks. */
function* gapsIn(text: string, inTable: InTable, least: number): Generator<void, number[]> {
  // 1 for a place with another sign than a blank.
  const used: number[] = [];
  yield* inPieces(text, (piece) => {
    linesOf(piece, (line) => {
      if (inTable(line))
        for (let at = 0; at < line.length; at += 1) used[at] = line.charAt(at) === ' ' ? (used[at] ?? 0) : 1;
      return null;
    });
    return '';
  });
  const gaps: number[] = [];
  let begun = Infinity;
  for (const [at, isUsed] of used.entries()) {
    if (isUsed !== 1) continue;
    if (at - begun > least) gaps.push(begun + 1);
    begun = at;
  }
  return gaps;
}

/** A line of fields of fixed widths, with commas between them. */
function fieldsOf(line: string, gaps: readonly number[]): string {
  const fields = [0, ...gaps].map((from, at) => {
    const field = line.slice(from, gaps[at]).trim();
    return NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  });
  return fields.join(',');
}
