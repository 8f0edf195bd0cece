// Counts the files with typed columns that end ready by choices that a person can make in the import widget.
import { readBenchOptions } from '../../../../infra/testing/benches/options.ts';
import { percentile, report, say } from '../../../../infra/testing/benches/report.ts';
import { FIELD_TYPES } from '../../../../schemas/imports/fields/registry.ts';
import { applyReadings, type ChosenColumn } from '../../../../schemas/imports/values/apply.ts';
import { ended } from '../../../../schemas/imports/values/ended.fixture.ts';
import { MADE_COLUMNS, type MadeColumn } from '../../../../schemas/imports/values/made-columns.fixture.ts';
import { readingsOf } from '../../../../schemas/imports/values/readings-of.ts';
import { readTable, writeTable } from '../../../../schemas/imports/values/table.ts';
import { type ColumnReadings, type Reading, SAME } from '../../../../schemas/imports/values/values.ts';

const HELP = `
npm run bench:values -- OPTIONS

Makes files of typed columns in the forms that people have, and brings each into the form of its schema, as a person does in the import
widget who knows what the values mean. It prints how many files end ready by choices for whole columns, how many once rows that stay out
are dropped, how many are asked about, and the presses for the choices. The run fails if less than 90 % end ready by choices, a file
arrives with a wrong value, or a value is taken in another sense without a question.

`;

/** The least share of files that end ready by choices. */
const READY_SHARE_MIN = 0.9;
/** The columns of a file. */
const COLUMNS = 3;
/** The presses of each file: it is chosen, checked and approved. */
const PRESSES = 3;
const HALF = 0.5;

interface Arrival {
  readonly isReady: boolean;
  readonly isAsked: boolean;
  readonly isWrong: boolean;
  readonly isSilent: boolean;
  readonly presses: number;
}

/** The values of a column as the service delivers them; undefined for a cell that is refused. */
function delivered(
  { field }: MadeColumn,
  { cells, faults }: { cells: readonly string[]; faults: ReadonlyMap<number, unknown> },
) {
  const read = FIELD_TYPES.reader({ key: 'f', ...field });
  return cells.map((cell, row) => {
    const value = faults.has(row) ? null : read(cell);
    return value?.kind === 'value' ? value.value : undefined;
  });
}

/** The cells of a column in a file of several, whose other columns can have more rows. */
function cellsOf({ values }: MadeColumn, rows: number): string[] {
  return Array.from({ length: rows }, (_, row) => values[row % values.length] ?? '');
}

function arrivalOf(made: MadeColumn, { values, arrive }: MadeColumn, cells: readonly string[]) {
  const { field, nothing } = made;
  const ask = (words: readonly string[]): ColumnReadings =>
    ended(readingsOf(cells, field, { nothing: words }));
  const write = (reading: Reading, words: readonly string[]) => {
    const column: ChosenColumn = { target: 'f', field, reading, nothing: words, cells };
    const [written] = ended(applyReadings([column]));
    if (written === undefined) throw new Error('a column that was not written');
    return written;
  };
  const wanted = cells.map((_, row) => arrive[row % values.length]);
  const before = ask([]);
  const silent = before.chosen === null ? [] : delivered(made, write(before.chosen, []));
  const found = ask(nothing);
  // The person takes the reading with the values that are meant.
  const texts = JSON.stringify(delivered(made, write(made.reading, nothing)));
  const offered = [SAME, ...found.readings.map(({ reading }) => reading)];
  const chosen =
    offered.find((each) => JSON.stringify(delivered(made, write(each, nothing))) === texts) ?? SAME;
  const isChosen = JSON.stringify(found.chosen) === JSON.stringify(chosen);
  const written = write(chosen, nothing);
  const isOther = (value: unknown, row: number): boolean => value !== undefined && value !== wanted[row];
  return {
    written,
    wanted,
    isAsked: before.chosen === null,
    isSilent: silent.some((value, row) => wanted[row] !== null && isOther(value, row)),
    presses: nothing.length + (isChosen ? 0 : 1),
  };
}

/** Brings a file of some columns into the form of its schema, and reads what would be sent. */
function importFile(columns: readonly MadeColumn[]): Arrival {
  const rows = Math.max(...columns.map(({ values }) => values.length));
  const cells = columns.map((column) => cellsOf(column, rows));
  const lines = Array.from({ length: rows }, (_, row) =>
    cells.map((all) => `"${(all[row] ?? '').replaceAll('"', '""')}"`).join(','),
  );
  const file = [columns.map((_, at) => `c${at}`).join(','), ...lines, ''].join('\n');
  const table = ended(readTable(new TextEncoder().encode(file)));
  if (table === null) throw new Error('a made file that is no table');
  const all = columns.map((column, at) => arrivalOf(column, column, table.columns[at] ?? []));
  const out = new Set(all.flatMap(({ written }) => [...written.faults.keys()]));
  const rewriting = new Map(all.map(({ written }, at) => [at, (row: number) => written.cells[row] ?? '']));
  const sent = ended(
    readTable(ended(writeTable(table, { columns: rewriting, leavesOut: (row) => out.has(row) }))),
  );
  const kept = Array.from({ length: rows }, (_, row) => row).filter((row) => !out.has(row));
  const isWrong = columns.some((column, at) => {
    const values = delivered(column, { cells: sent?.columns[at] ?? [], faults: new Map() });
    return kept.some((row, place) => values[place] !== all[at]?.wanted[row]);
  });
  return {
    isReady: out.size === 0,
    isAsked: all.some((each) => each.isAsked),
    isWrong,
    isSilent: all.some((each) => each.isSilent),
    presses: PRESSES + all.reduce((sum, { presses }) => sum + presses, 0) + (out.size > 0 ? 1 : 0),
  };
}

const { quick } = readBenchOptions(HELP, {});
const files = MADE_COLUMNS.map((_, at) =>
  Array.from({ length: COLUMNS }, (__, column) => MADE_COLUMNS[(at + column * column) % MADE_COLUMNS.length]),
).map((columns) => columns.filter((column) => column !== undefined));
const used = quick ? files.slice(0, COLUMNS) : files;
const arrivals = used.map((columns) => {
  const arrival = importFile(columns);
  const mark = arrival.isWrong
    ? 'Wrong'
    : arrival.isSilent
      ? 'Silent'
      : arrival.isReady
        ? 'Ready'
        : 'Dropped';
  say(
    `${mark.padEnd(8)} ${columns
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 120)}`,
  );
  return arrival;
});
const counted = (is: (arrival: Arrival) => boolean): number => arrivals.filter(is).length;
const ours = {
  files: arrivals.length,
  readyByChoice: counted(({ isReady, isWrong }) => isReady && !isWrong),
  readyWithRowsDropped: counted(({ isReady, isWrong }) => !isReady && !isWrong),
  asked: counted(({ isAsked }) => isAsked),
  wrong: counted(({ isWrong }) => isWrong),
  silent: counted(({ isSilent }) => isSilent),
  pressesInTheMedian: percentile(
    arrivals.map(({ presses }) => presses),
    HALF,
  ),
};
report({ bench: 'values', ours, ratios: {} });
const isRight = ours.readyByChoice >= READY_SHARE_MIN * ours.files && ours.wrong === 0 && ours.silent === 0;
if (!isRight && !quick) process.exitCode = 1;
