import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { nextIndex } from './row-keys.ts';

/** The element that Enter presses in a row: a link or button with `data-open`, else the link that names the row. */
const OPENS = '[data-open], th a[href]';

/** The element that a click anywhere in a row presses: one that only opens. */
const CLICKED = 'th a[href], th [data-open]';

/** The element that Space presses in a row. */
const SELECTS = 'input[type="checkbox"], [data-select]';

/**
 * The body of a table by keyboard: one row is in the tab order, arrow keys, Home and End move to another, Enter opens it and
 * Space selects it. Rows of the class `detail` explain the row above them and are passed over.
 */
export function Rows({ children }: { readonly children: ComponentChildren }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    const rows = rowsOf(body.current);
    const kept = rows.find((row) => row.tabIndex === 0) ?? rows[0];
    for (const row of rows) row.tabIndex = row === kept ? 0 : -1;
  });
  return (
    <tbody ref={body} onKeyDown={(event) => onKey(event, rowsOf(body.current))} onClick={onClick}>
      {children}
    </tbody>
  );
}

function rowsOf(body: HTMLTableSectionElement | null): HTMLTableRowElement[] {
  return [...(body?.rows ?? [])].filter((row) => !row.classList.contains('detail'));
}

function onClick(event: MouseEvent): void {
  const target = event.target as HTMLElement;
  const row = target.closest('tr');
  const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  // A click on a control is for the control, and one that ends a selection is for the text.
  if (hasModifier || row === null || row.classList.contains('detail')) return;
  if (target.closest('a, button, input, select, label, dialog, time[tabindex]') !== null) return;
  if (getSelection()?.isCollapsed === false) return;
  row.querySelector<HTMLElement>(CLICKED)?.click();
}

function onKey(event: KeyboardEvent, rows: readonly HTMLTableRowElement[]): void {
  const target = event.target as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || target.closest('input, select, textarea')) return;
  const row = target.closest('tr');
  if (row === null) return;
  const next = rows[nextIndex(event.key, rows.indexOf(row), rows.length)];
  if (next !== undefined) {
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  } else if (target === row && (event.key === 'Enter' || event.key === ' ')) {
    const pressed = row.querySelector<HTMLElement>(event.key === 'Enter' ? OPENS : SELECTS);
    pressed?.click();
    if (pressed !== null) event.preventDefault();
  }
}
