import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Choices } from './findings.ts';
import { examined, examinedWith, readByService } from './fixed.fixture.ts';

/** The changes of a file: those that are shown as made, and the others in brackets. */
function ticksOf(file: string): string[] {
  return examined(file).findings.map(({ kind, isAgreed }) => (isAgreed ? kind : `[${kind}]`));
}

/** The rows that arrive if a person takes what is shown. */
function sent(file: string): readonly (readonly string[] | null)[] {
  const { corrected, refusal } = examined(file);
  const rows = refusal === null ? readByService(corrected ?? Buffer.from(file)) : refusal.code;
  if (typeof rows === 'string') throw new Error(`refused: ${rows}`);
  return rows;
}

const TABLE = 'id,name,amount\n1,Ada,2.50\n';
const NUMBERS = Array.from({ length: 6 }, (_, at) => `P${at},p${at}@x.org,${at + 10}`).join('\n');

/** The headers that a person can choose by decisions about what is found. */
function headersOf(file: string, agreed: Choices['agreed'] = new Map()): unknown[] {
  const { findings, corrected, refusal } = examinedWith(file, { agreed });
  const open = findings.find(({ isOpen }) => isOpen);
  if (open === undefined) return refusal === null ? [readByService(corrected ?? Buffer.from(file))[0]] : [];
  return [true, false].flatMap((isMade) => headersOf(file, new Map([...agreed, [open.kind, isMade]])));
}

