import type { Api, ImportStatus } from './api.ts';
import { alertOf, type Card } from './card.ts';
import type { ReviewParts } from './review-errors.ts';

/** Says how many rows cannot be read, without the part that lists them. */
export async function showCounts(
  card: Card,
  _api: Api,
  { rows }: ImportStatus,
  { onAgain, onColumns }: ReviewParts,
): Promise<void> {
  card.show(
    'stepCheck',
    alertOf(card.text('invalid', rows.invalid, rows.total), card.text('correct')),
    card.action(card.text('again'), onAgain),
    card.action(card.text('columns'), onColumns),
  );
}
