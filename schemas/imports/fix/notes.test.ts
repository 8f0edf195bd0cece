import { describe, expect, it } from 'vitest';
import { examined, examinedWith } from './fixed.fixture.ts';

/** The lines that may be no records, about which a person decides. */
function notesOf(file: string): number[] {
  const notes = examinedWith(file).findings.find(({ kind }) => kind === 'notes');
  return (notes?.parts ?? []).map(({ at }) => at);
}

const NAMES = 'day,shop,sales\n';
const ROWS = '2026-03-01,Bonn,10.50\n2026-03-02,Kiel,20.25\n2026-03-03,Ulm,30\n';
const TEXTS = 'shop,city,note\nAda,Bonn,new\nBob,Kiel,old\nCy,Ulm,open\n';

describe('a line that may be no record', () => {
  it.each([
    ['a total below', `${NAMES}${ROWS}Total,,60.75\n`, [5]],
    ['a total above', `${NAMES}Total,,60.75\n${ROWS}`, [2]],
    ['a total with decimal commas', 'a;b\nx;1.000,50\ny;2\nz;3\nSumme;1.005,50\n', [5]],
    ['a total of amounts with a currency', 'a,b\nx,"€1,000.50"\ny,€2\nz,(€2)\nTotal,"€1,000.50"\n', [5]],
    ['a total without a word', `${NAMES}${ROWS},,60.75\n`, [5]],
    [
      'subtotals and their total',
      `${NAMES}${ROWS}Bonn total,,60.75\n${ROWS}Kiel total,,60.75\nTotal,,121.50\n`,
      [5, 9, 10],
    ],
    ['a header that occurs again', `${NAMES}${ROWS}${NAMES}${ROWS}`, [5]],
    ['a line of one cell below numbers', `${NAMES}${ROWS}End of file\n`, [5]],
    ['a rule and a note below dates', 'day,a,b\n2026-03-01,x,\n2026-03-02,y,\n----\nMade by us\n', [4, 5]],
    ['a note as wide as the table', `${NAMES}${ROWS}Source: our own,,\n`, [5]],
    [
      'a note of two cells behind an empty row',
      `${NAMES.trim()},a\n${ROWS.replaceAll('\n', ',1\n')},,,\nBy: us,2026,,\n`,
      [6],
    ],
    ['the source of a table of texts', `${TEXTS}"Fonte: IBGE"\n`, [5]],
    ['formats below names', 'site\tday\tflow\n5s\t20d\t14n\nA\t2026-11-01\t5\nB\t2026-11-02\t6\n', []],
    ['lines of one cell behind a blank line', `${TEXTS}\nMade by us\nAcme\n`, [6, 7]],
    ['a total of other rows', `${NAMES}${ROWS}Total,,60.50\n`, [5]],
    ['a sum below in a row of other words', 'a,b\nv,1\nw,2\nx,4\ny,8\nPage,15\n', [6]],
    ['a sum above in a row of other words', 'a,b\nPage,15\nv,1\nw,2\nx,4\ny,8\n', [2]],
    ['a total of one row', 'a,b\nx,1\nTotal,1\n', [3]],
    ['the sum of a group, without a word', 'a,b,c\nx,1,2\ny,2,4\n,3,6\nz,4,1\nv,2,3\n,6,4\n', [4, 7]],
    ['one that can be a record', 'a,b\nx,1\ny,2\n,3\nz,4\n', [4]],
    ['a total among words', 'a,b\nx,many\ny,2\nTotal,2\n', [4]],
    ['a header that occurs again in a table of texts', `${TEXTS}shop,city,note\n`, [5]],
    ['a line of one cell below texts', `${TEXTS}Dora\n`, [5]],
    ['the rest of a text', 'day,a,b\n2026-03-01,1,x\n2026-03-02,2,a text\nof two lines\n', [4]],
    ['a word among numbers at the end', 'lap,time\n1,05:10\n2,05:20\n3,05:30\nSummary,16:00\n', [5]],
    ['the title of a section', `${NAMES}South,,\n${ROWS}North,,\n${ROWS}`, [2, 6]],
    ['a balance below, behind cells of spaces', `${NAMES}${ROWS} , ,9\n`, [5]],
    ['a name without values', `${NAMES}${ROWS}unknown,,\n`, [5]],
  ])('is found: %s', (_name, file, notes) => {
    expect(notesOf(file)).toEqual(notes);
  });

  it('stays as the person decides', () => {
    const file = `${NAMES}${ROWS}Total,,60.75\n`;
    expect(examinedWith(file).refusal).toEqual({ code: 'undecided', line: null, canBeRemoved: true });
    expect(examined(file, { notes: true }).rows.length).toBe(3);
    expect(examined(file, { notes: false }).rows.length).toBe(4);
    expect(examined(file, {}, { leftOut: new Map([[5, false]]) }).rows.length).toBe(4);
  });

  it('is no record that has no value in the first column', () => {
    expect(notesOf(`${NAMES},Bonn,1\n${ROWS},Kiel,2\n`)).toEqual([]);
  });
});
