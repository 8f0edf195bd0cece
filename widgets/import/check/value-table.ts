import { inSlices } from '../../../schemas/imports/fix/slices.ts';
import type { ChosenColumn, WrittenColumn } from '../../../schemas/imports/values/apply.ts';
import type { Edits } from '../../../schemas/imports/values/edits.ts';
import { type Table, writeTable } from '../../../schemas/imports/values/table.ts';
import { SAME } from '../../../schemas/imports/values/values.ts';
import type { Field, Source } from '../api.ts';
import type { Card } from '../card.ts';
import type { WrittenColumns } from '../columns-step.ts';
import type { Mapping } from '../mapping.ts';
import type { FileToSend } from '../sending.ts';
import type { ValuesPart } from '../values-part.ts';
import { ruleOf } from './reading-texts.ts';
import { type ColumnWriting, WritingChoice } from './written-columns.ts';

/** Rows that show what a file has. */
const SAMPLE_ROWS = 10;

interface TableParts {
  readonly file: FileToSend;
  readonly fields: readonly Field[];
  readonly engine: ValuesPart;
  readonly signal: AbortSignal;
}

/** A file whose values a person brings into the form of the schema, before anything is sent. */
export class ValueTable {
  readonly source: Source;
  readonly rows: number;
  readonly #table: Table;
  readonly #file: FileToSend;
  readonly #fields: readonly Field[];
  readonly #engine: ValuesPart;
  readonly #signal: AbortSignal;
  /** By the place of the column. */
  readonly #writings = new Map<number, ColumnWriting>();
  #edits: Edits;

  constructor(table: Table, { file, fields, engine, signal }: TableParts) {
    this.#table = table;
    this.#file = file;
    this.#fields = fields;
    this.#engine = engine;
    this.#signal = signal;
    this.#edits = engine.editsOf();
    this.rows = table.ends.length;
    const sample = Array.from({ length: Math.min(SAMPLE_ROWS, this.rows) }, (_, row) =>
      table.columns.map((column) => column[row] ?? ''),
    );
    this.source = { headers: table.names, sample };
  }

  /** The part of the Columns step about values. */
  written(card: Card): WrittenColumns {
    const { headers } = this.source;
    return new WritingChoice(
      card,
      { headers, fields: this.#fields },
      this.#writings,
      (index, rule, nothing) =>
        this.#engine.readColumn(this.#table.columns[index] ?? [], rule, { nothing }, this.#signal),
    );
  }

  /** Writes the file with all that was chosen. */
  async write(mapping: Mapping): Promise<FileToSend> {
    const places = [...this.#writings.keys()];
    const asked = [...this.#writings].map(
      ([index, { field, reading, nothing }]): ChosenColumn => ({
        target: field.key,
        field: ruleOf(field),
        reading: reading ?? SAME,
        nothing,
        cells: this.#table.columns[index] ?? [],
      }),
    );
    const written = await this.#engine.writeColumns(asked, this.#signal);
    const changes = await this.#engine.countChanges(asked, written, this.#edits, this.#signal);
    const textOf = (column: WrittenColumn) => (row: number) => this.#edits.textOf(column, row);
    const columns = new Map(written.map((column, at) => [places[at] ?? -1, textOf(column)]));
    const leavesOut = (row: number): boolean => this.#edits.isLeftOut(row);
    const bytes = await inSlices(writeTable(this.#table, { columns, leavesOut }), this.#signal);
    const { name, changes: before } = this.#file;
    const chosen = { headers: this.#table.names, mapping };
    return { name, bytes: bytes.buffer, changes: [...before, ...changes], chosen };
  }
}
