import { describe, expect, it } from 'vitest';
import { examined, readByService } from './fixed.fixture.ts';

const FILE =
  'Sales\nid,name,amount\n1,Ada,2\n2,"B\n\nb",3\n\nVisits\n\nday,count\n2026-03-01,4\n2026-03-02,5\n';

/** The tables that are offered, with a star for the one that is chosen. */
function tablesOf(file: string, table?: number): string[] {
  const { findings } = examined(file, {}, table === undefined ? {} : { table });
  const parts = findings.find(({ kind }) => kind === 'tables')?.parts ?? [];
  return parts.map(({ text, isAgreed }) => (isAgreed ? `${text}*` : text));
}

describe('a file of several tables', () => {
  it('offers each one by its lines and names, and asks', () => {
    expect(tablesOf(FILE)).toEqual(['1–6: id, name, amount', '8–12: day, count']);
    expect(examined(FILE).findings[0]).toMatchObject({
      kind: 'tables',
      isNeeded: true,
      isAgreed: false,
      parts: [{ lines: [1, 6] }, { lines: [8, 12] }],
    });
  });

  it.each([
    [
      1,
      2,
      [
        ['id', 'name', 'amount'],
        ['1', 'Ada', '2'],
        ['2', 'B\n\nb', '3'],
      ],
    ],
    [
      2,
      10,
      [
        ['day', 'count'],
        ['2026-03-01', '4'],
        ['2026-03-02', '5'],
      ],
    ],
  ])('is read as table %d alone, with the lines of the file', (table, line, rows) => {
    const { corrected, header } = examined(FILE, {}, { table });
    expect(readByService(corrected ?? Buffer.from(''))).toEqual(rows);
    expect(header).toEqual({ line, lines: 1 });
    expect(tablesOf(FILE, table)[table - 1]).toMatch(/\*$/);
  });

  it('is read as a whole if it has no table of the number that was chosen', () => {
    const { findings, header } = examined(FILE, {}, { table: 3 });
    expect(findings[0]).toMatchObject({ kind: 'tables', isNeeded: true, isAgreed: false });
    expect(header.line).toBe(2);
  });

  it('is read as a whole if the person declines', () => {
    expect(examined(FILE, { tables: false }, { table: 2 }).header.line).toBe(2);
  });

  it('can be taken where another table cannot be read', () => {
    const file = `${FILE}\nday,note\n1,"x", y" z",w\n2,x\n3,y\n`;
    expect(examined(file).refusal).toMatchObject({ code: 'stray_quote', canBeRemoved: true });
    expect(examined(file, {}, { table: 1 }).refusal).toBeNull();
  });

  it('is read by the separator that stands between quotes, whatever widths they have', () => {
    const giro = [
      '"Day";"Value";"Kind";"Text";"Sum";',
      ...Array(6).fill('"1";"2";"debit";"to: Ada, Bob";"-13,99";'),
    ];
    const card = [
      '"Day";"Of";"Kind";"Ref";"Text";"Sum";',
      ...Array(2).fill('"1";"2";"card";"7";"INN";"-120,00";'),
    ];
    const head = (name: string) => `"${name}";"Days: 30";\n"New sum";"1,00 EUR";\n\n`;
    const tail = '\n\n"Old sum";"-1,00 EUR";\n\n';
    const file = `;\n${head('Giro')}${giro.join('\n')}${tail}${head('Card')}${card.join('\n')}${tail}`;
    expect(examined(file)).toMatchObject({ separator: ';', refusal: null });
  });

  it.each([
    ['blank lines between rows', 'id,name,amount\n1,Ada,2\n2,Bob,3\n\n3,Cy,4\n4,Di,5\n5,Ed,6\n'],
    ['names and values above a table', 'IBAN,DE02\nBank,ING\nOf,Ada\n\nid,name,amount\n1,Ada,2\n2,Bob,3\n'],
    ['a note below a table', 'id,name,amount\n1,Ada,2\n2,Bob,3\n\nBy us\nIn March, 2026\nAll rights, too\n'],
  ])('is none: %s', (_name, file) => {
    expect(tablesOf(file)).toEqual([]);
  });
});

describe('a separator that is not listed', () => {
  it('is read where the person names it', () => {
    const { corrected } = examined('id#name\n1#Ada\n2#Bob\n', {}, { separator: '#' });
    expect(readByService(corrected ?? Buffer.from(''))).toEqual([
      ['id', 'name'],
      ['1', 'Ada'],
      ['2', 'Bob'],
    ]);
  });
});

describe('a file over every limit', () => {
  it('is refused with the number that was found and the one that is allowed', () => {
    const wide = `${'a,'.repeat(1_200)}\n${'1,'.repeat(1_200)}\n`;
    expect(examined(wide).refusal).toMatchObject({ code: 'too_many_columns', counts: [1_201, 100] });
    expect(examined(`id,name\n${'1,a\n'.repeat(250_002)}`).refusal).toMatchObject({
      code: 'too_many_rows',
      counts: [250_000, 10_000],
    });
  });
});
