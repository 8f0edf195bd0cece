import { isComposing } from '../../shared/composing.ts';
import { h } from '../../shared/dom.ts';
import { GRID_KEY, GRID_KEYS } from '../grid-key.ts';

/** The height of a row in CSS pixels, as the style has it. */
const ROW_PX = 37;
/** Rows outside of the visible part, so that scrolling shows no gap. */
const AROUND = 10;
const PAGE_ROWS = 8;

export interface GridColumn {
  readonly head: string;
  readonly textOf: (row: number) => string;
  /** True for a cell that breaks a rule. */
  readonly isWrong: (row: number) => boolean;
  readonly isCorrected: (row: number) => boolean;
}

export interface GridParts {
  readonly label: string;
  readonly lineHead: string;
  /** Shown in an empty cell that is wrong. */
  readonly empty: string;
  readonly columns: readonly GridColumn[];
  readonly lineOf: (row: number) => number;
  readonly isLeftOut: (row: number) => boolean;
  readonly onEdit: (column: number, row: number, text: string) => void;
  /** Called when another cell is the current one. */
  readonly onMove: (column: number, row: number) => void;
}

/** A table whose cells are edited as in a spreadsheet. Only its visible rows are in the page. */
export class Grid {
  readonly element: HTMLElement;
  readonly #parts: GridParts;
  readonly #body = h('tbody', {});
  readonly #table: HTMLElement;
  #rows: readonly number[] = [];
  /** The current cell: places in {@link #rows} and in the columns. */
  #at = 0;
  #column = 0;
  #input: HTMLInputElement | null = null;
  #shownFrom = -1;

  constructor(parts: GridParts) {
    this.#parts = parts;
    const heads = [parts.lineHead, ...parts.columns.map(({ head }) => head)].map((head, index) =>
      h('th', { scope: 'col', class: index === 0 ? 'n' : '' }, h('bdi', {}, head)),
    );
    this.#table = h(
      'table',
      { role: 'grid', 'aria-label': parts.label },
      h('thead', {}, h('tr', {}, ...heads)),
      this.#body,
    );
    this.element = h('div', { class: 'scroll', translate: 'no', [GRID_KEYS]: '' }, this.#table);
    this.element.addEventListener('scroll', () => this.#draw(false));
    this.element.addEventListener(GRID_KEY, ({ detail }: CustomEventInit<KeyboardEvent>) => {
      if (detail) this.#onKey(detail);
    });
    // In a closed shadow root of the page, the key comes here alone.
    this.element.addEventListener('keydown', (event) => {
      this.#onKey(event);
    });
    this.#table.addEventListener('click', (event) => this.#onClick(event));
  }

  /** Shows other rows, from the first one, with the first wrong cell as the current one. */
  show(rows: readonly number[]): void {
    this.#rows = rows;
    this.#input = null;
    this.#at = 0;
    this.#column = Math.max(
      this.#parts.columns.findIndex(({ isWrong }) => isWrong(rows[0] ?? 0)),
      0,
    );
    this.#table.setAttribute('aria-rowcount', String(rows.length + 1));
    this.element.scrollTop = 0;
    this.#draw();
    this.#moved();
  }

  /** Shows the cells as they are now. */
  refresh(): void {
    if (this.#input === null) this.#draw();
    this.#moved();
  }

  /** Moves the focus to the current cell. */
  focus(): void {
    this.#cell()?.focus();
  }

  #row(): number | undefined {
    return this.#rows[this.#at];
  }

