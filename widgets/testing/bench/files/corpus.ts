import { rejectedRowsCsv, rejectedRowsHeader } from '../../../../schemas/imports/rejected-rows.ts';
import { type Expected, LIMITS, type Table, trimmed } from './person.ts';

/** A file as programs and people write it, and the table in it; null if it has to be refused. */
export interface Shape {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: Expected | null;
}

const NAMES = ['id', 'name', 'amount'];
const ROWS = [
  ['1', 'Ada', '2.50'],
  ['2', 'Bob', '3'],
  ['3', 'Cy', '4.10'],
  ['4', 'Di', '5'],
  ['5', 'Ed', '6'],
];
const TABLE: Table = [NAMES, ...ROWS];
const CSV = `${TABLE.map((row) => row.join(',')).join('\n')}\n`;
const NUMBERED = ['Column 1', 'Column 2', 'Column 3'];
const WIDE = Array.from({ length: 120 }, (_, at) => `n${at}`);
const LONG = Array.from({ length: LIMITS.rows + 5 }, (_, row) => [String(row), `name ${row}`]);

/** The same table in a file of another form. */
function same(name: string, file: string | Uint8Array): Shape {
  return shape(name, file, TABLE);
}

function shape(name: string, file: string | Uint8Array, rows: Table | null): Shape {
  const expected = rows && { rows, plain: trimmed, hasNames: true };
  return { name, bytes: typeof file === 'string' ? Buffer.from(file) : file, expected };
}

/** A table of names and cities in a legacy encoding, by its bytes. */
function encoded(name: string, hex: string, ...rows: readonly string[]): Shape {
  return shape(
    name,
    Buffer.from(hex, 'hex'),
    rows.map((row) => row.split(',')),
  );
}

function utf16(text: string, isSwapped: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return isSwapped ? bytes.swap16() : bytes;
}

const DIALECTS: readonly Shape[] = [
  same('sound', CSV),
  same('semicolons, CRLF', CSV.replaceAll(',', ';').replaceAll('\n', '\r\n')),
  same('tabs with a mark', `\ufeff${CSV.replaceAll(',', '\t')}`),
  same('bars', CSV.replaceAll(',', '|')),
  same('sep= for Excel', `sep=;\r\n${CSV.replaceAll(',', ';')}`),
  same('CR alone', CSV.replaceAll('\n', '\r')),
  same('two CR before each LF', CSV.replaceAll('\n', '\r\r\n')),
  same('NUL characters', CSV.replace('Ada', 'A\0d\0a')),
  same('UTF-16 with a mark and tabs', utf16(`\ufeff${CSV.replaceAll(',', '\t')}`, false)),
  same('UTF-16, swapped, without a mark', utf16(CSV, true)),
  shape('decimal commas', 'id;amount\n1;2,50\n2;1.234,50\n', [
    ['id', 'amount'],
    ['1', '2,50'],
    ['2', '1.234,50'],
  ]),
  shape('an inch sign', `${CSV}6,5" pipe,1\n`, [...TABLE, ['6', '5" pipe', '1']]),
  shape('quotes that are not doubled', `${CSV}6,"a "b" c",1\n`, [...TABLE, ['6', 'a "b" c', '1']]),
  shape('R: one name less than fields', `"x";"y"\n"a";1;2\n"b";3;4\n`, [
    ['', 'x', 'y'],
    ['a', '1', '2'],
    ['b', '3', '4'],
  ]),
  shape('single quotes', "id,name\n1,'Lovelace, Ada'\n2,'O''Hara'\n3,'Cy'\n", [
    ['id', 'name'],
    ['1', 'Lovelace, Ada'],
    ['2', "O'Hara"],
    ['3', 'Cy'],
  ]),
  same('quotes around whole rows', CSV.replace(/^.+$/gm, '"$&"')),
  shape('numbers as formulas', 'id,code\n1,="007"\n2,"=""008"""\n', [
    ['id', 'code'],
    ['1', '007'],
    ['2', '008'],
  ]),
  same('CR alone between some rows', CSV.replace('3,Cy,4.10\n', '3,Cy,4.10\r')),
  same(
    'SAP list',
    `Stock\n\n------------------\n| id|name|amount|\n------------------\n${ROWS.map(([id, name, amount]) => `|  ${id}|${name} | ${amount} |\n`).join('')}------------------\n`,
  ),
  same(
    'Markdown',
    `| id | name | amount |\n|---|---|---:|\n${ROWS.map((row) => `| ${row.join(' | ')} |\n`).join('')}`,
  ),
];

const ENCODINGS: readonly Shape[] = [
  encoded('Windows-1252', '6e616d652c636974790a4dfc6c6c65722c4bf66c6e0a', 'name,city', 'Müller,Köln'),
  encoded('Mac Roman', '6e616d652c636974790a4d9f6c6c65722c4b9a6c6e0a', 'name,city', 'Müller,Köln'),
  encoded(
    'GB18030',
    'd0d5c3fb2cb3c7cad00acdf5b7bc2cc9cfbaa30ac0eeceb02cb1b1bea90a',
    '姓名,城市',
    '王芳,上海',
    '李伟,北京',
  ),
  encoded('Big5', 'a96da6572cabb0a5ab0aa4fda470a9fa2ca578a55f0a', '姓名,城市', '王小明,台北'),
  encoded('Shift_JIS', '8e8196bc2c93738e730a8e5293632c938c8b9e0a', '氏名,都市', '山田,東京'),
  encoded('EUC-KR', 'c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef0a', '이름,도시', '김철수,서울'),
  encoded('Windows-1251', 'c8ecff2cc3eef0eee40ac8e2e0ed2ccceef1eae2e00a', 'Имя,Город', 'Иван,Москва'),
  encoded('KOI8-R', 'e9cdd12ce7cfd2cfc40ae9d7c1ce2cedcfd3cbd7c10a', 'Имя,Город', 'Иван,Москва'),
  encoded('Windows-1250', '696d69ea2c6d696173746f0aaf616e6574612ca3f3649f0a', 'imię,miasto', 'Żaneta,Łódź'),
  shape(
    'UTF-8 with a damaged byte',
    Buffer.concat([Buffer.from('name\nKöln, Müller\n'), Buffer.of(0xff, 0x0a)]),
    null,
  ),
];

