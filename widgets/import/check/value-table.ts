import { inSlices } from '../../../schemas/imports/fix/slices.ts';
import { rejectedRowsCsv, rejectedRowsHeader } from '../../../schemas/imports/rejected-rows.ts';
import type { ChosenColumn, WrittenColumn } from '../../../schemas/imports/values/apply.ts';
import type { Edit, Edits } from '../../../schemas/imports/values/edits.ts';
import { type Table, writeTable } from '../../../schemas/imports/values/table.ts';
import { SAME } from '../../../schemas/imports/values/values.ts';
import { h } from '../../shared/dom.ts';
import type { Field, RowError, Source } from '../api.ts';
import type { Card } from '../card.ts';
import type { ColumnsPart } from '../columns/part.ts';
import type { WrittenColumns } from '../columns-step.ts';
import { type Mapping, nameOf } from '../mapping.ts';
import { errorName } from '../reasons.ts';
import { saveFile } from '../save-file.ts';
import type { FileToSend } from '../sending.ts';
import type { ValuesPart } from '../values-part.ts';
import { checkRows } from './check-rows.ts';
import { type CheckedCells, Faults, type RefusedCell, WHOLE_ROW } from './faults.ts';
import type { KeptFile } from './kept-file.ts';
import { ruleOf } from './reading-texts.ts';
import { type ColumnWriting, WritingChoice } from './written-columns.ts';

/** Rows that show what a file has. */
const SAMPLE_ROWS = 10;

/** The rows of a file with their lines in the file of the person. */
export interface RowLines {
  readonly length: number;
  readonly at: (row: number) => { readonly line: number } | undefined;
}

/** The choices and corrections of a person, as they are kept. */
interface TableState {
  readonly mapping: Mapping;
  readonly writings: readonly (readonly [column: number, writing: Omit<ColumnWriting, 'found'>])[];
  readonly log: readonly Edit[];
  readonly isReviewed: boolean;
}

export interface TableParts {
  readonly card: Card;
  /** The file as it would be sent. */
  readonly file: FileToSend;
  readonly lines: RowLines;
  readonly fields: readonly Field[];
  readonly engine: ValuesPart;
  /** The part that describes fields, if it is there. */
  readonly columns: ColumnsPart | null;
  readonly signal: AbortSignal;
}

/** A file whose values a person brings into the form of the schema, before anything is sent. */
export class ValueTable {
  readonly source: Source;
  readonly rows: number;
  readonly #card: Card;
  readonly #table: Table;
  readonly #file: FileToSend;
  readonly #fields: readonly Field[];
  readonly #engine: ValuesPart;
  readonly #part: ColumnsPart | null;
  readonly #signal: AbortSignal;
  /** By the place of the column. */
  readonly #writings = new Map<number, ColumnWriting>();
  #edits: Edits;
  readonly #lines: RowLines;
  #keeping: KeptFile | null = null;
  #mapping: Mapping = [];
  #refused: readonly RowError[] = [];
  /** The rows that the service has seen. */
  #sentRows: readonly number[] = [];
  /** True once the person was asked about rows: what was corrected is shown again. */
  #isReviewed = false;

  constructor(table: Table, { card, file, lines, fields, engine, columns, signal }: TableParts) {
    this.#card = card;
    this.#part = columns;
    this.#table = table;
    this.#file = file;
    this.#fields = fields;
    this.#engine = engine;
    this.#lines = lines;
    this.#signal = signal;
    this.#edits = engine.editsOf();
    this.rows = table.ends.length;
    const sample = Array.from({ length: Math.min(SAMPLE_ROWS, this.rows) }, (_, row) =>
      table.columns.map((column) => column[row] ?? ''),
    );
    this.source = { headers: table.names, sample };
  }

  /** The file as it would be sent without a choice. */
  get bytes(): ArrayBuffer {
    return this.#file.bytes;
  }

  /** The target of each column as it was chosen last. */
  get mapping(): Mapping {
    return this.#mapping;
  }

  /** Keeps each choice and correction from now on. */
  keepIn(kept: KeptFile): void {
    this.#keeping = kept;
    this.#keep();
  }

  /** Removes what is kept. */
  forget(): void {
    this.#keeping?.remove().catch(() => undefined);
    this.#keeping = null;
  }

  /** Takes choices and corrections that were kept. Columns are read again once they are shown. */
  restore(state: string): void {
    const { mapping, writings, log, isReviewed }: TableState = JSON.parse(state);
    this.#mapping = mapping;
    for (const [column, writing] of writings) this.#writings.set(column, { ...writing, found: null });
    this.#edits = this.#engine.editsOf(log);
    this.#isReviewed = isReviewed;
  }

