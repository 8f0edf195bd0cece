import type { Findings } from './findings.ts';
import { LineEnds, lineCounter } from './lines.ts';
import { LINE_CHARACTERS_MAX } from './steps.ts';
import { surveyOf } from './survey.ts';

/** The start of a file that shows how its cells are quoted. */
const SAMPLE_CHARACTERS = 64 * 1_024;
/** Characters that are changed at once. */
const PIECE_CHARACTERS = 16 * 1_024;
/** Fewer columns could be a text with a comma. */
const WRAPPED_COLUMNS_MIN = 3;
/** The least share of lines with a cell in single quotes. */
const SINGLE_SHARE_MIN = 0.5;

/** A line that is one quoted cell. */
const WRAPPED = /^"((?:[^"\r\n]|"")*)"$/gm;
/** A cell in single quotes, with the separator in front of it. */
const SINGLE = /(^|[,;\t|])'((?:[^'\r\n]|'')*)'(?=[,;\t|]|$)/gm;
const SEPARATORS = /[,;\t|]/;
const LAST_LINE = /(?<![^\r\n])[^\r\n]*$/;

/** Reads a text by other rules of quotes, if the person agrees. Lines stay where they are. */
export function* requoted(text: string, findings: Findings): Generator<void, string> {
  const lines = sampleLines(text);
  if (lines.every((line) => line.startsWith('"')) && (yield* isWrapped(lines))) {
    if (!findings.add('wrapped', 1, {})) return text;
    return yield* inPieces(text, (piece) =>
      piece.replace(WRAPPED, (_, inner: string) => inner.replaceAll('""', '"')),
    );
  }
  yield;
  if (lines.some((line) => line.includes('"'))) return text;
  const quoted = lines.filter((line) => line.includes("'") && line.search(SINGLE) !== -1);
  const [first] = quoted;
  if (first === undefined || quoted.length < SINGLE_SHARE_MIN * lines.length) return text;
  yield;
  const cells = quoted.flatMap((line) => [...line.matchAll(SINGLE)].map(([, , cell = '']) => cell));
  const isAgreed = findings.add('singleQuotes', quoted.length, {
    examples: cells,
    line: lineCounter(text)(text.indexOf(first)),
  });
  if (!isAgreed) return text;
  return yield* inPieces(text, (piece) =>
    piece.replace(SINGLE, (_, before: string, cell: string) => {
      return `${before}"${cell.replaceAll("''", "'").replaceAll('"', '""')}"`;
    }),
  );
}

/** Changes a text in pieces of whole lines. A line that is longer than any row of a table stays as it is. */
export function* inPieces(text: string, change: (piece: string) => string): Generator<void, string> {
  const ends = new LineEnds(text, true);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const least = Math.min(text.length, at + PIECE_CHARACTERS);
    const next = ends.behind(ends.at(least));
    const isLong = next - least > LINE_CHARACTERS_MAX;
    const end = isLong ? at + text.slice(at, least).search(LAST_LINE) : next;
    pieces.push(change(text.slice(at, end)), text.slice(end, next));
    at = next;
    yield;
  }
  return pieces.join('');
}

/** The first lines that are not blank, without one that the sample cuts. */
function sampleLines(text: string): string[] {
  const start = text.slice(0, SAMPLE_CHARACTERS);
  const lines = start.split(/\r\n|\r|\n/);
  return (start.length < text.length ? lines.slice(0, -1) : lines).filter((line) => line.trim() !== '');
}

/** True if each line is one quoted cell, and a row of several fields without its quotes. */
function* isWrapped(lines: readonly string[]): Generator<void, boolean> {
  const inner = lines.map((line) => line.match(/^"((?:[^"]|"")*)"$/)?.[1]?.replaceAll('""', '"'));
  if (lines.length < 2 || inner.includes(undefined)) return false;
  const { columns } = yield* surveyOf(inner.join('\n'), null);
  return columns >= WRAPPED_COLUMNS_MIN && (inner[0] ?? '').split(SEPARATORS).length >= columns;
}