  #cell(): HTMLElement | null {
    return this.#body.querySelector(`[data-at="${this.#at}"][data-column="${this.#column}"]`);
  }

  #moved(): void {
    const row = this.#row();
    if (row !== undefined) this.#parts.onMove(this.#column, row);
  }

  /** @param force draws the rows again that are there */
  #draw(force = true): void {
    const visible = Math.ceil((this.element.clientHeight || 400) / ROW_PX);
    const from = Math.max(0, Math.floor(this.element.scrollTop / ROW_PX) - AROUND);
    if (!force && (from === this.#shownFrom || this.#input !== null)) return;
    this.#shownFrom = from;
    const to = Math.min(this.#rows.length, from + visible + 2 * AROUND);
    const hasFocus = this.element.contains((this.element.getRootNode() as ShadowRoot).activeElement);
    const space = (count: number) => {
      const cell = h('td', { colspan: this.#parts.columns.length + 1, class: 'space' });
      cell.style.height = `${count * ROW_PX}px`;
      return h('tr', { 'aria-hidden': 'true' }, cell);
    };
    const drawn = this.#rows.slice(from, to).map((row, index) => this.#drawnRow(row, from + index));
    this.#body.replaceChildren(
      ...(from > 0 ? [space(from)] : []),
      ...drawn,
      ...(to < this.#rows.length ? [space(this.#rows.length - to)] : []),
    );
    if (hasFocus) this.#cell()?.focus({ preventScroll: true });
  }

  #drawnRow(row: number, at: number): HTMLElement {
    const { columns, lineOf, isLeftOut, empty } = this.#parts;
    const cells = columns.map(({ textOf, isWrong, isCorrected }, column) => {
      const text = textOf(row);
      const kind = isWrong(row) ? 'wrong' : isCorrected(row) ? 'mended' : '';
      const isCurrent = at === this.#at && column === this.#column;
      return h(
        'td',
        { class: kind, 'data-at': at, 'data-column': column, tabindex: isCurrent ? 0 : -1 },
        h('span', { dir: 'auto' }, text === '' && kind === 'wrong' ? empty : text),
      );
    });
    const line = h('th', { scope: 'row', class: 'n' }, lineOf(row).toLocaleString());
    return h('tr', { 'aria-rowindex': at + 2, class: isLeftOut(row) ? 'out' : '' }, line, ...cells);
  }

  /** Makes another cell the current one, within the table. */
  #move(rows: number, columns: number): void {
    this.#at = Math.min(Math.max(this.#at + rows, 0), this.#rows.length - 1);
    this.#column = Math.min(Math.max(this.#column + columns, 0), this.#parts.columns.length - 1);
    const top = this.#at * ROW_PX;
    const { scrollTop, clientHeight } = this.element;
    // The head covers the height of a row.
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + 2 * ROW_PX > scrollTop + clientHeight)
      this.element.scrollTop = top + 2 * ROW_PX - clientHeight;
    this.#draw();
    const cell = this.#cell();
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#moved();
  }

  #onClick(event: Event): void {
    const cell = (event.target as Element).closest<HTMLElement>('td[data-at]');
    if (cell === null || cell.contains(this.#input)) return;
    this.end(true);
    this.#at = Number(cell.dataset['at']);
    this.#column = Number(cell.dataset['column']);
    this.#move(0, 0);
    this.#edit();
  }

  /** @param start the text with which the edit starts, or the one of the cell */
  #edit(start?: string): void {
    const [cell, row, column] = [this.#cell(), this.#row(), this.#parts.columns[this.#column]];
    if (cell === null || row === undefined || column === undefined || this.#parts.isLeftOut(row)) return;
    const name = `${column.head}, ${this.#parts.lineHead} ${this.#parts.lineOf(row)}`;
    const input = h('input', { type: 'text', 'aria-label': name, dir: 'auto', autocomplete: 'off' });
    input.value = start ?? column.textOf(row);
    input.addEventListener('blur', () => this.end(true));
    this.#input = input;
    cell.replaceChildren(input);
    input.focus();
    if (start === undefined) input.select();
  }

  /** Ends the edit that is under way. @param isKept false leaves the cell as it was */
  end(isKept: boolean): void {
    const [input, row, column] = [this.#input, this.#row(), this.#column];
    if (input === null) return;
    // What follows takes the focus away from the input, and must not end the edit again.
    this.#input = null;
    const hadFocus = (this.element.getRootNode() as ShadowRoot).activeElement === input;
    if (isKept && row !== undefined && input.value !== this.#parts.columns[column]?.textOf(row))
      this.#parts.onEdit(column, row, input.value);
    this.#draw();
    if (hadFocus) this.focus();
  }

  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    if (event.defaultPrevented || isComposing(event)) return;
    if (this.#input === null) {
      if (!this.#onCellKey(event)) return;
    } else if (key === 'Enter') {
      this.end(true);
      this.#move(1, 0);
    } else if (key === 'Escape') this.end(false);
    else if (key === 'Tab') {
      this.end(true);
      this.#move(0, shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
  }

  /** Returns true if the key has done something. */
  #onCellKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const forward = getComputedStyle(this.element).direction === 'rtl' ? -1 : 1;
    const all = Infinity;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, forward],
      ArrowLeft: [0, -forward],
      PageDown: [PAGE_ROWS, 0],
      PageUp: [-PAGE_ROWS, 0],
      Home: ctrlKey ? [-all, -all] : [0, -all],
      End: ctrlKey ? [all, all] : [0, all],
    };
    const move = moves[key];
    if (move !== undefined) this.#move(...move);
    else if (key === 'Enter' || key === 'F2') this.#edit();
    else if (key === 'Delete' || key === 'Backspace') this.#edit('');
    else if (key.length === 1 && !ctrlKey && !metaKey && !altKey) this.#edit(key === ' ' ? undefined : key);
    else return false;
    return true;
  }
}
