import { h, tick } from '../shared/dom.ts';
import type { ImportStatus } from './api.ts';
import { alertOf, type Card } from './card.ts';
import type { NextPart } from './fix-flow.ts';
import { faultText } from './reasons.ts';

export interface ImportEnd {
  readonly kind: 'ready' | 'approved';
  readonly text: 'yourTeam' | 'delivered';
  readonly status: ImportStatus;
  /** The rows of the file that did not fit into this import. */
  readonly next: Pick<NextPart, 'from' | 'to'> | null;
  readonly onNext: () => void;
  readonly onAnother: () => void;
}

/** Says what has happened to an import, and what comes next. */
export function showEnd(card: Card, { kind, text, status, next, onNext, onAnother }: ImportEnd): void {
  const words = h('b', {}, card.text(kind, status.rows.valid));
  const further =
    next && card.action(card.text('nextPart', next.from, next.to), onNext, { class: 'primary' });
  card.show(
    null,
    h('div', { class: 'with-tick' }, tick(), h('p', { role: 'status' }, words, card.text(text))),
    h('div', { class: 'buttons' }, further, card.action(card.text('another'), onAnother)),
  );
}

/** Says why an import has ended without rows. */
export function failureOf(card: Card, { status, failure }: ImportStatus): HTMLElement {
  if (status === 'cancelled') return alertOf(card.text('cancelled'));
  const place = failure?.line == null ? '' : `${card.text('line', failure.line)} `;
  return alertOf(card.text('failed'), `${place}${faultText(card.texts, failure?.code ?? status)}`);
}
