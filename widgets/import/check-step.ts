import { bar, h } from '../shared/dom.ts';
import type { ImportStatus } from './api.ts';
import type { Card } from './card.ts';
import { sizeText } from './file-check.ts';
import { pause } from './look-at-import.ts';
import { timeLeft } from './time-left.ts';

/** Looks at one validation, which are more than a session has time for. */
const LOOKS_MAX = 3_000;

/** Shows how far a validation is until it is over. Resolves with false if the widget shows something else meanwhile. */
export async function watchProgress(
  card: Card,
  first: ImportStatus,
  { look, onCancel }: { readonly look: () => Promise<ImportStatus>; readonly onCancel: () => void },
): Promise<boolean> {
  const place = h('div', { class: 'moving' });
  card.show('stepCheck', place, card.action(card.text('cancel'), onCancel));
  let status = first;
  const left = timeLeft(card);
  for (let looks = 0; looks < LOOKS_MAX && status.status === 'validating'; looks += 1) {
    drawProgress(card, place, status, left);
    await pause();
    // A page that has taken the widget away may put it back.
    await card.whenHere();
    // The widget shows something else: the import was cancelled.
    if (place.parentNode === null) return false;
    if (document.hidden) continue;
    status = await look();
  }
  return place.parentNode !== null;
}

function drawProgress(
  card: Card,
  place: HTMLElement,
  { progress, rows }: ImportStatus,
  left: (done: number, total: number) => string,
): void {
  const { done, total } = progress;
  const words = total === 0 ? card.text('starting') : card.text('checking', done, total);
  const counted = h(
    'p',
    { class: 'pace' },
    card.text('counted', rows.valid, rows.invalid),
    h('span', {}, left(done, total)),
  );
  place.replaceChildren(h('b', {}, words), bar(total === 0 ? 0 : done / total), counted);
  card.say(words);
}

/** Shows a file that is being sent. Returns a function that shows how much of it has arrived. */
export function showSending(card: Card, name: string, total: number): (sent: number) => void {
  const place = h('div', { class: 'moving' });
  const left = timeLeft(card);
  const draw = (sent: number): void => {
    const words = h(
      'p',
      { class: 'pace' },
      card.text('sent', sizeText(sent), sizeText(total)),
      h('span', {}, left(sent, total)),
    );
    place.replaceChildren(h('b', {}, ...card.named('uploading', name)), bar(sent / total), words);
  };
  draw(0);
  card.show('stepFile', place);
  return draw;
}
