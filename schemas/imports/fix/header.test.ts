import { describe, expect, it } from 'vitest';
import { examined, suggested } from './fixed.fixture.ts';

/** Files, the changes that are offered, and the names that arrive by default. */
const HEADERS: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  [
    'years and units below names that occur again',
    `"Code";"Name";"all";"all";"women";"women"\n"";"";"2024";"2025";"2024";"2025"\n"";"";"[1000]";"[1000]";"[1000]";"[1000]"\n${'"02";"North";5;6;2;3\n'.repeat(4)}`,
    ['separator', 'joined'],
    ['Code', 'Name', 'all 2024 [1000]', 'all 2025 [1000]', 'women 2024 [1000]', 'women 2025 [1000]'],
  ],
  [
    'a name and a value behind a blank first column',
    `,Statement,,\n,Holder,Ada King,\n,,,\n,day,text,amount\n${',2026-11-01,coffee,2.50\n'.repeat(4)}`,
    ['titles', 'emptyColumns'],
    ['day', 'text', 'amount'],
  ],
  [
    'many names and values above, with commas in numbers',
    `Name\tAda\nBranch\tMain\nStart\t1 Nov\nEnd\t2 Nov\nLimit\t0\nRate\t1\nCode\t2\nday\ttext\tamount\n${'1 Nov\tcoffee\t1,25,000.00\n'.repeat(4)}`,
    ['separator', 'titles'],
    ['day', 'text', 'amount'],
  ],
  [
    'types below the names',
    `id,name\nint64,varchar\n${'1,Ada\n'.repeat(4)}`,
    ['joined'],
    ['id int64', 'name varchar'],
  ],
  [
    'names and values of one record',
    'Name,Ada King\nStreet,1 High St\nCity,Leeds\nPhone,+44 113\nEmail,ada@x.org\n',
    ['[noHeader]'],
    ['Name', 'Ada King'],
  ],
];

it.each(HEADERS)('a header is found, or asked for: %s', (_, file, changes, names) => {
  const { changes: own, rows } = suggested(file);
  expect(own).toEqual(changes);
  expect(rows[0]).toEqual(names);
});

describe('a header of several lines', () => {
  it.each([
    ['groups of columns', 'North,,South,\nx,y,x,y\n1,2,3,4\n', ['North x', 'North y', 'South x', 'South y']],
    [
      'some columns in groups',
      'Day,Cost,,Sum\n,Air,Rail,\n01.02.2026,5,6,11\n',
      ['Day', 'Cost Air', 'Cost Rail', 'Sum'],
    ],
    [
      'names on two lines, of which one stands for two columns beside each other',
      ',Hi,Wind,Wind,,Rain\nDay,Temp,Speed,Dir,Bar,Rate\n01.02.2026,5,6,N,990,0\n',
      ['Day', 'Hi Temp', 'Wind Speed', 'Wind Dir', 'Bar', 'Rain Rate'],
    ],
  ])('becomes one: %s', (_name, file, names) => {
    const { changes, rows } = suggested(file);
    expect(changes).toEqual(['joined']);
    expect(rows[0]).toEqual(names);
    expect(rows).toHaveLength(2);
  });

  it('begins with years that occur again above names', () => {
    const file = `Region,2025,2025,2026,2026\nRegion,All,Men,All,Men\n${'North,5,2,6,3\n'.repeat(5)}`;
    const { changes, rows } = suggested(file);
    expect(changes).toEqual(['joined']);
    expect(rows[0]).toEqual(['Region', '2025 All', '2025 Men', '2026 All', '2026 Men']);
  });

  it('is none of a line that stands apart', () => {
    const pairs = 'Ada,,,\n,Days,1 to 7,\n,,,\n';
    expect(suggested(`${pairs}id,day,text,sum\n${'1,1,x,2\n'.repeat(4)}`).rows[0]).toEqual([
      'id',
      'day',
      'text',
      'sum',
    ]);
  });

  it('stays if the person declines', () => {
    expect(examined('North,,South,\nx,y,x,y\n1,2,3,4\n', { joined: false, gaps: false })).toMatchObject({
      refusal: { code: 'empty_header', line: 1 },
      rows: { length: 2 },
    });
  });
});