const HEADERS: readonly Shape[] = [
  same('a title', `Orders of March\n\n${CSV}`),
  same('titles with separators', `Orders,,\nMarch,,\n${CSV}`),
  same('a title with more commas than the table', `Made by Ada, on Monday, March 2, 2026\n${CSV}`),
  same('names and values above the table', `#SITE:,North\n#DAY:,2026-03-02\n\n${CSV}`),
  shape('no header', `${ROWS.map((row) => row.join(',')).join('\n')}\n`, [NUMBERED, ...ROWS]),
  shape('no header, repeated numbers', '0,0,1\n0,0,2\n0,1,3\n', [
    NUMBERED,
    ['0', '0', '1'],
    ['0', '0', '2'],
    ['0', '1', '3'],
  ]),
  shape('no header, texts only', 'Ada,London\nBob,Paris\n', [
    ['', ''],
    ['Ada', 'London'],
    ['Bob', 'Paris'],
  ]),
  shape('groups of columns', 'North,,South,\nx,y,x,y\n1,2,3,4\n5,6,7,8\n', [
    ['North x', 'North y', 'South x', 'South y'],
    ['1', '2', '3', '4'],
    ['5', '6', '7', '8'],
  ]),
  shape('some columns in groups', 'Day,Cost,,Sum\n,Air,Rail,\n01.02.2026,5,6,11\n02.02.2026,7,8,15\n', [
    ['Day', 'Cost Air', 'Cost Rail', 'Sum'],
    ['01.02.2026', '5', '6', '11'],
    ['02.02.2026', '7', '8', '15'],
  ]),
  shape('units below the names', 'time,temp,flow\ns,°C,l/min\n0.0,21.5,3.2\n0.5,21.6,3.3\n', [
    ['time s', 'temp °C', 'flow l/min'],
    ['0.0', '21.5', '3.2'],
    ['0.5', '21.6', '3.3'],
  ]),
  same(
    'account of a bank',
    `Account,Everyday\nIBAN,DE02\nBalance,1.00,EUR\nHolder,Ada\nFrom,2026-03-01\nTo,2026-03-31\nOrder,by date\n\n${CSV}`,
  ),
  same('report with comments', `# -----\n# Pages\n# 2026\n# -----\n\n${CSV}\nDay,Views\n1,2\n2,4\n`),
  shape('years as names', 'area,2014,2015\nNorth,3.5,4\nSouth,1,2\n', [
    ['area', '2014', '2015'],
    ['North', '3.5', '4'],
    ['South', '1', '2'],
  ]),
  shape('repeated and missing names', 'id,,id\n1,2,3\n4,5,6\n', [
    ['id', 'Column 2', 'id (2)'],
    ['1', '2', '3'],
    ['4', '5', '6'],
  ]),
];

const BODIES: readonly Shape[] = [
  same('a stray last field', `${CSV.slice(0, -1)},"\n"\n`),
  same('empty columns and rows at the end', `${CSV.replaceAll('\n', ',,\n')},,,,\n,,,,\n`),
  same('footnotes', `${CSV}Source: our own\n`),
  same(
    'many footnotes',
    `${CSV}\n\n"Stock"\n"Copyright (c) 2026"\n"Do not distribute"\n"By: Ada  10:22 AM"\n"Acme"\n"End"\n`,
  ),
  same('a line of totals', `${CSV}Total,,19.60\n`),
  same(
    'a title of a section and a repeated header',
    `${CSV.slice(0, -7)}South,,\n${NAMES}\n${CSV.slice(-7)}`,
  ),
  shape('short rows', 'id,name,amount,note,more\n1,Ada,2\n2,Bob,3\n', [
    ['id', 'name', 'amount', 'note', 'more'],
    ['1', 'Ada', '2', '', ''],
    ['2', 'Bob', '3', '', ''],
  ]),
  shape('120 columns', `${WIDE}\n${WIDE.map((_, at) => at)}\n`, [WIDE, WIDE.map((_, at) => String(at))]),
  shape('five rows too many', `id,name\n${LONG.map((row) => row.join(',')).join('\n')}\n`, [
    ['id', 'name'],
    ...LONG,
  ]),
  shape(
    'rejected rows',
    rejectedRowsHeader(NAMES) +
      rejectedRowsCsv([{ row: 1, line: 2, source: ['-5', '+49 30 1', 'x'], errors: [], moreErrors: 0 }]),
    [
      ['svc_row', 'svc_line', 'svc_errors', ...NAMES],
      ['1', '2', '', '-5', '+49 30 1', 'x'],
    ],
  ),
];

const OTHERS: readonly Shape[] = [
  shape('a web page', '<!doctype html><title>Sign in</title>', null),
  shape('JSON', '[{"id": 1, "name": "Ada"}, {"id": 2}]', null),
  shape('a header only', 'id,name\n', null),
  shape('backslashes before quotes', `a,b\n${'x,"so \\"it\\" is, yes"\n'.repeat(6)}`, null),
];

export const CORPUS: readonly Shape[] = [...DIALECTS, ...ENCODINGS, ...HEADERS, ...BODIES, ...OTHERS];
