import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReadings, type ChosenColumn } from '../../../schemas/imports/values/apply.ts';
import { Edits } from '../../../schemas/imports/values/edits.ts';
import { ended } from '../../../schemas/imports/values/ended.fixture.ts';
import { type CheckedCells, Faults, WHOLE_ROW } from './faults.ts';

const ROWS = 8;

const cell = fc.constantFrom('1', '2.50', 'x', '', '9.999');
const cellsOf = fc.array(cell, { minLength: ROWS, maxLength: ROWS });

/** Two columns as they are in a file, the first one required. */
function checked([one, other]: readonly string[][], uneven: readonly number[]): CheckedCells {
  const columns = [one, other].map(
    (cells = [], at): ChosenColumn => ({
      target: `f${at}`,
      field: { type: 'decimal', required: at === 0, scale: 2 },
      reading: { kind: 'same' },
      cells,
    }),
  );
  return {
    rows: ROWS,
    columns: ended(applyReadings(columns)),
    rules: columns.map(({ field }) => field),
    edits: new Edits(),
    uneven: new Map(uneven.map((row) => [row, 3])),
    refused: new Map([[1, new Map([[2, { text: '1', code: 'out_of_range' }]])]]),
  };
}

/** Acts in turn: an edit, a replacement, a row that is left out, or an undo. */
function act({ edits, columns }: CheckedCells, kind: number, row: number, text: string): boolean {
  const column = columns[row % 2];
  const before = edits.log.length;
  if (column === undefined) return false;
  if (kind === 0) edits.edit(column.target, row, text);
  else if (kind === 1) edits.replace(column, 'x', text);
  else if (kind === 2) edits.leaveOut([row, (row + 3) % ROWS]);
  else edits.undo();
  return edits.log.length > before;
}

function countsOf(faults: Faults) {
  const groups = faults.groups.map(({ column, code, cells }) => `${column} ${code} ${cells}`).sort();
  return { wrongRows: faults.wrongRows, groups, rows: faults.rowsWith(null) };
}

describe('Faults', () => {
  it('counts after each act as a new look at all cells does', () => {
    const acts = fc.array(fc.tuple(fc.nat(3), fc.nat(ROWS - 1), cell), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(cellsOf, { minLength: 2, maxLength: 2 }),
        fc.array(fc.nat(ROWS - 1)),
        acts,
        (cells, uneven, all) => {
          const file = checked(cells, uneven);
          const faults = ended(Faults.of(file));
          for (const [kind, row, text] of all) {
            const latest = act(file, kind, row, text) ? file.edits.log.at(-1) : undefined;
            if (latest) faults.update(latest);
            expect(countsOf(faults)).toEqual(countsOf(ended(Faults.of(file))));
          }
        },
      ),
    );
  });

  it('lists the rows of a group, and those that a person has corrected', () => {
    const file = checked([['1', 'x', '', '1', '1', '1', '1', '1'], Array<string>(ROWS).fill('1')], [4]);
    const faults = ended(Faults.of(file));
    expect(faults.groups.map(({ column, code }) => [column, code])).toEqual([
      [WHOLE_ROW, 'column_count'],
      [0, 'not_decimal'],
      [0, 'required'],
      [1, 'out_of_range'],
    ]);
    expect(faults.rowsWith({ column: 0, code: 'required' })).toEqual([2]);
    expect(faults.rowsWith(null)).toEqual([1, 2, 4]);
    file.edits.edit('f1', 2, '3');
    const [edit] = file.edits.log;
    if (edit) faults.update(edit);
    expect(faults.at(1, 2)).toBeNull();
    expect(faults.correctedRows()).toEqual([2]);
  });
});
