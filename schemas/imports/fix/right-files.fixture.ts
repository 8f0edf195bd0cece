import fc from 'fast-check';
import { codePageOf, codePageText } from './code-pages.ts';

type Table = readonly (readonly string[])[];

/** A file that has a table and nothing else, in one of the forms that programs write. */
export interface RightFile {
  readonly table: Table;
  readonly bytes: Uint8Array;
}

const NAMES = [
  ...['id', 'name', 'Name', 'city', 'price', 'amount', 'day', 'note', 'parent', 'files', 'reports_to'],
  ...['First name', 'Total', 'Summe netto', '2024', '2025', 'E-mail', 'Größe', 'year', 'title', 'players'],
];
const WORDS = [
  ...[
    'Ada',
    'Bob',
    'Müller',
    'Lefèvre',
    'Total',
    'Total Care',
    'Total War: Rome',
    'Summa',
    'Sum Li',
    'Razem',
  ],
  ...['NESCAFÉ®', 'CAFÉ™', 'n/a', 'tbd', 'new entry', 'unknown', 'average joe', 'Page', '-', 'source: own'],
  ...['a "b" c', '5" pipe', "O'Brien", "'80s", '=1+1', '="007"', '+49 30 1', '12 °C', '€ 5', 'x;y', 'x|y'],
  ...[
    'Smith, John',
    'March 1, 2026',
    'two\nlines',
    ' blank',
    'blank ',
    'a:b',
    '10:30',
    'C:\\temp',
    '#1',
    '---',
  ],
];

const LETTERED: Readonly<Record<string, readonly string[]>> = {
  'windows-1251': ['Иван', 'Москва', 'Казань', 'Анна', 'Омск', 'имя'],
  'windows-1253': ['Μαρία', 'Αθήνα', 'Νίκος', 'Πάτρα'],
  'windows-1250': ['Novák', 'Tomáš', 'Žďár', 'Řehoř', 'Łódź', 'Dvořák'],
  'windows-1255': ['כהן', 'חיפה', 'משה', 'לוי'],
  'windows-1254': ['Şükrü', 'İzmir', 'Ağrı', 'Çiçek'],
  'windows-1252': ['Müller', 'Größe', 'Lefèvre', 'señor', 'Überweisung', '5 €', '£ 3', 'Ærø', 'Währung'],
  'koi8-r': ['Иван', 'Москва', 'Казань', 'Анна'],
  ibm866: ['Иван', 'Москва', 'Казань', 'Анна'],
  'iso-8859-2': ['Novák', 'Tomáš', 'Žďár', 'Řehoř'],
  'iso-8859-5': ['Иван', 'Москва', 'Казань'],
  'windows-874': ['กรุงเทพ', 'สมชาย'],
  'windows-1256': ['محمد', 'القاهرة', 'علي'],
  'windows-1257': ['Šiauliai', 'Rīga', 'Jānis', 'Bērziņš', 'Tõnu'],
  macintosh: ['Müller', 'Lefèvre', 'Ærø', 'señor'],
  CP850: ['Müller', 'Größe', 'Lefèvre', 'Muñoz'],
  CP852: ['Novák', 'Tomáš', 'Řehoř', 'Dvořák', 'Łódź'],
  CP862: ['כהן', 'חיפה', 'משה'],
};

const number = fc.integer({ min: -50, max: 400 }).map(String);
const decimal = (sign: string) =>
  fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 99 })).map(([whole, part]) => {
    return `${whole}${sign}${String(part).padStart(2, '0')}`;
  });
const day = fc
  .tuple(
    fc.integer({ min: 1, max: 28 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1990, max: 2030 }),
  )
  .chain(([date, month, year]) => fc.constantFrom(`${year}-${month}-${date}`, `${date}.${month}.${year}`));
const word = fc.constantFrom(...WORDS);
const code = fc.integer({ min: 1, max: 99_999 }).map((each) => `A-${each}`);
const grouped = fc.constantFrom('3,677,472', '1,5', '12,345', '1.234,56');

