import type { Findings } from './findings.ts';
import { isText, isValue } from './guess.ts';
import { isOpened, LineEnds } from './lines.ts';
import { cellsOf, readRow } from './rows.ts';
import { LINE_CHARACTERS_MAX, STEP_CHARACTERS } from './steps.ts';
import { surveyOf } from './survey.ts';

/** A table in a file of several, by its lines from 1. */
interface TablePart {
  readonly from: number;
  readonly to: number;
  /** The line of its names. */
  readonly names: string;
}

/** Lines without a blank one between them. */
interface Block {
  readonly line: number;
  readonly lines: number;
  readonly text: string;
}

/** More blocks are rows with blank lines between them. */
const BLOCKS_MAX = 100;
/** The lines of a table with names: fewer rows show no columns of values. */
const LINES_MIN = 3;
/** Lines of a title that stands above a table, with a blank line between them. */
const TITLE_LINES_MAX = 3;
/** Rows that show the columns of values. */
const ROWS_MAX = 50;
/** The start of a block that shows its form. */
const SAMPLE_CHARACTERS = 16 * 1_024;
const BLANK = /^[\s,;|]*$/;
const NAMES_MAX = 60;

/** Lets the person choose one of several tables. Lines of the others become blank, so that each line keeps its number. */
export function* withOneTable(text: string, findings: Findings): Generator<void, string> {
  const lineEnd = text.includes('\n') ? '\n' : '\r';
  const tables = yield* tablesIn(yield* blocksOf(text, lineEnd));
  if (tables.length < 2) return text;
  const { table, agreed } = findings.choices;
  const chosen = tables[(table ?? 1) - 1];
  const isAgreed = chosen !== undefined && (agreed.get('tables') ?? table !== undefined);
  const parts = tables.map((each, at) => ({
    at: at + 1,
    text: `${each.from}–${each.to}: ${each.names}`,
    lines: [each.from, each.to] as const,
    isAgreed: isAgreed && each === chosen,
  }));
  const isDecided = isAgreed || agreed.has('tables');
  findings.add('tables', tables.length, { isAgreed, isDecided, parts });
  if (!isAgreed) return text;
  const ends = new LineEnds(text, lineEnd === '\r');
  const start = yield* ends.skip(chosen.from - 1);
  const end = yield* ends.skip(chosen.to + 1 - chosen.from, start);
  return lineEnd.repeat(chosen.from - 1) + text.slice(start, end);
}

/** The blocks of a text; none for a text of too many. */
function* blocksOf(text: string, lineEnd: string): Generator<void, Block[]> {
  const blocks: Block[] = [];
  let [from, fromLine] = [0, 1];
  let [counted, isOpen] = [0, false];
  const count = (at: number): void => {
    if (isOpened(text, counted, at)) isOpen = !isOpen;
    counted = at;
  };
  const cut = (at: number, next: number, line: number): void => {
    count(at);
    // A blank line in quotes is a part of a cell.
    if (isOpen) return;
    if (line > fromLine) blocks.push({ line: fromLine, lines: line - fromLine, text: text.slice(from, at) });
    [from, fromLine] = [next, line + 1];
  };
  let line = 1;
  for (let at = 0; at < text.length && blocks.length <= BLOCKS_MAX; line += 1) {
    while (at - counted >= STEP_CHARACTERS) {
      count(counted + STEP_CHARACTERS);
      yield;
    }
    const found = text.indexOf(lineEnd, at);
    const next = found === -1 ? text.length : found + 1;
    if (isBlank(text, at, next)) {
      cut(at, next, line);
      yield;
    }
    at = next;
  }
  cut(text.length, text.length, line);
  return blocks.length > BLOCKS_MAX ? [] : blocks;
}

/** True for a line without a value. Most others begin with a letter, a digit or a quote. */
function isBlank(text: string, start: number, next: number): boolean {
  return (
    !/[\p{L}\d"]/u.test(text.charAt(start)) &&
    BLANK.test(text.slice(start, Math.min(next, start + LINE_CHARACTERS_MAX)))
  );
}

/** The tables among blocks. Blocks behind one belong to it, but for a short one above the next table. */
function* tablesIn(blocks: readonly Block[]): Generator<void, TablePart[]> {
  const tables: { from: number; to: number; names: string }[] = [];
  let above: Block | undefined;
  for (const block of blocks) {
    const before = above;
    const names = yield* namesOf(block);
    const last = tables.at(-1);
    if (names !== null) {
      const isTitle =
        before !== undefined && before.lines <= TITLE_LINES_MAX && before.line > (last?.to ?? 0);
      const from = last === undefined ? 1 : isTitle ? before.line : block.line;
      tables.push({ from, to: block.line + block.lines - 1, names });
    } else if (last !== undefined && block.lines > TITLE_LINES_MAX) {
      last.to = block.line + block.lines - 1;
    }
    above = block;
  }
  return tables;
}

/** The line of names in a block that is a table: above a column of values stands a text. Null for any other block. */
function* namesOf({ lines, text }: Block): Generator<void, string | null> {
  if (lines < LINES_MIN) return null;
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const { dialect, columns, headerStart } = yield* surveyOf(sample, null);
  if (columns < 2) return null;
  const rows: (readonly string[])[] = [];
  for (let at = headerStart; at < sample.length && rows.length < ROWS_MAX; ) {
    const row = readRow(sample, at, dialect, new Uint8Array(columns));
    if (row === null || typeof row === 'string') break;
    if (row.columns === columns)
      rows.push(cellsOf(sample, row, dialect.separator).map((cell) => cell.trim()));
    at = row.next;
  }
  const [names = [], ...records] = rows;
  const isNamed = names.some((name, column) => {
    const cells = records.map((cells) => cells[column] ?? '').filter((cell) => cell !== '');
    return isText(name) && cells.length > 1 && cells.every(isValue);
  });
  return isNamed ? names.join(', ').slice(0, NAMES_MAX) : null;
}