/** Files, the changes that are found, and the header that a person who knows the file chooses. */
const FILES: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  // A value of the first record is a word.
  [
    'a word in the first of two columns',
    'name,amount\nAda,unknown\nBob,3\nCy,4\nDi,5\n',
    ['titles'],
    ['name', 'amount'],
  ],
  [
    'a word in the first record',
    `name,email,amount\nAda,a@x.org,free\n${NUMBERS}\n`,
    [],
    ['name', 'email', 'amount'],
  ],
  [
    'a word in the first record with an id',
    'id,name,a,b\n1,Ada,free,many\n2,Bob,3,4\n3,Cy,5,6\n4,Di,7,8\n',
    [],
    ['id', 'name', 'a', 'b'],
  ],
  [
    'words in the first record, in columns of values alone',
    'X,CH1,Start\nSequence,Volt,0.5\n0,1.5,\n1,2.5,\n2,3.5,\n',
    ['joined', '[valueless]'],
    ['X', 'CH1', 'Start'],
  ],
  [
    'kinds of answers below questions',
    `id,day,Why?,How?\n,,Response,Open-Ended Response\n${'1,2026-11-01,x,y\n'.repeat(4)}`,
    ['joined'],
    ['id', 'day', 'Why? Response', 'How? Open-Ended Response'],
  ],
  [
    'answers below a question with a gap behind it',
    `id,Which?,\n,Mail,Phone\n${'1,x,y\n'.repeat(4)}`,
    ['joined'],
    ['id', 'Which? Mail', 'Which? Phone'],
  ],
  ['words below some names', `id,a,b\n,good,bad\n${'1,x,y\n'.repeat(4)}`, ['joined'], ['id', 'a', 'b']],
  [
    'a wide line of values above',
    `EXTF;700;21;3;4;5;6\nsum;name;account\n${'2,50;Ada;1200\n'.repeat(4)}`,
    ['separator', 'titles'],
    ['sum', 'name', 'account'],
  ],
  [
    'pairs of a name and a word above a wider table',
    'Version\t2\nSeparator\tTab\n\nX\tY\tNote\n1\t2\t\n2\t3\t\n3\t4\t\n',
    ['separator', 'titles', '[valueless]'],
    ['X', 'Y', 'Note'],
  ],
  [
    'names and their aliases in one column',
    'Name | Alias\nAda | Countess\nBob | Bo\nCy | C\n',
    ['[separator]', '[noHeader]'],
    ['Name | Alias'],
  ],
  [
    'aliases of some names',
    'Name | Alias\nAda | Countess\nBob\nCy\n',
    ['[separator]', '[noHeader]'],
    ['Name | Alias'],
  ],
  [
    'a value below detection',
    'site,day,lead\nA,2026-01-01,ongoing\nB,2026-01-02,0.5\nC,2026-01-03,0.7\n',
    [],
    ['site', 'day', 'lead'],
  ],
  [
    'words in the first two records',
    `name,email,amount\nAda,a@x.org,tbd\nBo,b@x.org,see Bob\n${NUMBERS}\n`,
    [],
    ['name', 'email', 'amount'],
  ],
  [
    'a gap in the header above a word',
    'name,,amount\nAda,x,free\nBob,y,3\nCy,z,4\nDi,z,5\n',
    ['titles'],
    ['name', 'Column 2', 'amount'],
  ],
  // The header has one name less.
  [
    'a last name that is missing',
    'id,name\n1,Ada,late\n2,Bob,on time\n3,Cy,late\n',
    ['[shifted]', 'gaps'],
    ['id', 'name', 'Column 3'],
  ],
  [
    'a last name that is missing in a table of texts',
    'name,city\nAda,London,UK\nBob,Paris,FR\nCy,Rome,IT\n',
    ['[shifted]', 'gaps'],
    ['name', 'city', 'Column 3'],
  ],
  [
    'a last name that is missing, and each cell in quotes',
    '"id","name"\n"1","Ada","late"\n"2","Bob","late"\n',
    ['[shifted]', 'gaps'],
    ['id', 'name', 'Column 3'],
  ],
  [
    'names of rows without quotes',
    'name,size\nr1,Ada,4\nr2,Bob,5\nr3,Cy,6\n',
    ['[shifted]', 'gaps'],
    ['name', 'size', 'Column 3'],
  ],
  [
    'numbers of rows in quotes',
    '"name","size"\n"1","Ada",4\n"2","Bob",5\n',
    ['[shifted]', 'gaps'],
    ['Column 1', 'name', 'size'],
  ],
  [
    'names of rows in quotes',
    '"x","y"\n"Ada",1,2\n"Bob",3,4\n',
    ['[shifted]', 'gaps'],
    ['Column 1', 'x', 'y'],
  ],
  [
    'more names than fields',
    'a,b,c,d\nx,tbd,u\ny,1,2\nz,3,4\nq,5,6\n',
    ['joined', '[valueless]', '[fill]'],
    ['a', 'b', 'c', 'd'],
  ],
  ['a record of words alone', 'a,b,c\nx,y,z\n1,2,3\n4,5,6\n7,8,9\n', ['joined'], ['a', 'b', 'c']],
  ['units below the names', 'a,b,c\nm/s,kg,%\n1,2,3\n4,5,6\n7,8,9\n', ['joined'], ['a m/s', 'b kg', 'c %']],
  // Names that are values.
  [
    'dates as names',
    'region,1/22/26,1/23/26,1/24/26\nNorth,1,2,3\nSouth,4,5,6\nWest,7,8,9\n',
    ['noHeader'],
    ['region', '1/22/26', '1/23/26', '1/24/26'],
  ],
  ['hours as names', 'day,08:00,09:00\nMon,1,2\nTue,4,5\nWed,7,8\n', ['noHeader'], ['day', '08:00', '09:00']],
  [
    'hours as names above times',
    'stop,08:00,09:00:00\nA,08:00,09:00:00\nB,08:03,09:05:10\nC,08:05,09:10:30\n',
    ['noHeader'],
    ['stop', '08:00', '09:00:00'],
  ],
  ['signs for missing values alone', 'name,-,--\nA,1,2\nB,3,4\nC,5,6\n', ['[noHeader]'], ['name', '-', '--']],
  [
    'doses as names',
    'drug,0.1,0.5,1,5\nA,12,14,15,20\nB,11,15,19,21\nC,10,13,16,22\n',
    ['noHeader'],
    ['drug', '0.1', '0.5', '1', '5'],
  ],
  [
    'a year as the only name of values',
    'area,2014\nNorth,3.5\nSouth,1\nWest,2\n',
    ['noHeader'],
    ['area', '2014'],
  ],
  ['years as names', 'area,2014,2015\nNorth,3.5,4\nSouth,1,2\n', [], ['area', '2014', '2015']],
  ['numbers as names', '0,1,2\n5.1,3.5,1.4\n4.9,3,1.4\n', [], ['0', '1', '2']],
  // No header.
  [
    'no header above rows with equal steps',
    '1,2,3\n4,5,6\n7,8,9\n',
    ['noHeader'],
    ['Column 1', 'Column 2', 'Column 3'],
  ],
  ['a year in the first of two records', 'apple,1950\npear,3\nplum,4\n', ['noHeader'], ['apple', '1950']],
  [
    'numbers like those below',
    '4.1,10,A\n4.2,11,B\n4.3,12,C\n',
    ['noHeader'],
    ['Column 1', 'Column 2', 'Column 3'],
  ],
  [
    'dates like those below',
    '2026-01-01,5\n2026-01-02,6\n2026-01-03,7\n',
    ['noHeader'],
    ['Column 1', 'Column 2'],
  ],
  [
    'times like those below',
    'Ada,08:00,09:00\nBob,09:00,10:30\nCy,08:30,09:00\n',
    ['noHeader'],
    ['Column 1', 'Column 2', 'Column 3'],
  ],
  ['a missing value', '4.1,-\n4.2,11\n4.3,12\n', ['noHeader'], ['Column 1', 'Column 2']],
  // Lines above the header.
  ['a title', `Orders of March\nname,email,amount\n${NUMBERS}\n`, ['titles'], ['name', 'email', 'amount']],
  [
    'a title above two columns of texts',
    'Report\nname,city\nAda,London\nBob,Rome\n',
    ['titles'],
    ['Report', 'Column 2'],
  ],
  [
    'pairs of a name and a value',
    'source,our own\nplace,Bonn\nyear,mean,rain,sun\n2021,10.1,700,1500\n2022,10.9,610,1700\n',
    ['titles'],
    ['year', 'mean', 'rain', 'sun'],
  ],
  // Lines of units.
  [
    'units in each column',
    't,temp,flow\ns,C,m/s\n0.0,21.5,3.2\n0.5,21.6,3.3\n',
    ['joined'],
    ['t s', 'temp C', 'flow m/s'],
  ],
  [
    'units beside a text',
    'site,temp,flow\nname,C,m/s\nA,21.5,3.2\nB,21.6,3.3\nC,21,3\n',
    ['joined'],
    ['site', 'temp', 'flow'],
  ],
  [
    'a header in two languages',
    'Name,Alter,Größe\nname,age,size\nAda,36,1.7\nBob,40,1.8\nCy,41,1.9\n',
    ['joined'],
    ['Name', 'Alter', 'Größe'],
  ],
  // Separators.
  [
    'a comma in each row between semicolons',
    'id;place, country;year\n1;Bonn, DE;2025\n2;Lyon, FR;2025\n',
    ['separator'],
    ['id', 'place, country', 'year'],
  ],
  [
    'decimal commas and a comma in the header',
    'Day;Amount, EUR;Account\n01.02.2024;12,50;DE01\n02.02.2024;3,20;DE02\n',
    ['separator'],
    ['Day', 'Amount, EUR', 'Account'],
  ],
  [
    'a semicolon in each row between commas',
    'name,lat;lon\nAda,1;2\nBob,3;4\n',
    ['[separator]'],
    ['name', 'lat;lon'],
  ],
  [
    'rows that end with a semicolon',
    'id;name;city\n1;Ada;Bonn;\n2;Bob;Kiel;\n3;Cy;Ulm;\n',
    ['separator', 'emptyColumns'],
    ['id', 'name', 'city'],
  ],
  [
    'titles and notes around semicolons with decimal commas',
    `Table 1\nPeople: Bonn, on day\nAs known\nday;people;more\n${'31.12.2025;81;0,5\n31.12.2026;82;1,5\n'.repeat(4)}____\nBy us, 2026\n© Acme\nDone: today, 10:00\n`,
    ['separator', 'titles', '[notes]', '[fill]'],
    ['day', 'people', 'more'],
  ],
  [
    'commas in the first cell of each row between tabs',
    'freq,unit,geo\t2024\t2025\nA,PC,AT\t1.5\t:\nA,PC,BE\t2.5\t3\nA,PC,DE\t3.5\t4\n',
    ['separator'],
    ['freq,unit,geo', '2024', '2025'],
  ],
  [
    'a table of a logger below a longer line',
    '"TOA5","Site","CR1000","1234"\n"TIMESTAMP","RECORD","Batt"\n"TS","RN","Volts"\n"","","Min"\n"2026-03-01 10:00:00",1,12.5\n"2026-03-01 10:01:00",2,12.6\n',
    ['titles', 'joined'],
    ['TIMESTAMP TS', 'RECORD RN', 'Batt Volts Min'],
  ],
  [
    'two signs for missing values between bars',
    'id|name\n1|Ada\n--|--\n2|Bob\n',
    ['separator'],
    ['id', 'name'],
  ],
  [
    'a title with a comma above semicolons',
    `Results, 10 km\nplace;name;time;behind\n${'1;Ada;00:31;+0\n2;Bob;00:32;+1\n'.repeat(3)}`,
    ['separator', 'titles'],
    ['place', 'name', 'time', 'behind'],
  ],
  [
    'a word above two columns without a comma',
    'Spectrum 1\n400\t0.001\n410\t0.011\n420\t0.021\n',
    ['separator', 'gaps'],
    ['Spectrum 1', 'Column 2'],
  ],
  [
    'formulas around the codes of all rows',
    `code;name\n${'="007";Ada\n="008";Bob\n'.repeat(3)}`,
    ['separator', 'quotes', 'formulas'],
    ['code', 'name'],
  ],
];

