import type { Findings } from './findings.ts';
import { lineOf } from './rows.ts';
import { surveyOf } from './survey.ts';

/** The start of a file that shows how its cells are quoted. */
const SAMPLE_CHARACTERS = 64 * 1_024;
/** Fewer columns could be a text with a comma. */
const WRAPPED_COLUMNS_MIN = 3;
/** The least share of lines with a cell in single quotes. */
const SINGLE_SHARE_MIN = 0.5;

/** A line that is one quoted cell. */
const WRAPPED = /^"((?:[^"\r\n]|"")*)"$/gm;
/** A cell in single quotes, with the separator in front of it. */
const SINGLE = /(^|[,;\t|])'((?:[^'\r\n]|'')*)'(?=[,;\t|]|$)/gm;
const SEPARATORS = /[,;\t|]/;

/** Reads a text by other rules of quotes, if the person agrees. Lines stay where they are. */
export function requoted(text: string, findings: Findings): string {
  const lines = sampleLines(text);
  if (lines.every((line) => line.startsWith('"')) && isWrapped(lines)) {
    const unwrapped = () => text.replace(WRAPPED, (_, inner: string) => inner.replaceAll('""', '"'));
    return findings.add('wrapped', 1, {}) ? unwrapped() : text;
  }
  const cells = lines.flatMap((line) => [...line.matchAll(SINGLE)].map(([, , cell = '']) => cell));
  const quoted = lines.filter((line) => line.search(SINGLE) !== -1);
  const [first] = quoted;
  if (first === undefined || lines.some((line) => line.includes('"'))) return text;
  if (quoted.length < SINGLE_SHARE_MIN * lines.length) return text;
  const isAgreed = findings.add('singleQuotes', quoted.length, {
    examples: cells,
    line: lineOf(text, text.indexOf(first)),
    // Without a separator inside, they may belong to the values.
    isTicked: cells.some((cell) => SEPARATORS.test(cell)),
  });
  if (!isAgreed) return text;
  return text.replace(SINGLE, (_, before: string, cell: string) => {
    return `${before}"${cell.replaceAll("''", "'").replaceAll('"', '""')}"`;
  });
}

/** The first lines that are not blank, without one that the sample cuts. */
function sampleLines(text: string): string[] {
  const start = text.slice(0, SAMPLE_CHARACTERS);
  const lines = start.split(/\r\n|\r|\n/);
  return (start.length < text.length ? lines.slice(0, -1) : lines).filter((line) => line.trim() !== '');
}

/** True if each line is one quoted cell, and a row of several fields without its quotes. */
function isWrapped(lines: readonly string[]): boolean {
  const inner = lines.map((line) => line.match(/^"((?:[^"]|"")*)"$/)?.[1]?.replaceAll('""', '"'));
  if (lines.length < 2 || inner.includes(undefined)) return false;
  const { columns } = surveyOf(inner.join('\n'), null);
  return columns >= WRAPPED_COLUMNS_MIN && (inner[0] ?? '').split(SEPARATORS).length >= columns;
}