  #keep(): void {
    const writings = [...this.#writings].map(
      ([column, { field, reading, nothing }]) => [column, { field, reading, nothing }] as const,
    );
    const state: TableState = {
      mapping: this.#mapping,
      writings,
      log: this.#edits.log,
      isReviewed: this.#isReviewed,
    };
    this.#keeping?.keep(JSON.stringify(state));
  }

  /** The part of the Columns step about values. */
  written(): WrittenColumns {
    const card = this.#card;
    const { headers } = this.source;
    const choice = new WritingChoice(
      card,
      { headers, fields: this.#fields },
      this.#writings,
      (index, rule, nothing) =>
        this.#engine.readColumn(this.#table.columns[index] ?? [], rule, { nothing }, this.#signal),
    );
    return {
      heads: choice.heads,
      cells: (index) => choice.cells(index),
      lacks: () => choice.lacks(),
      follow: (mapping, changed) => {
        this.#mapping = mapping;
        choice.follow(mapping, () => {
          this.#keep();
          changed();
        });
        this.#keep();
      },
    };
  }

  /**
   * Checks the rows as they are to be sent, and has the person correct those that break a rule. Resolves with null if the person goes
   * back to the columns.
   */
  async check(mapping: Mapping): Promise<FileToSend | null> {
    const card = this.#card;
    card.show('stepCheck', h('p', { 'aria-busy': 'true' }, card.text('checkingHere')));
    const asked = this.#asked();
    const fields = asked.map(({ target }) => this.#fields.find(({ key }) => key === target) as Field);
    const written = await this.#engine.writeColumns(asked, this.#signal);
    const cells: CheckedCells = {
      rows: this.rows,
      columns: written,
      rules: asked.map(({ field }) => field),
      edits: this.#edits,
      uneven: this.#table.uneven,
      refused: this.#refusedOf(written),
    };
    const faults = await inSlices(Faults.of(cells), this.#signal);
    if (faults.wrongRows > 0 || this.#isReviewed) {
      const texts = this.#part?.fieldTexts(card, this.#fields);
      this.#isReviewed = true;
      this.#keep();
      const isSent = await checkRows(card, {
        cells,
        faults,
        names: fields.map(nameOf),
        lineOf: (row) => this.#lineOf(row),
        rulesOf: (at) => (texts?.get(fields[at]?.key ?? '') ?? []).map((node) => node.cloneNode(true)),
        onAct: () => this.#keep(),
        onDownload: (rows) => this.#download(cells, faults, fields, rows),
      });
      if (!isSent) return null;
    }
    return await this.#write(mapping, asked, written);
  }

  /** Notes what the service has refused of the file that was sent last, so that the next check lists it. */
  refuse(errors: readonly RowError[]): void {
    this.#refused = errors;
    this.#sentRows = Array.from({ length: this.rows }, (_, row) => row).filter(
      (row) => !this.#edits.isLeftOut(row),
    );
  }

  /** The columns with what was chosen for them. */
  #asked(): ChosenColumn[] {
    return [...this.#writings].map(([index, { field, reading, nothing }]) => ({
      target: field.key,
      field: ruleOf(field),
      reading: reading ?? SAME,
      nothing,
      cells: this.#table.columns[index] ?? [],
    }));
  }

  /** The line of a row in the file of the person, or in the file as it would be sent. */
  #lineOf(row: number): number {
    return this.#lines.at(row)?.line ?? row + 2;
  }

  /** The refused cells by column and row: the service counts the rows that were sent. */
  #refusedOf(written: readonly WrittenColumn[]): CheckedCells['refused'] {
    const refused = new Map<number, Map<number, RefusedCell>>();
    for (const { row, column, code } of this.#refused) {
      const at = written.findIndex(({ target }) => target === column);
      const place = this.#sentRows[row - 1];
      if (place === undefined) continue;
      const cells = refused.get(at) ?? new Map<number, RefusedCell>();
      const cell = written[at];
      cells.set(place, { text: cell ? this.#edits.textOf(cell, place) : '', code });
      refused.set(at, cells);
    }
    return refused;
  }

  #download(
    { columns, edits }: CheckedCells,
    faults: Faults,
    fields: readonly Field[],
    rows: readonly number[],
  ): void {
    const places = [...this.#writings.keys()];
    const rejected = rows.map((row) => ({
      row: row + 1,
      line: this.#lineOf(row),
      source: this.#table.names.map((_, at) => {
        const column = columns[places.indexOf(at)];
        const isOwn = column === undefined || edits.correctionOf(column.target, row) === null;
        return isOwn ? (this.#table.columns[at]?.[row] ?? '') : edits.textOf(column, row);
      }),
      errors: [WHOLE_ROW, ...columns.keys()].flatMap((at) => {
        const code = faults.at(at, row);
        return code === null
          ? []
          : [{ column: fields[at]?.key ?? null, message: errorName(this.#card.texts, code) }];
      }),
      moreErrors: 0,
    }));
    saveFile([rejectedRowsHeader(this.#table.names), rejectedRowsCsv(rejected)], `rows-to-correct.csv`);
  }

  /** Writes the file with all that was chosen. */
  async #write(
    mapping: Mapping,
    asked: readonly ChosenColumn[],
    written: readonly WrittenColumn[],
  ): Promise<FileToSend> {
    const edits = this.#edits;
    const changes = await this.#engine.countChanges(asked, written, edits, this.#signal);
    const places = [...this.#writings.keys()];
    const textOf = (column: WrittenColumn) => (row: number) => edits.textOf(column, row);
    const columns = new Map(written.map((column, at) => [places[at] ?? -1, textOf(column)]));
    const leavesOut = (row: number): boolean => edits.isLeftOut(row);
    const bytes = await inSlices(writeTable(this.#table, { columns, leavesOut }), this.#signal);
    const { name, changes: before } = this.#file;
    const chosen = { headers: this.#table.names, mapping };
    return { name, bytes: bytes.buffer, changes: [...before, ...changes], chosen };
  }
}
