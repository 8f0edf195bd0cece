import { button, h } from '../../shared/dom.ts';
import type { Card } from '../card.ts';

/**
 * Makes the form that replaces a value in a column, and the button that shows it.
 *
 * @param replace returns the number of changed cells
 */
export function replaceForm(
  card: Card,
  names: readonly string[],
  replace: (column: number, from: string, to: string, isPart: boolean) => number,
): { readonly form: HTMLElement; readonly toggle: HTMLButtonElement } {
  const column = h('select', {});
  column.append(...names.map((name, at) => h('option', { value: at, translate: 'no', dir: 'auto' }, name)));
  const from = h('input', { type: 'text', dir: 'auto', autocomplete: 'off' });
  const to = h('input', { type: 'text', dir: 'auto', autocomplete: 'off' });
  const part = h('input', { type: 'checkbox' });
  const status = h('p', { role: 'status' });
  const act = (): void => {
    const changed = replace(Number(column.value), from.value, to.value, part.checked);
    status.textContent = changed === 0 ? card.text('noCellHas') : card.text('cellsChanged', changed);
  };
  const form = h(
    'div',
    { class: 'fixes', role: 'group', 'aria-label': card.text('replaceIn') },
    h(
      'div',
      { class: 'places' },
      h('label', {}, card.text('replaceColumn'), column),
      h('label', {}, card.text('replaceFrom'), from),
      h('label', {}, card.text('replaceTo'), to),
    ),
    h('label', { class: 'word' }, part, card.text('replacePart')),
    h('div', { class: 'buttons' }, button(card.text('replaceAll'), act)),
    status,
  );
  form.hidden = true;
  const toggle = button(
    card.text('replaceIn'),
    () => {
      form.hidden = !form.hidden;
      toggle.ariaExpanded = String(!form.hidden);
      if (!form.hidden) column.focus();
    },
    { 'aria-expanded': false },
  );
  return { form, toggle };
}
