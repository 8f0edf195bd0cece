import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReadings, type ChosenColumn, type WrittenColumn } from './apply.ts';
import { CHANGES_MAX, changesOf } from './changes.ts';
import { type Edit, Edits } from './edits.ts';
import { ended } from './ended.fixture.ts';
import { SAME } from './values.ts';

const AMOUNT: ChosenColumn = {
  target: 'amount',
  field: { type: 'decimal', required: false, precision: 6, scale: 2 },
  cells: ['1,50', 'k.A.', 'Euro', 'Euro', '2.00', ''],
  reading: { kind: 'number', decimal: ',' },
  nothing: ['k.A.'],
};
const NAME: ChosenColumn = {
  target: 'name',
  field: { type: 'text', required: true },
  cells: ['a', 'b', 'a', '', 'ab', 'a'],
  reading: SAME,
};

function written(...columns: ChosenColumn[]): WrittenColumn[] {
  return ended(applyReadings(columns));
}

const [amount, name] = written(AMOUNT, NAME) as [WrittenColumn, WrittenColumn];

/** The cells of a column as they will be sent, without the rows that are left out. */
function sent(edits: Edits, column: WrittenColumn): string[] {
  return column.cells.flatMap((_, row) => (edits.isLeftOut(row) ? [] : [edits.textOf(column, row)]));
}

/** All that a log decides. */
function stateOf(edits: Edits) {
  return { amounts: sent(edits, amount), names: sent(edits, name), leftOut: [...edits.leftOut].sort() };
}

type Act = (edits: Edits) => void;

const text = fc.constantFrom('a', 'b', 'ab', '', '2.00', 'Euro', '$&');
const row = fc.nat(5);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(row, text).map(
    ([at, to]): Act =>
      (edits) =>
        edits.edit('amount', at, to),
  ),
  fc.tuple(text, text, fc.boolean()).map(([from, to, isPart]): Act => {
    return (edits) => void edits.replace(name, from, to, isPart);
  }),
  fc.array(row, { maxLength: 3 }).map(
    (rows): Act =>
      (edits) =>
        edits.leaveOut(rows),
  ),
);

describe('Edits', () => {
  it('corrects a cell by the rules of its field', () => {
    const edits = new Edits();
    expect(edits.faultOf(amount, AMOUNT.field, 2)).toBe('not_decimal');
    edits.edit('amount', 2, '3.00');
    expect([edits.textOf(amount, 2), edits.faultOf(amount, AMOUNT.field, 2)]).toEqual(['3.00', null]);
    edits.edit('amount', 2, '3.001');
    expect(edits.faultOf(amount, AMOUNT.field, 2)).toBe('out_of_range');
  });

  it('accepts a cell that the reading of its column leaves, once a person writes it', () => {
    const edits = new Edits();
    expect(edits.faultOf(amount, AMOUNT.field, 4)).toBe('unread');
    edits.edit('amount', 4, '2.00');
    expect(edits.faultOf(amount, AMOUNT.field, 4)).toBeNull();
  });

  it('replaces equal cells together, or a part of cells', () => {
    const edits = new Edits();
    expect(edits.replace(name, 'a', '$&')).toBe(3);
    expect(sent(edits, name)).toEqual(['$&', 'b', '$&', '', 'ab', '$&']);
    expect(edits.replace(name, 'b', 'x', true)).toBe(2);
    expect(sent(edits, name)).toEqual(['$&', 'x', '$&', '', 'ax', '$&']);
    expect(edits.replace(name, 'absent', 'x')).toBe(0);
    expect(edits.log).toHaveLength(2);
  });

  it('undoes act by act, to the columns as they were written', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 8 }), (acts) => {
        const edits = new Edits();
        const states = acts.map((each) => {
          const before = { state: stateOf(edits), length: edits.log.length };
          each(edits);
          return { ...before, isLogged: edits.log.length > before.length };
        });
        for (const { state } of states.filter(({ isLogged }) => isLogged).reverse()) {
          expect(edits.canUndo).toBe(true);
          edits.undo();
          expect(stateOf(edits)).toEqual(state);
        }
        expect([edits.canUndo, edits.undo()]).toEqual([false, null]);
      }),
    );
  });

  it('adds to its log only, and makes it again from JSON, with acts that are still to be undone', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: act },
      fc.constant<Act>((edits) => void edits.undo()),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const edits = new Edits();
        let log: readonly Edit[] = [];
        for (const each of steps) {
          each(edits);
          expect(edits.log.slice(0, log.length)).toEqual(log);
          log = [...edits.log];
        }
        const again = new Edits(JSON.parse(JSON.stringify(edits.log)) as Edit[]);
        expect(stateOf(again)).toEqual(stateOf(edits));
        again.undo();
        edits.undo();
        expect(stateOf(again)).toEqual(stateOf(edits));
      }),
    );
  });
});

describe('changesOf', () => {
  it('counts cells by what changed them, and rows, without a value', () => {
    const edits = new Edits();
    edits.replace(amount, 'Euro', '1.00');
    edits.edit('name', 1, 'c');
    edits.edit('name', 3, 'd');
    edits.edit('name', 0, 'a');
    edits.leaveOut([3, 4]);
    expect(ended(changesOf([AMOUNT, NAME], [amount, name], edits))).toEqual([
      { kind: 'numbers', column: 'amount', cells: 1 },
      { kind: 'nothing', column: 'amount', cells: 1 },
      { kind: 'replaced', column: 'amount', cells: 1 },
      { kind: 'edited', column: 'name', cells: 1 },
      { kind: 'rows', rows: 2 },
    ]);
    while (edits.undo() !== null) expect(edits.log.length).toBeLessThan(20);
    expect(ended(changesOf([NAME], [name], edits))).toEqual([]);
  });

  it('names at most 200 changes, and counts small kinds over all columns beyond', () => {
    const columns = Array.from({ length: 100 }, (_, at) => ({ ...AMOUNT, target: `amount${at}` }));
    const edits = new Edits();
    const all = written(...columns);
    for (const column of all) edits.edit(column.target, 2, '1.00');
    for (const column of all) edits.replace(column, 'Euro', '3.00');
    const changes = ended(changesOf(columns, all, edits));
    expect(changes).toHaveLength(103);
    expect(changes.length).toBeLessThanOrEqual(CHANGES_MAX);
    expect(changes.slice(100)).toEqual([
      { kind: 'edited', cells: 100 },
      { kind: 'replaced', cells: 100 },
      { kind: 'nothing', cells: 100 },
    ]);
  });
});
