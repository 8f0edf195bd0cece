import type { PreviewLine } from '../../../schemas/imports/fix/preview.ts';
import { button, h } from '../../shared/dom.ts';
import type { Card } from '../card.ts';
import { type FixContent, visible } from './content-parts.ts';
import { withHeader } from './settings.ts';

/** Shows the first lines of a file, and the table as which they are read, side by side. */
export function pair(content: FixContent): HTMLElement {
  const { card, examination } = content;
  return h('div', { class: 'pair' }, before(content), after(card, examination.preview));
}

/** The first lines as they are. A press on the number of one makes it the header. */
export function before({ card, examination: { preview, header }, actions }: FixContent): HTMLElement {
  const lines = preview.map(({ line, before: text }) => {
    if (line === null) return null;
    const isHeader = header.lines > 0 && line === header.line;
    const choose = button(
      line.toLocaleString(),
      () => actions.onChoice((choices) => withHeader(choices, { line, lines: 1 })),
      // For pointers: a keyboard has the field for the line.
      { tabindex: -1, 'aria-pressed': isHeader, 'aria-label': card.text('fixHeaderLine', line) },
    );
    return h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'n' }, choose),
      h('td', { class: 'raw', translate: 'no' }, visible(text)),
    );
  });
  return shown(
    card.text('fixBefore'),
    h('table', {}, h('tbody', {}, ...lines)),
    card.text('fixChooseHeader'),
  );
}

function after(card: Card, preview: readonly PreviewLine[]): HTMLElement {
  const checked = preview.filter(({ isChecked }) => isChecked);
  const at = checked.findIndex((line) => line.after !== null);
  const width = Math.max(0, ...checked.map((line) => line.after?.length ?? 0));
  const lines = checked.map(({ line, after: cells }, index) => {
    const number = h('th', { scope: 'row', class: 'n' }, line?.toLocaleString() ?? '');
    if (cells === null)
      return h('tr', {}, number, h('td', { colspan: width, class: 'out' }, card.text('fixLeftOut')));
    const each = cells.map((cell) =>
      index === at
        ? h('th', { scope: 'col', translate: 'no' }, h('bdi', {}, visible(cell)))
        : h('td', { translate: 'no' }, h('bdi', {}, visible(cell))),
    );
    return h('tr', {}, number, ...each);
  });
  return shown(card.text('fixAfter'), h('table', {}, h('tbody', {}, ...lines)));
}

function shown(label: string, table: HTMLElement, hint = ''): HTMLElement {
  const region = h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, table);
  return h('div', { class: 'moving' }, h('p', {}, `${label} `, h('small', {}, hint)), region);
}
