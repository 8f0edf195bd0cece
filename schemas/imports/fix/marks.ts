import type { Findings } from './findings.ts';
import { isOpened, lineCounter } from './lines.ts';
import { STEP_CHARACTERS } from './steps.ts';

const MARKS = /[\0\ufeff]/g;

/** Leaves out what no cell has: NUL, and byte order marks at the start of a line, which files have that were put together. */
export function* withoutMarks(text: string, findings: Findings): Generator<void, string> {
  if (!text.includes('\0') && !text.includes('\ufeff')) return text;
  const pieces: string[] = [];
  const lineAt = lineCounter(text);
  let line: number | null = null;
  let from = 0;
  let isInCell = false;
  const count = (at: number): void => {
    if (isOpened(text, from, at)) isInCell = !isInCell;
    from = at;
  };
  for (let start = 0; start < text.length; start += STEP_CHARACTERS) {
    const piece = text.slice(start, start + STEP_CHARACTERS);
    pieces.push(
      piece.replace(MARKS, (mark, place: number) => {
        const at = start + place;
        // Before the first character stands an empty text, which is in each other one.
        if (mark !== '\0' && !'\r\n'.includes(text.charAt(at - 1))) return mark;
        line ??= lineAt(at);
        count(at);
        return isInCell && mark !== '\0' ? mark : '';
      }),
    );
    count(start + piece.length);
    lineAt(start + piece.length);
    yield;
  }
  const without = pieces.join('');
  const removed = text.length - without.length;
  const fault = text.includes('\0') ? 'nul_byte' : null;
  return removed > 0 && findings.add('nul', removed, { line, fault }) ? without : text;
}
