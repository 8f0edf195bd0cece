import type { Findings } from './findings.ts';
import { isOpened, lineOf } from './rows.ts';

/** NUL, and byte order marks at the start of a line. */
const MARKS = /\0|(?<=^|[\r\n])\ufeff/g;

/** Leaves out what no cell has: NUL, and the marks of files that were put together. */
export function withoutMarks(text: string, findings: Findings): string {
  if (!text.includes('\0') && !text.includes('\ufeff')) return text;
  const first = text.search(MARKS);
  let from = 0;
  let isInCell = false;
  const without = text.replace(MARKS, (mark, at: number) => {
    if (isOpened(text, from, at)) isInCell = !isInCell;
    from = at;
    return isInCell && mark !== '\0' ? mark : '';
  });
  const count = text.length - without.length;
  const fault = text.includes('\0') ? 'nul_byte' : null;
  if (count === 0 || !findings.add('nul', count, { line: lineOf(text, first), fault })) return text;
  return without;
}
