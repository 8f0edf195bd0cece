import { describe, expect, it } from 'vitest';
import { rejectedRowsCsv, rejectedRowsHeader } from '../rejected-rows.ts';
import { examine } from './examine.ts';
import { examined, examinedWith, kindsOf, LIMITS, readByService } from './fixed.fixture.ts';

const ROWS = [
  ['id', 'name', 'amount'],
  ['1', 'Ada', '2.50'],
  ['2', 'Bob', '3'],
];
const CSV = 'id,name,amount\n1,Ada,2.50\n2,Bob,3\n';

/** Leaves out single lines or columns. */
function leaving(...places: number[]): ReadonlyMap<number, boolean> {
  return new Map(places.map((place) => [place, true]));
}

/** The needed and offered changes, and the rows of the corrected file as the service reads them. */
function fixed(file: string | Uint8Array) {
  const examination = examined(file);
  const { corrected } = examination;
  return { kinds: kindsOf(examination), rows: corrected === null ? null : readByService(corrected) };
}

describe('examine', () => {
  it('takes away what the file of rejected rows has added to its cells', () => {
    const header = ['name', '=note'];
    const source = ['+49 30 1', "'=kept"];
    const row = { row: 1, line: 2, source, errors: [{ column: 'name', message: '-' }], moreErrors: 0 };
    const file = rejectedRowsHeader(header) + rejectedRowsCsv([row]);
    const ownNames = ['svc_row', 'svc_line', 'svc_errors'];
    expect(fixed(file)).toEqual({
      kinds: ['apostrophes'],
      rows: [
        [...ownNames, ...header],
        ['1', '2', 'name: -', ...source],
      ],
    });
    expect(examined(file, { apostrophes: false }).corrected).toBeNull();
  });

  describe('a file without a header', () => {
    it('keeps the first row, and numbers the columns', () => {
      expect(fixed('4.1,A\n4.2,B\n4.3,C\n')).toEqual({
        kinds: ['noHeader'],
        rows: [
          ['Column 1', 'Column 2'],
          ['4.1', 'A'],
          ['4.2', 'B'],
          ['4.3', 'C'],
        ],
      });
    });

    it('takes the first row for the header if the person declines', () => {
      expect(examined('4.1,A\n4.2,B\n', { noHeader: false })).toMatchObject({
        corrected: null,
        refusal: null,
      });
    });

    it('is what the person says', () => {
      const { corrected } = examined('a,b\nc,d\n', {}, { header: { line: 1, lines: 0 } });
      expect(readByService(corrected ?? Buffer.of())).toEqual([
        ['Column 1', 'Column 2'],
        ['a', 'b'],
        ['c', 'd'],
      ]);
    });
  });

  describe('rows of another form', () => {
    const corrected = (...[file, decided, choices]: Parameters<typeof examined>) => {
      const { corrected: bytes } = examined(file, decided, choices);
      return bytes === null ? null : readByService(bytes);
    };

    it('leaves out empty fields behind the last column', () => {
      expect(fixed(`${CSV.slice(0, -1)},"\n"\n`)).toEqual({ kinds: ['extras'], rows: ROWS });
    });

    it('leaves out rows without a value', () => {
      expect(fixed(`${CSV},,\n"",,\n`)).toEqual({ kinds: ['emptyRows'], rows: ROWS });
    });

    it('fills no header', () => {
      expect(corrected('a,b\n1,2,x\n3,4,y\n5,6\n', { gaps: false, fill: true })).toEqual([
        ['a', 'b'],
        ['1', '2', 'x'],
        ['3', '4', 'y'],
        ['5', '6', ''],
      ]);
    });

    it('refuses a header that has all rows', () => {
      expect(examined(CSV, {}, { header: { line: 1, lines: 20 } })).toMatchObject({
        corrected: null,
        refusal: { code: 'no_rows', canBeRemoved: true },
      });
    });

    it('fills short rows only if the person agrees', () => {
      const file = `${CSV}3,Cy\n`;
      expect(examined(file)).toMatchObject({ corrected: null, refusal: null });
      expect(examined(file).findings.map(({ kind, isAgreed }) => [kind, isAgreed])).toEqual([
        ['notes', false],
        ['fill', false],
      ]);
      expect(corrected(file, { fill: true })).toEqual([...ROWS, ['3', 'Cy', '']]);
      expect(corrected(`${CSV.replaceAll(',', ';')}3;Cy\n`, { fill: true })).toEqual([
        ...ROWS,
        ['3', 'Cy', ''],
      ]);
    });

    it('lists lines that may be notes, repeated headers or titles, and leaves out those that the person ticks', () => {
      const file = `${CSV}South,,\n${ROWS[0]}\n3,Cy,4\n4,Di,5\n5,Ed,6\n6,Flo,7\nSource: us\n`;
      const [notes] = examined(file).findings;
      expect(notes).toMatchObject({ kind: 'notes', count: 3, isNeeded: true, isAgreed: false });
      expect(notes?.parts.map(({ at, text }) => [at, text])).toEqual([
        [4, 'South,,'],
        [5, 'id,name,amount'],
        [10, 'Source: us'],
      ]);
      expect(corrected(file, {}, { leftOut: leaving(5, 10) })?.slice(3)).toEqual([
        ['South', '', ''],
        ['3', 'Cy', '4'],
        ['4', 'Di', '5'],
        ['5', 'Ed', '6'],
        ['6', 'Flo', '7'],
      ]);
      expect(corrected(file, { notes: true })).toHaveLength(7);
    });

    it('leaves out any line that the person names', () => {
      expect(corrected(CSV, {}, { leftOut: leaving(2) })).toEqual([ROWS[0], ROWS[2]]);
      // A cell of several lines stands on each of them.
      const file = 'id,name\n1,"A\nB"\n\n2,C\n3,D';
      expect(corrected(file, {}, { leftOut: leaving(3, 4, 6, 9) })).toEqual([
        ['id', 'name'],
        ['2', 'C'],
      ]);
    });

    it('leaves out all lines but those that the person keeps, however many are listed', () => {
      const file = `id,name,amount\n${'1,Ada,0\n1,Bob,0\nid,name,amount\n'.repeat(149)}`;
      const kept = examined(file, { notes: true }, { leftOut: new Map([[4, false]]) });
      expect(kept.rows.length).toBe(2 * 149 + 1);
      const [notes] = kept.findings;
      expect(notes).toMatchObject({ count: 149, isAgreed: false });
      expect(notes?.parts).toHaveLength(100);
      expect(notes?.parts.filter(({ isAgreed }) => !isAgreed)).toMatchObject([{ at: 4 }]);
      const few = examined(file, { notes: false }, { leftOut: leaving(448) });
      expect(few.rows.length).toBe(3 * 149 - 1);
      expect(corrected(file, { notes: false }, { leftOut: leaving(448) })).toHaveLength(3 * 149);
    });

    it('recognises the separator of a header with one name less in quotes', () => {
      const { kinds, rows } = fixed('"x";"y"\n"a";1;2\n"b";3;4\n');
      expect(kinds).toEqual(['separator', 'shifted', 'gaps']);
      expect(rows?.[1]).toEqual(['a', '1', '2']);
    });

    it('names columns that the header does not have', () => {
      expect(fixed('a,b\n1,2,x\n3,4,y\n')).toEqual({
        kinds: ['shifted', 'gaps'],
        rows: [
          ['a', 'b', 'Column 3'],
          ['1', '2', 'x'],
          ['3', '4', 'y'],
        ],
      });
      expect(corrected('a,b\n1,2,x\n3,4,y\n', { shifted: true })?.[0]).toEqual(['Column 1', 'a', 'b']);
    });
  });

  describe('quotes by other rules', () => {
    it('reads single quotes that keep a separator, and asks about the others', () => {
      expect(fixed("id,name\n1,'Lovelace, Ada'\n2,'O''Hara'\n3,Cy\n")).toEqual({
        kinds: ['singleQuotes'],
        rows: [
          ['id', 'name'],
          ['1', 'Lovelace, Ada'],
          ['2', "O'Hara"],
          ['3', 'Cy'],
        ],
      });
      const plain = examinedWith("id,name\n1,'Ada'\n2,'Bob'\n");
      expect(plain.findings).toMatchObject([{ kind: 'singleQuotes', isOpen: true }]);
      expect(plain.corrected).toBeNull();
    });

    it('shows a file as it is before the change', () => {
      const { preview } = examined("id,name\n1,'Lovelace, Ada'\n2,'Bob'\n");
      expect(preview.map(({ before }) => before)).toEqual(['id,name', "1,'Lovelace, Ada'", "2,'Bob'"]);
    });

    it('takes no other apostrophes for quotes', () => {
      expect(fixed("id,sum\n1,1'234.50\n2,'01067\n3,rock 'n' roll\n").kinds).toEqual([]);
    });

    it('takes quotes around whole rows away', () => {
      const file = CSV.replace('Ada', '""Ada, B""').replace(/^.+$/gm, '"$&"');
      expect(fixed(file)).toEqual({
        kinds: ['wrapped'],
        rows: [ROWS[0], ['1', 'Ada, B', '2.50'], ROWS[2]],
      });
      expect(fixed('"comment"\n"one, two, three"\n"four, five, six"\n').kinds).toEqual([]);
    });

    it('writes texts in the form of formulas as texts', () => {
      expect(fixed('id,code\n1,"=""007"""\n2,"=SUM(A1)"\n')).toEqual({
        kinds: ['formulas'],
        rows: [
          ['id', 'code'],
          ['1', '007'],
          ['2', '=SUM(A1)'],
        ],
      });
    });
  });

  describe('lines around a table', () => {
    it('finds a short table below many titles of another width', () => {
      const titles = 'Account,Everyday\nIBAN,DE02\nHolder,Ada\nFrom,2026-03-01\n\n';
      expect(fixed(`${titles}${CSV}`)).toEqual({ kinds: ['titles'], rows: ROWS });
    });

    it('joins a line of units with the names above it', () => {
      const file = 't,temp,flow\ns,°C,l/min\n0.0,21.5,3.2\n0.5,21.6,3.3\n';
      expect(fixed(file).kinds).toEqual(['joined']);
      expect(fixed(file).rows?.[0]).toEqual(['t s', 'temp °C', 'flow l/min']);
    });

    it('keeps names of which the rows have fewer fields', () => {
      const { findings, header } = examined('id,name,amount,note,more\n1,Ada,2\n2,Bob,3\n');
      expect(header).toEqual({ line: 1, lines: 1 });
      expect(findings).toMatchObject([{ kind: 'valueless' }, { kind: 'fill', isAgreed: false }]);
    });

    it('asks about footnotes and totals', () => {
      const notes = (file: string) =>
        examined(file)
          .findings.find(({ kind }) => kind === 'notes')
          ?.parts.map(({ text }) => text);
      expect(notes(`${CSV}\n"Stock"\n"(c) Acme"\n"By Ada"\n`)).toEqual(['"Stock"', '"(c) Acme"', '"By Ada"']);
      expect(notes(`${CSV}Total,,5.50\n`)).toEqual(['Total,,5.50']);
      for (const word of [
        'Summe',
        'Razem:',
        'Итого',
        '小計',
        'North Total',
        '"Total: campaigns"',
        'ΣΎΝΟΛΟ',
      ]) {
        expect(notes(`id,name,amount\n${word},2 rows,5.50\n1,Ada,2.50\n2,Bob,3\n`)).toEqual([
          `${word},2 rows,5.50`,
        ]);
      }
      expect(notes(`${CSV}3,Total SE,7\n`)).toBeUndefined();
    });

    it('ends a row with a CR that stands alone between two whole rows', () => {
      expect(fixed(CSV.replace('2.50\n', '2.50\r'))).toEqual({ kinds: ['returns'], rows: ROWS });
    });
  });

  describe('a table with bars', () => {
    it.each([
      [
        'as SAP lists it',
        '-----------\n| id|name  |amount|\n-----------\n|  1|Ada, B|  2.50|\n|  2|Bob   |  3   |\n-----------\n',
      ],
      ['as Markdown', '| id | name | amount |\n|---|:--|--:|\n| 1 | Ada, B | 2.50 |\n| 2 | Bob | 3 |\n'],
    ])('is read without bars, lines and spaces: %s', (_name, file) => {
      const { kinds, rows } = fixed(file);
      expect(kinds).toEqual(
        expect.arrayContaining(['separator', 'padding', 'spaces', 'emptyColumns', 'emptyRows']),
      );
      expect(rows).toEqual([ROWS[0], ['1', 'Ada, B', '2.50'], ROWS[2]]);
    });
  });

  describe('more than the service accepts', () => {
    const corrected = (...[file, decided]: Parameters<typeof examined>) => {
      const rows = readByService(examined(file, decided).corrected ?? Buffer.of());
      return typeof rows === 'string' ? [] : rows;
    };
    const WIDE = `${Array.from({ length: 102 }, (_, at) => `n${at}`)}\n${Array.from({ length: 102 }, (_, at) => at)}\n`;

    it('refuses too many columns until the person leaves some out', () => {
      expect(examined(WIDE)).toMatchObject({
        corrected: null,
        refusal: { code: 'too_many_columns', line: 1 },
      });
      expect(examined(WIDE).findings[0]).toMatchObject({
        kind: 'columns',
        count: 102,
        limit: 100,
        isAgreed: false,
      });
      const last = readByService(examined(WIDE, { columns: true }).corrected ?? Buffer.of());
      expect((last[0] as string[]).slice(-1)).toEqual(['n99']);
      const chosen = examined(WIDE, {}, { columns: leaving(0, 5) });
      const [names] = readByService(chosen.corrected ?? Buffer.of()) as string[][];
      expect([names?.length, names?.[0], names?.[4], names?.at(-1)]).toEqual([100, 'n1', 'n6', 'n101']);
    });

    it('keeps the columns that are wanted, and names the others as the page does', () => {
      const wide = Buffer.from(WIDE.replace('n101', ''));
      const wanted = () => new Set([101]);
      const choices = { agreed: new Map([['columns', true] as const, ['gaps', true] as const]) };
      const work = examine(wide, choices, { ...LIMITS, wanted, columnName: 'Spalte {0}' });
      let step = work.next();
      while (step.done !== true) step = work.next();
      const [names] = readByService(step.value?.corrected ?? Buffer.of());
      expect([names?.length, (names as string[]).slice(-2)]).toEqual([100, ['n98', 'Spalte 102']]);
    });

    it('keeps a row out of step wrong, however many columns are left out', () => {
      const cells = (row: number | string, count = 120) =>
        Array.from({ length: count }, (_, at) => `${row}.${at}`);
      const rows = Array.from({ length: 12 }, (_, row) => cells(row + 1, [120, 121, 119, 100][row] ?? 120));
      const file = `${cells('n')}\n${rows.join('\n')}\n`;
      const decided = examined(file, { columns: true });
      expect(decided.findings.map(({ kind, count, isAgreed }) => [kind, count, isAgreed])).toEqual([
        ['columns', 120, true],
        ['notes', 3, false],
        ['fill', 2, false],
      ]);
      const counts = (agreed: Parameters<typeof examined>[1]) =>
        corrected(file, agreed)
          .slice(0, 6)
          .map((row) => row?.length);
      expect(counts({ columns: true })).toEqual([100, 100, 101, 101, 101, 100]);
      expect(counts({ columns: true, fill: true })).toEqual([100, 100, 101, 100, 100, 100]);
      const shown = decided.preview.filter(({ isChecked }) => isChecked).map(({ line }) => line);
      expect(shown).toEqual(expect.arrayContaining([3, 4, 5]));
    });

    it('leaves out empty fields behind the last of too many columns', () => {
      const file = `${Array.from({ length: 102 }, (_, at) => `n${at}`)}\n${'1,'.repeat(102)}\n${'1,'.repeat(101)}1\n${'2,'.repeat(101)}2\n`;
      expect(examined(file, { columns: true }).findings.map(({ kind }) => kind)).toEqual([
        'columns',
        'extras',
      ]);
      expect(corrected(file, { columns: true }).map((row) => row?.length)).toEqual([100, 100, 100, 100]);
    });

    it('refuses too many rows until the person chooses a part', () => {
      const rows = Array.from({ length: 10_002 }, (_, row) => `r${row}\n`).join('');
      expect(examined(`name\n${rows}`)).toMatchObject({ refusal: { code: 'too_many_rows' } });
      const second = examined(`name\n${rows}`, {}, { part: 2 });
      expect(readByService(second.corrected ?? Buffer.of())).toEqual([['name'], ['r10000'], ['r10001']]);
    });

    it('shows few rows, also of a later part without a header', () => {
      const rows = Array.from({ length: 10_002 }, (_, row) => `${row},1\n`).join('');
      const { preview } = examined(rows, { rows: true }, { part: 2 });
      const shown = preview
        .filter(({ after }) => after !== null)
        .map(({ line, after }) => [line, after?.[0]]);
      expect(preview.length).toBeLessThan(40);
      expect(shown).toEqual([
        [null, 'Column 1'],
        [10_001, '10000'],
        [10_002, '10001'],
      ]);
    });
  });
});
