import { describe, expect, it } from 'vitest';
import { COLUMNS_MAX } from '../../csv/limits.ts';
import { changedText } from '../changed-texts.ts';
import { changesSchema } from '../changes.ts';
import { changesMade } from './changes-made.ts';
import { examine } from './examine.ts';
import { type Choices, NO_CHOICES } from './findings.ts';

const ROWS_MAX = 6;

function changes(file: string, choices: Choices = NO_CHOICES) {
  const work = examine(Buffer.from(file), choices, { rows: ROWS_MAX, columns: COLUMNS_MAX });
  for (;;) {
    const step = work.next();
    if (step.done !== true) continue;
    if (step.value === null) throw new Error('examining a file that is no text');
    const made = changesMade(step.value, choices);
    expect(changesSchema.parse(made)).toEqual(made);
    return made;
  }
}

const withAll = (...kinds: Parameters<Choices['agreed']['get']>[0][]): Choices => ({
  agreed: new Map(kinds.map((kind) => [kind, true])),
});

describe('changesMade', () => {
  it('names nothing of a file that is sent as it is', () => {
    expect(changes('id,name\n1,Ada\n2,Bob\n')).toEqual([]);
    expect(changes('id,name\n1\n2,Bob\n3,Eve\n')).toEqual([]);
  });

  it('names kinds, with a count where it is one of cells, rows or lines', () => {
    expect(changes('id; name\n1;Ada\n;\n2;Bob\n', withAll('spaces', 'emptyRows'))).toEqual([
      { kind: 'separator' },
      { kind: 'spaces', cells: 1 },
      { kind: 'emptyRows', rows: 1 },
    ]);
  });

  it('counts the lines that the person leaves out, one by one', () => {
    const file = 'id,name,n\n1,Ada,2\n2,Bob,2\n3,Eve,5\nTotal,,9\nAs of today,,\n';
    const leftOut = new Map([
      [5, true],
      [6, false],
    ]);
    expect(changes(file, { ...NO_CHOICES, leftOut })).toContainEqual({ kind: 'notes', lines: 1 });
    expect(changes(file, withAll('notes'))).toContainEqual({ kind: 'notes', lines: 2 });
  });

  it('counts the rows that do not fit into the import', () => {
    const file = `id,name\n${'1,Ada\n'.repeat(8)}`;
    expect(changes(file, { ...withAll('rows'), part: 1 })).toEqual([{ kind: 'rows', rows: 2 }]);
    expect(changes(file, { ...withAll('rows'), part: 2 })).toEqual([{ kind: 'rows', rows: 6 }]);
  });
});

describe('changedText', () => {
  it('says what was changed, where, and how often', () => {
    expect(changedText({ kind: 'separator' })).toBe('Commas were written between fields');
    expect(changedText({ kind: 'edited', column: 'code', cells: 1 })).toBe(
      'Cells were corrected by hand (code, 1 cell)',
    );
    expect(changedText({ kind: 'rows', rows: 0, lines: 2 })).toBe('Rows were removed (0 rows, 2 lines)');
  });

  it('shows a kind that only a newer service knows by its name', () => {
    expect(changedText({ kind: 'translated', rows: 2 })).toBe('translated (2 rows)');
  });
});
