import { type Child, h } from '../shared/dom.ts';

/** The height of a row in CSS pixels. */
const ROW_PX = 37;
/** Rows outside of the visible part, so that scrolling shows no gap. */
const AROUND = 10;

export interface TableColumn<Row> {
  readonly head: string;
  readonly isNumber?: boolean;
  /** True for sentences of the widget. A browser that translates the page leaves cells of the file alone. */
  readonly isSentence?: boolean;
  /** The content of a cell, and true if it is the wrong one. */
  readonly cell: (row: Row) => readonly [content: readonly Child[], isWrong?: boolean];
}

/** Makes a table that has only its visible rows in the page. */
export function virtualTable<Row>(
  label: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): HTMLElement {
  const body = h('tbody');
  const heads = columns.map(({ head, isNumber }) =>
    h('th', { scope: 'col', class: isNumber === true ? 'n' : '' }, h('bdi', {}, head)),
  );
  const table = h('table', { 'aria-rowcount': rows.length + 1 }, h('thead', {}, h('tr', {}, ...heads)), body);
  const scroller = h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, table);
  let shownFrom = -1;
  const spacer = (count: number) => {
    const cell = h('td', { colspan: columns.length, class: 'space' });
    cell.style.height = `${count * ROW_PX}px`;
    return h('tr', { 'aria-hidden': 'true' }, cell);
  };
  const draw = (): void => {
    const visible = Math.ceil((scroller.clientHeight || 400) / ROW_PX);
    const from = Math.max(0, Math.floor(scroller.scrollTop / ROW_PX) - AROUND);
    if (from === shownFrom) return;
    shownFrom = from;
    const to = Math.min(rows.length, from + visible + 2 * AROUND);
    const drawn = rows.slice(from, to).map((row, index) =>
      h(
        'tr',
        { 'aria-rowindex': from + index + 2 },
        ...columns.map(({ cell, isNumber, isSentence }) => {
          const [content, isWrong] = cell(row);
          const kind = isWrong === true ? 'wrong' : isNumber === true ? 'n' : '';
          // A value has its own direction, whatever that of the page is.
          const cut = h('span', { dir: 'auto' }, ...content);
          return h('td', { class: kind, translate: isSentence ? 'yes' : 'no' }, cut);
        }),
      ),
    );
    body.replaceChildren(
      ...(from > 0 ? [spacer(from)] : []),
      ...drawn,
      ...(to < rows.length ? [spacer(rows.length - to)] : []),
    );
  };
  scroller.addEventListener('scroll', draw);
  draw();
  return scroller;
}
