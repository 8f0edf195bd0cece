import type { WrittenColumn } from '../../../schemas/imports/values/apply.ts';
import { button, h } from '../../shared/dom.ts';
import type { Card } from '../card.ts';
import { errorName } from '../reasons.ts';
import { around, VALUE } from '../values.ts';
import { type CheckedCells, type FaultGroup, type Faults, WHOLE_ROW } from './faults.ts';
import { Grid } from './grid.ts';
import { replaceForm } from './replace-form.ts';

/** The groups of faults that are offered as filters. */
const GROUPS_MAX = 20;

export interface RowsToCheck {
  readonly cells: CheckedCells;
  readonly faults: Faults;
  /** The names of the columns, as fields. */
  readonly names: readonly string[];
  /** The line of a row in the file of the person. */
  readonly lineOf: (row: number) => number;
  /** The rules of each column, in words. */
  readonly rulesOf: (column: number) => readonly Node[];
  /** Called after each act, so that it can be kept. */
  readonly onAct: () => void;
  readonly onDownload: (rows: readonly number[]) => void;
}

/** The filter that lists what a person has corrected. */
const CORRECTED = 'corrected';

type Filter = Pick<FaultGroup, 'column' | 'code'> | typeof CORRECTED | null;

/**
 * Shows the rows of a file that break a rule, to be corrected where they stand. Resolves with true once the file is to be sent, with
 * false if the person goes back to the columns.
 */
export function checkRows(card: Card, rows: RowsToCheck): Promise<boolean> {
  return new Promise((resolve) => new CheckStep(card, rows, resolve).show());
}

