import { bar, h } from '../shared/dom.ts';
import type { ImportStatus } from './api.ts';
import type { Card } from './card.ts';
import { sizeText } from './file-check.ts';
import { timeLeft } from './time-left.ts';

/** Shows how far a validation is. */
export function drawProgress(
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
