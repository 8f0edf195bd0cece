/** Events that a subject has in all: as many as the steps of a short checklist. */
export const EVENTS_A_SUBJECT = 5;

/** Subjects that take turns. Two events of one subject are this far apart, so that they seldom share a batch. */
const SUBJECTS_AT_ONCE = 1_000;

/** Returns the subject of an aggregate's n-th event, and the number of that event within the subject. All count from 0. */
export function turnOf(n: number): { readonly subject: number; readonly event: number } {
  const round = Math.floor(n / (SUBJECTS_AT_ONCE * EVENTS_A_SUBJECT));
  return {
    subject: round * SUBJECTS_AT_ONCE + (n % SUBJECTS_AT_ONCE),
    event: Math.floor(n / SUBJECTS_AT_ONCE) % EVENTS_A_SUBJECT,
  };
}

/** Takes items in turn. Returns the item of the n-th turn (from 0), and the number of turns that it had before. */
export function takeTurns<Item>(
  items: readonly Item[],
  n: number,
): { readonly item: Item; readonly nth: number } {
  const item = items[n % items.length];
  if (item === undefined) throw new RangeError('taking turns without items');
  return { item, nth: Math.floor(n / items.length) };
}

/**
 * Numbers events like {@link turnOf}, but those of a subject follow each other. Aggregates begin at different events, so that a fifth
 * of the events begins a subject, however many aggregates there are and however many events they have had.
 */
export function evenTurnOf(n: number, aggregate: number): ReturnType<typeof turnOf> {
  const at = n + (aggregate % EVENTS_A_SUBJECT);
  return { subject: Math.floor(at / EVENTS_A_SUBJECT), event: at % EVENTS_A_SUBJECT };
}