class CheckStep {
  readonly #card: Card;
  readonly #rows: RowsToCheck;
  readonly #done: (sends: boolean) => void;
  readonly #grid: Grid;
  readonly #sum = h('p', { class: 'sum', role: 'status' });
  readonly #filters: HTMLElement;
  /** The faults of the current cell, and the acts that correct it. */
  readonly #why = h('p', { role: 'status' });
  readonly #offers = h('div', { class: 'buttons' });
  readonly #status = h('span', { role: 'status' });
  readonly #undo: HTMLButtonElement;
  readonly #download: HTMLButtonElement;
  readonly #foot = h('div', { class: 'buttons' });
  #filter: Filter = null;
  /** The cell that was corrected last, with its text before. */
  #last: {
    readonly column: number;
    readonly row: number;
    readonly from: string;
    readonly to: string;
  } | null = null;

  constructor(card: Card, rows: RowsToCheck, done: (sends: boolean) => void) {
    this.#card = card;
    this.#rows = rows;
    this.#done = done;
    this.#filters = h('div', { class: 'filters', role: 'group', 'aria-label': card.text('filter') });
    this.#download = button('', () => rows.onDownload(rows.faults.rowsWith(null)));
    this.#undo = button(card.text('undo'), () => this.#takeBack());
    // A press leaves the focus in the cell that is edited, so that nothing moves under the pointer.
    for (const place of [this.#filters, this.#offers, this.#undo, this.#foot])
      place.addEventListener('mousedown', (event) => event.preventDefault());
    const { cells, faults, names, lineOf } = rows;
    this.#grid = new Grid({
      label: card.text('checkTable'),
      lineHead: card.text('atLine'),
      empty: card.text('noValue'),
      columns: cells.columns.map((column, at) => ({
        head: names[at] ?? '',
        textOf: (row) => cells.edits.textOf(column, row),
        isWrong: (row) => faults.at(at, row) !== null,
        isCorrected: (row) => cells.edits.correctionOf(column.target, row) !== null,
      })),
      lineOf,
      isLeftOut: (row) => cells.edits.isLeftOut(row),
      onEdit: (column, row, text) => this.#edit(column, row, text),
      onMove: (column, row) => this.#explain(column, row),
    });
  }

  show(): void {
    const card = this.#card;
    const { form, toggle } = replaceForm(card, this.#rows.names, (column, from, to, isPart) => {
      const written = this.#rows.cells.columns[column];
      const changed = written ? this.#rows.cells.edits.replace(written, from, to, isPart) : 0;
      if (changed > 0) this.#acted();
      return changed;
    });
    card.show(
      'stepCheck',
      this.#sum,
      this.#filters,
      this.#grid.element,
      h('div', { class: 'about' }, this.#why, this.#offers),
      h('p', { class: 'undo' }, this.#status, ' ', this.#undo),
      this.#foot,
      h(
        'div',
        { class: 'buttons' },
        toggle,
        this.#download,
        card.action(card.text('backToColumns'), () => this.#done(false)),
      ),
      form,
    );
    this.#list();
    this.#draw();
  }

  /** Lists the rows of the filter. They stay while they are corrected. */
  #list(): void {
    const { faults } = this.#rows;
    this.#grid.show(this.#filter === CORRECTED ? faults.correctedRows() : faults.rowsWith(this.#filter));
  }

  /** Draws the counts, the filters and the buttons. */
  #draw(): void {
    const card = this.#card;
    const { cells, faults, names } = this.#rows;
    const left = cells.rows - cells.edits.leftOut.size;
    const fit = left - faults.wrongRows;
    this.#sum.textContent = card.text('fitRows', fit, left);
    const corrected = faults.correctedRows().length;
    const groups = faults.groups.slice(0, GROUPS_MAX);
    const filters: readonly (readonly [Filter, string])[] = [
      [null, card.text('faultRows', faults.wrongRows)],
      ...groups.map((group): [Filter, string] => {
        const name = group.column === WHOLE_ROW ? card.text('wholeRow') : (names[group.column] ?? '');
        return [group, card.text('faultCells', group.cells, name, errorName(card.texts, group.code))];
      }),
      ...(corrected === 0 ? [] : [[CORRECTED, card.text('correctedHere', corrected)] as const]),
    ];
    const isChosen = (filter: Filter): boolean =>
      JSON.stringify(keyOf(filter)) === JSON.stringify(keyOf(this.#filter));
    const { activeElement } = this.#filters.getRootNode() as ShadowRoot;
    const hasFocus = this.#filters.contains(activeElement);
    this.#filters.replaceChildren(
      ...filters.map(([filter, text]) =>
        button(
          text,
          () => {
            this.#grid.end(true);
            this.#filter = filter;
            this.#list();
            this.#draw();
          },
          { 'aria-pressed': isChosen(filter) },
        ),
      ),
    );
    // The filter that was pressed was made again.
    if (hasFocus) this.#filters.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    const send =
      faults.wrongRows === 0 ? card.text('sendRows', fit) : card.text('leaveOutSend', faults.wrongRows, fit);
    this.#foot.replaceChildren(
      fit === 0
        ? h('p', {}, card.text('noRowLeft'))
        : card.action(send, () => this.#send(), { class: 'primary' }),
    );
    this.#download.textContent = card.text('downloadHere', faults.wrongRows);
    this.#download.hidden = faults.wrongRows === 0;
    this.#undo.hidden = !cells.edits.canUndo;
  }

  #send(): void {
    this.#grid.end(true);
    this.#leaveOut(this.#rows.faults.rowsWith(null));
    this.#done(true);
  }

  #leaveOut(rows: readonly number[]): void {
    if (rows.length === 0) return;
    this.#rows.cells.edits.leaveOut(rows);
    this.#status.textContent = this.#card.text('rowsLeftOut', rows.length);
    this.#acted();
  }

  #edit(column: number, row: number, text: string): void {
    const { cells } = this.#rows;
    const written = cells.columns[column];
    if (written === undefined) return;
    this.#last = { column, row, from: cells.edits.textOf(written, row), to: text };
    cells.edits.edit(written.target, row, text);
    this.#status.textContent = this.#card.text('cellsChanged', 1);
    this.#acted();
  }

  #replace(written: WrittenColumn, from: string, to: string): void {
    this.#grid.end(false);
    const changed = this.#rows.cells.edits.replace(written, from, to);
    this.#last = null;
    this.#status.textContent = this.#card.text('cellsChanged', changed);
    this.#acted();
    this.#grid.focus();
  }

  #takeBack(): void {
    this.#grid.end(false);
    this.#last = null;
    if (this.#rows.cells.edits.undo() === null) return;
    this.#status.textContent = this.#card.text('changeUndone');
    this.#acted();
    if (this.#undo.hidden) this.#grid.focus();
  }

  /** Shows the state after an act, which is the last one of the log. */
  #acted(): void {
    const { cells, faults, onAct } = this.#rows;
    const act = cells.edits.log.at(-1);
    if (act) faults.update(act);
    onAct();
    this.#draw();
    this.#grid.refresh();
  }

  /** Says what is wrong with a cell, and offers what can be done about it and about its equals. */
  #explain(column: number, row: number): void {
    const card = this.#card;
    const { cells, faults, names, lineOf, rulesOf } = this.#rows;
    const written = cells.columns[column];
    if (written === undefined) return;
    const place = around(card.text('cellPlace', lineOf(row), VALUE), h('bdi', {}, names[column] ?? ''));
    const codes = [faults.at(WHOLE_ROW, row), faults.at(column, row)].filter((code) => code !== null);
    const reason = codes.map((code) => `${errorName(card.texts, code)}. `).join('');
    this.#why.replaceChildren(h('b', {}, ...place), ' ', reason, ...rulesOf(column));
    this.#offers.replaceChildren(...this.#acts(written, column, row).filter((act) => act !== null));
  }

  #acts(written: WrittenColumn, column: number, row: number): readonly (HTMLElement | null)[] {
    const card = this.#card;
    const { cells, faults } = this.#rows;
    const text = cells.edits.textOf(written, row);
    const equal = (value: string): number =>
      written.cells.reduce((sum, _, at) => sum + (cells.edits.textOf(written, at) === value ? 1 : 0), 0);
    const last = this.#last?.column === column && this.#last.row === row ? this.#last : null;
    const others = last === null ? 0 : equal(last.from);
    const canBeEmpty =
      faults.at(column, row) !== null && text !== '' && cells.rules[column]?.required === false;
    return [
      last !== null && others > 0
        ? button(card.text('sameForOthers', others, last.to), () =>
            this.#replace(written, last.from, last.to),
          )
        : null,
      canBeEmpty ? button(card.text('makeEmpty', equal(text)), () => this.#replace(written, text, '')) : null,
      cells.edits.isLeftOut(row)
        ? null
        : button(card.text('leaveOutRow'), () => {
            this.#grid.end(false);
            this.#leaveOut([row]);
            this.#grid.focus();
          }),
    ];
  }
}

/** The part of a filter that is the same after its cells were counted again. */
function keyOf(filter: Filter): unknown {
  return filter === null || filter === CORRECTED ? filter : [filter.column, filter.code];
}