/** The cells of a column, some of them empty. */
function columnOf(letters: readonly string[]) {
  const words = letters.length === 0 ? word : fc.constantFrom(...letters);
  return fc
    .record({
      cell: fc.constantFrom(number, number, decimal('.'), decimal(','), day, words, words, code, grouped),
      gaps: fc.constantFrom(0, 0, 0, 0.15, 0.6),
      running: fc.boolean(),
    })
    .chain(({ cell, gaps, running }) =>
      fc
        .array(fc.tuple(cell, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 22, maxLength: 22 })
        .map((cells) =>
          cells.map(([text, chance], at) =>
            running && gaps === 0 ? String(at + 1) : chance < gaps ? '' : text,
          ),
        ),
    );
}

function tableOf(letters: readonly string[]): fc.Arbitrary<Table> {
  return fc.integer({ min: 1, max: 6 }).chain((width) =>
    fc
      .record({
        names: fc.uniqueArray(
          fc.constantFrom(...NAMES.filter((name) => letters.length === 0 || isAscii(name))),
          {
            minLength: width,
            maxLength: width,
          },
        ),
        columns: fc.tuple(...Array.from({ length: width }, () => columnOf(letters))),
        rows: fc.integer({ min: 1, max: 22 }),
      })
      .map(({ names, columns, rows }) => [
        names,
        ...Array.from({ length: rows }, (_, at) => columns.map((column) => column[at] ?? '')),
      ]),
  );
}

function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}

const ENCODINGS = ['utf-8', 'utf-8', 'utf-8', 'utf-8 marked', 'utf-16le', ...Object.keys(LETTERED)];

/** Any table in any form, whose cells a program has put into quotes where they need some. */
export const anyRightFile: fc.Arbitrary<RightFile> = fc
  .record({
    encoding: fc.constantFrom(...ENCODINGS),
    separator: fc.constantFrom(',', ',', ',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    isQuoted: fc.constantFrom(false, false, true),
    isEnded: fc.boolean(),
    blanks: fc.constantFrom(0, 0, 1),
  })
  .chain((form) =>
    tableOf(LETTERED[form.encoding] ?? []).map((table) => ({ table, bytes: written(table, form) })),
  );

interface Form {
  readonly encoding: string;
  readonly separator: string;
  readonly lineEnd: string;
  readonly isQuoted: boolean;
  readonly isEnded: boolean;
  /** Blank lines at the end. */
  readonly blanks: number;
}

function written(
  table: Table,
  { encoding, separator, lineEnd, isQuoted, isEnded, blanks }: Form,
): Uint8Array {
  const fieldOf = (cell: string, width: number) =>
    isQuoted || /["\r\n]/.test(cell) || cell.includes(separator) || (width === 1 && cell === '')
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  const lines = table.map((cells) => cells.map((cell) => fieldOf(cell, cells.length)).join(separator));
  return encoded(lines.join(lineEnd) + (isEnded ? lineEnd : '') + lineEnd.repeat(blanks), encoding);
}

/** The bytes of a text in an encoding of Unicode, or of one byte for each letter. */
function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 marked') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  const page = codePageOf(encoding);
  const decoder = page === null ? new TextDecoder(encoding) : null;
  const letterOf = (byte: number) =>
    decoder === null
      ? codePageText(page ?? 'CP437', Uint8Array.of(byte))
      : decoder.decode(Uint8Array.of(byte));
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [letterOf(byte), byte] as const));
  return Uint8Array.from([...text.normalize('NFC')], (letter) => byteOf.get(letter) ?? 0x3f);
}

/** The rows with a value, of a table as it was written or as the service reads it. */
export function filledRows(rows: string | readonly (readonly string[] | null)[]): unknown {
  if (typeof rows === 'string') return rows;
  return rows.filter((cells) => cells === null || cells.some((cell) => cell !== ''));
}
