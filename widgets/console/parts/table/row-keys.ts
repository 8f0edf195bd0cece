/**
 * The index of the row that a key moves to; -1 for a key that does not move.
 *
 * @param at the index of the current row; -1: there is none
 * @param screen the rows that Page Up and Page Down move by; without it, they do not move
 */
export function nextIndex(key: string, at: number, count: number, screen = 0): number {
  const last = count - 1;
  if (key === 'ArrowDown') return Math.min(at + 1, last);
  if (key === 'ArrowUp') return Math.min(Math.max(at - 1, 0), last);
  if (key === 'PageDown' && screen > 0) return Math.min(at + screen, last);
  if (key === 'PageUp' && screen > 0) return Math.min(Math.max(at - screen, 0), last);
  if (key === 'Home') return Math.min(0, last);
  if (key === 'End') return last;
  return -1;
}
