import {
  ALIKE_LETTERS_KEPT,
  type LettersRoot,
  OPEN_LETTERS_KEPT,
} from '../../schemas/operations/dead-letters.ts';

/**
 * Lists an open letter. If too many are alike, the oldest of those leaves the list; if there are too many in all, the oldest of the
 * cause that has most. So one aggregate that fails again and again takes no place of another's letters.
 *
 * @param cause names the aggregate and the reason
 * @returns the root, and the id that leaves the list; null: none
 */
export function withOpen(
  root: LettersRoot,
  id: string,
  cause: string,
): { readonly root: LettersRoot; readonly leaving: string | null } {
  const open = [...root.open.filter((each) => each !== id), id].sort();
  const causes = { ...root.causes, [id]: cause };
  const alike = Map.groupBy(open, (each) => causes[each]);
  const most = Math.max(...[...alike.values()].map(({ length }) => length));
  const crowd =
    (alike.get(cause)?.length ?? 0) > ALIKE_LETTERS_KEPT
      ? alike.get(cause)
      : [...alike.values()].find(({ length }) => open.length > OPEN_LETTERS_KEPT && length === most);
  const leaving = crowd?.[0] ?? null;
  const crowded = leaving === null ? undefined : causes[leaving];
  const left = crowded === undefined ? root.left : { ...root.left, [crowded]: (root.left[crowded] ?? 0) + 1 };
  return { root: withoutOpen({ ...root, open, causes, left }, (each) => each === leaving), leaving };
}

/** Removes open letters. A cause of which none is open is forgotten. */
export function withoutOpen(root: LettersRoot, isRemoved: (id: string) => boolean): LettersRoot {
  const open = root.open.filter((id) => !isRemoved(id));
  const causes = Object.fromEntries(Object.entries(root.causes).filter(([id]) => open.includes(id)));
  const known = new Set(Object.values(causes));
  const left = Object.fromEntries(Object.entries(root.left).filter(([cause]) => known.has(cause)));
  return { ...root, open, causes, left };
}
