import { visibleText } from '../parts/table/visible-text.ts';
import type { Entry } from './palette-entries.ts';

/** The controls that do something on a page. Those that only open a row, open a menu or copy a value are none. */
const CONTROLS =
  'main :is(button, a.btn):not(.copy, [data-open], [aria-haspopup], [aria-disabled="true"], :disabled)';

/** The actions that the person can press on the page now, as lines of the palette. Choosing one presses its control. */
export function pageActions(): Entry[] {
  const title = visibleText(document.querySelector('main h1')?.textContent ?? '');
  return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
    .filter((control) => control.getClientRects().length > 0)
    .map((control): Entry => {
      const label = wordsOf(control);
      return {
        // Two things of one name are two lines.
        id: `${location.pathname} ${label} ${control.closest('tr')?.id ?? ''}`,
        group: 'On this page',
        label,
        where: title,
        isInRow: control.closest('tbody') !== null,
        run: () => {
          control.scrollIntoView({ block: 'nearest' });
          control.focus();
          control.click();
        },
      };
    });
}

/** The words of a control. `data-words` has them where its text alone does not say what it is about, such as "Erase…". */
function wordsOf(control: HTMLElement): string {
  const words = control.dataset['words'] ?? control.getAttribute('aria-label') ?? control.textContent ?? '';
  return words.trim().replaceAll(/\s+/g, ' ');
}