/** Cells of records: words, numbers, dates and times in any order. */
const anyCell = fc.constantFrom(
  ...['Ada', 'tbd', 'n/a', '12 GB', '<0.5', 'North', 'Total', '7', '-50', '2026', '3000', '2.50'],
  ...['2026-01-02', '01.03.2026', '08:00', '3;5'],
);
/** Records with a number each, below names. */
const anyTable = fc.integer({ min: 2, max: 5 }).chain((width) => {
  const record = fc.array(anyCell, { minLength: width - 1, maxLength: width - 1 });
  const names = fc.constantFrom('Name', 'amount', 'Day', 'City', 'note', 'Größe');
  return fc
    .tuple(
      fc.uniqueArray(names, { minLength: width - 1, maxLength: width - 1 }),
      fc.array(record, { minLength: 1, maxLength: 12 }),
    )
    .map(([header, records]) => [
      ['id', ...header],
      ...records.map((cells, at) => [String(at + 1), ...cells]),
    ]);
});

describe('the findings of a file', () => {
  it.each(FILES)('lead to the header: %s', (_name, file, ticks, header) => {
    expect(ticksOf(file)).toEqual(ticks);
    expect(headersOf(file)).toContainEqual(header);
  });

  it('refuse a header of few names, which can be a title, until a person decides', () => {
    const file = 'name,,,\nAda,x,y,z\nBob,x,y,z\n';
    expect(ticksOf(file)).toEqual(['titles']);
    expect(examinedWith(file).refusal).toMatchObject({ code: 'undecided', canBeRemoved: true });
  });

  it('are none for a header behind the last line, which is refused', () => {
    const { refusal, lastLine } = examined(TABLE, {}, { header: { line: 9, lines: 1 } });
    expect({ refusal, lastLine }).toMatchObject({ refusal: { code: 'no_rows' }, lastLine: 2 });
  });

  it('drop byte order marks at the start of lines, and keep those in cells', () => {
    const file = `\ufeff${TABLE}\ufeff${TABLE}3,"A\n\ufeffda",4\n`;
    const { findings } = examined(file);
    expect(findings).toMatchObject([
      { kind: 'nul', count: 1, line: 3, isAgreed: true, fault: null },
      { kind: 'notes', parts: [{ at: 3, text: 'id,name,amount', isAgreed: false }] },
    ]);
    expect(sent(file)[4]).toEqual(['3', 'A\n\ufeffda', '4']);
    expect(examined(file, { nul: false }).corrected).toBeNull();
  });

  it('ask about rows that are nearly empty, and about words among numbers', () => {
    const notes = (...lines: string[]) =>
      examined(`id,name,from,to\n${'1,Ada,2,3\n'.repeat(30)}${lines.join('\n')}\n`)
        .findings.filter(({ isAgreed }) => !isAgreed)
        .flatMap(({ parts }) => parts.map(({ at }) => at));
    expect(notes('South,,,', '2,Bob,4,5', 'Source:,us,,', ',,,1')).toEqual([32, 34, 35]);
    expect(notes('No,Name,Begin,End', '2,Bob,4,5')).toEqual([32]);
    expect(notes('2,Bob,,', '2,Bob,4,5', '2,,4,')).toEqual([34]);
  });

  it('lose no name, record or value of a table without faults', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        expect(sent(`${table.map((cells) => cells.join(',')).join('\n')}\n`)).toEqual(table);
      }),
      { numRuns: 300 },
    );
  });
});
