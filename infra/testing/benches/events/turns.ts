/** Events that a subject has in all: as many as the steps of a short checklist. */
export const EVENTS_A_SUBJECT = 5;

/** Between two events of one subject lie those of so many others, so that they seldom share a batch. */
const SUBJECTS_AT_ONCE = 1_000;

/** Whose turn the n-th event of an aggregate (from 0) is, and which of the subject's events: both from 0. */
export function turnOf(n: number): { readonly subject: number; readonly event: number } {
  const round = Math.floor(n / (SUBJECTS_AT_ONCE * EVENTS_A_SUBJECT));
  return {
    subject: round * SUBJECTS_AT_ONCE + (n % SUBJECTS_AT_ONCE),
    event: Math.floor(n / SUBJECTS_AT_ONCE) % EVENTS_A_SUBJECT,
  };
}

/** Lets things take turns: the item whose turn the n-th (from 0) is, and how many it has had. */
export function takeTurns<Item>(
  items: readonly Item[],
  n: number,
): { readonly item: Item; readonly nth: number } {
  const item = items[n % items.length];
  if (item === undefined) throw new RangeError('taking turns among nobody');
  return { item, nth: Math.floor(n / items.length) };
}
