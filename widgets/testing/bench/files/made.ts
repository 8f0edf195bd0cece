import { codePageOf, codePageText } from '../../../../schemas/imports/fix/code-pages.ts';
import type { LegacyEncoding } from '../../../../schemas/imports/fix/encodings.ts';
import type { Shape } from './corpus.ts';
import { DRAWINGS, misread } from './drawn.ts';
import { LOCALES, type Locale } from './locales.ts';
import type { Table } from './person.ts';

/** The account of a person, as a program of one language writes it. */
interface Account extends Locale {
  readonly rows: Table;
}

/** A file, and the table that a careful reader sees in it; the account itself if it is not named. */
interface Made {
  readonly file: string | Uint8Array;
  readonly table?: Table;
}

const ROWS = 12;
const MONTHS_OF_YEAR = 12;

function accountOf(locale: Locale): Account {
  const { decimal, texts } = locale;
  const rows = Array.from({ length: ROWS }, (_, at) => [
    decimal === '.' ? `2026-03-${two(at + 1)}` : `${two(at + 1)}.03.2026`,
    texts[at % texts.length] ?? '',
    `-${at + 3}${decimal}${two(at * 7)}`,
    `${900 - at * 9}${decimal}${two(at * 5)}`,
  ]);
  return { ...locale, rows };
}

/** The sum of the amounts of rows. */
function sumOf({ decimal, rows: all }: Account, rows = all): string {
  const sum = rows.reduce((part, [, , amount = '']) => part + Number(amount.replace(',', '.')), 0);
  return sum.toFixed(2).replace('.', decimal);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function lineOf({ separator }: Locale, cells: readonly string[], isQuoted = false): string {
  const needsQuotes = (cell: string) => isQuoted || cell.includes(separator) || /["\n]/.test(cell);
  return cells.map((cell) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator);
}

function textOf(locale: Locale, rows: Table, isQuoted = false): string {
  return rows.map((cells) => `${lineOf(locale, cells, isQuoted)}\n`).join('');
}

/** The bytes of a text in an encoding. */
export function encoded(text: string, encoding: LegacyEncoding): Uint8Array {
  const page = codePageOf(encoding);
  const decoder = new TextDecoder(page === null ? encoding : 'utf-8');
  const decode = (...own: number[]) =>
    page === null ? decoder.decode(Uint8Array.from(own)) : (codePageText(page, Uint8Array.from(own)) ?? '');
  const bytes = new Map<string, readonly number[]>();
  const all = [...Array(256).keys()];
  for (const first of all) {
    for (const second of all) bytes.set(decode(first, second), [first, second]);
  }
  for (const only of all) bytes.set(decode(only), [only]);
  return Uint8Array.from([...text].flatMap((character) => [...(bytes.get(character) ?? [0x3f])]));
}

/** The account with other rows below its header. */
function below(account: Account, rows: Table): string {
  return textOf(account, [account.names, ...account.rows, ...rows]);
}

const whole = (account: Account): string => below(account, []);

const CODE_PAGES: Readonly<Record<string, LegacyEncoding>> = {
  en: 'CP437',
  de: 'CP850',
  fr: 'CP850',
  es: 'CP437',
  nl: 'CP850',
  pl: 'CP852',
  cs: 'CP852',
  tr: 'CP857',
  ru: 'IBM866',
  el: 'CP737',
};

/** Files of which the account is the table. */
const ACCOUNTS: Readonly<Record<string, (account: Account) => string | Uint8Array>> = {
  plain: whole,
  'all in quotes': (account) => textOf(account, [account.names, ...account.rows], true),
  'a mark, CRLF': (account) => `\ufeff${whole(account).replaceAll('\n', '\r\n')}`,
  'UTF-16, tabs': (account) => Buffer.from(`\ufeff${whole({ ...account, separator: '\t' })}`, 'utf16le'),
  'its older encoding': (account) => encoded(whole(account), account.encoding),
  'its code page of DOS': (account) =>
    encoded(whole(account), CODE_PAGES[account.language] ?? account.encoding),
  'its older encoding, a title, tabs': (account) =>
    encoded(`${account.title}\n\n${whole({ ...account, separator: '\t' })}`, account.encoding),
  carets: (account) => whole({ ...account, separator: '^' }),
  bars: (account) => whole({ ...account, separator: '|' }),
  'sep=': (account) => `sep=${account.separator}\r\n${whole(account)}`,
  'a title': (account) => `${account.title}\n${whole(account)}`,
  'a title, a blank line': (account) => `${account.title} (2026-03)\n\n${whole(account)}`,
  'a title as wide': (account) =>
    textOf(account, [
      [account.title, '', '', ''],
      ['', '', '', ''],
    ]) + whole(account),
  'a title of two cells': (account) => textOf(account, [[account.title, '2026-03']]) + whole(account),
  'names and values': (account) =>
    `${textOf(account, [[account.title, 'DE02 1203'], [account.names[3] ?? '', '12.00'], [account.note]])}\n${whole(account)}`,
  'names and values as wide': (account) =>
    textOf(account, [
      [account.title, 'DE02 1203', '', ''],
      [account.names[3] ?? '', '12', '', ''],
    ]) + whole(account),
  'a total': (account) => below(account, [[account.total, '', sumOf(account), '']]),
  'a total of more than the rows': (account) => below(account, [[account.total, '', '-102', '']]),
  'a total and a balance': (account) => below(account, [[account.total, '', sumOf(account), '801']]),
  'a total in the second column': (account) => below(account, [['', account.total, sumOf(account), '801']]),
  'a total with a colon': (account) => below(account, [[`${account.total}:`, '', sumOf(account), '801']]),
  'a total above': (account) =>
    textOf(account, [account.names, [account.total, '', sumOf(account), '801'], ...account.rows]),
  'a total without a word above': (account) =>
    textOf(account, [account.names, ['', '', sumOf(account), ''], ...account.rows]),
  'subtotals and a total': (account) => {
    const sums = (at: number, rows: Table) => [
      `${account.texts[at]} ${account.total}`,
      '',
      sumOf(account, rows),
      '',
    ];
    const [first, second] = [account.rows.slice(0, 6), account.rows.slice(6)];
    return textOf(account, [
      account.names,
      ...first,
      sums(0, first),
      ...second,
      sums(1, second),
      [account.total, '', sumOf(account), ''],
    ]);
  },
  'a note': (account) => `${whole(account)}${account.note}\n`,
  'a note behind a blank line': (account) => `${whole(account)}\n${account.note}\n© 2026\n`,
  'a note as wide': (account) => below(account, [[account.note, '', '', '']]),
  'a note of two cells as wide': (account) =>
    below(account, [
      ['', '', '', ''],
      [account.note, '2026', '', ''],
    ]),
  'a total and notes as wide': (account) =>
    below(account, [
      [account.total, '', sumOf(account), ''],
      ['', '', '', ''],
      [account.note, '', '', ''],
      ['* 2026', '', '', ''],
    ]),
  'sections as wide': (account) => {
    const [first, second] = [account.rows.slice(0, 6), account.rows.slice(6)];
    const title = (at: number) => [account.texts[at] ?? '', '', '', ''];
    return textOf(account, [account.names, title(0), ...first, title(1), ...second]);
  },
  'a separator behind each row': (account) => whole(account).replaceAll('\n', `${account.separator}\n`),
  'a separator behind each record': (account) =>
    `${lineOf(account, account.names)}\n${textOf(account, account.rows).replaceAll('\n', `${account.separator}\n`)}`,
  'an empty column': (account) =>
    textOf(
      account,
      [account.names, ...account.rows].map(([first = '', ...others]) => [first, '', ...others]),
    ),
  'blank lines': (account) => whole(account).replaceAll('\n', '\n\n'),
  'empty rows at the end': (account) => below(account, Array<string[]>(3).fill(['', '', '', ''])),
  'mixed line ends': (account) => whole(account).replace('\n', '\r\n'),
  'CR alone': (account) => whole(account).replaceAll('\n', '\r'),
  'a header on each page': (account) => {
    const [first, second] = [account.rows.slice(0, 6), account.rows.slice(6)];
    return textOf(account, [account.names, ...first, account.names, ...second]);
  },
  'a header with a mark in the middle': (account) => {
    const [first, second] = [account.rows.slice(0, 6), account.rows.slice(6)];
    return `\ufeff${textOf(account, [account.names, ...first])}\ufeff${textOf(account, [account.names, ...second])}`;
  },
  'a mark in the middle': (account) => {
    const [first, second] = [account.rows.slice(0, 6), account.rows.slice(6)];
    return `${textOf(account, [account.names, ...first])}\ufeff${textOf(account, second)}`;
  },
  ...Object.fromEntries(
    Object.entries(DRAWINGS).map(([name, draw]) => [
      name,
      ({ names, rows }: Account) => draw([names, ...rows]),
    ]),
  ),
  'UTF-8 encoded twice': (account) => misread(whole(account)),
  'a mean': (account) => below(account, [[account.mean, '', '-8,50', '']]),
  'a mean in the second column': (account) => below(account, [['', account.mean, '-8', '801']]),
  'another table below': (account) =>
    `${whole(account)}\n${account.title}\n${textOf(account, [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])}`,
};

function pivot(account: Account, names: readonly string[]): Made {
  const [region = ''] = account.names;
  const rows = account.texts.map((text, at) => [
    text,
    ...names.map((_, place) => String(at * 31 + place * 7 + 3)),
  ]);
  const table = [[region, ...names], ...rows];
  return { file: textOf(account, table), table };
}

const months = (locale: Locale): string[] =>
  [...Array(MONTHS_OF_YEAR).keys()].map((month) =>
    new Intl.DateTimeFormat(locale.language, { month: 'short' }).format(new Date(2026, month, 1)),
  );
const dates = (from: readonly number[], write: (day: string) => string) => from.map((day) => write(two(day)));

/** Files of other tables. */
const TABLES: Readonly<Record<string, (account: Account) => Made>> = {
  'no header': (account) => ({
    file: textOf(account, account.rows),
    table: [['Column 1', 'Column 2', 'Column 3', 'Column 4'], ...account.rows],
  }),
  'no header, texts only': (account) => {
    const rows = account.texts.map((text, at) => [text, account.texts[(at + 1) % 2] ?? '']);
    return { file: textOf(account, rows), table: [['Column 1', 'Column 2'], ...rows] };
  },
  'years as names': (account) => pivot(account, ['2023', '2024', '2025']),
  'months as names': (account) => pivot(account, months(account)),
  'months of a year as names': (account) =>
    pivot(
      account,
      dates([1, 2, 3], (month) => `2026-${month}`),
    ),
  'dates as names': (account) =>
    pivot(
      account,
      dates([1, 2, 3], (day) => `${day}.03.2026`),
    ),
  'hours as names': (account) =>
    pivot(
      account,
      dates([7, 8, 9, 10], (hour) => `${hour}:00`),
    ),
  'doses as names': (account) => pivot(account, ['0.1', '0.5', '1', '5']),
  'one year as a name': (account) => pivot(account, ['2025']),
  'years and a total column': (account) => pivot(account, ['2024', '2025', account.total]),
  'a header of two lines': (account) => {
    const [first = '', second = '', amount = '', balance = ''] = account.names;
    const lines = [
      ['', amount, '', balance, ''],
      [first, '2024', '2025', '2024', '2025'],
    ];
    const rows = account.texts.map((text, at) => [text, `${at}`, `${at + 4}`, `${at * 3}`, `${at * 5}`]);
    const names = [first, `${amount} 2024`, `${amount} 2025`, `${balance} 2024`, `${balance} 2025`];
    return { file: textOf(account, [...lines, ...rows]), table: [names, ...rows], ...(second === '' && {}) };
  },
  'a header of two lines in a table of texts': (account) => {
    const [a = '', b = '', c = '', d = ''] = account.names;
    const rows = account.texts.map((text, at) => [
      text,
      account.texts[(at + 2) % 3] ?? '',
      account.texts[at % 2] ?? '',
    ]);
    const lines = [
      [a, '', b],
      [c, d, ''],
    ];
    return { file: textOf(account, [...lines, ...rows]), table: [[`${a} ${c}`, `${a} ${d}`, b], ...rows] };
  },
  'units below the names': (account) => {
    const rows = account.rows.map((_, at) => [`${at}`, `${20 + at}`, `${at * 3}`]);
    const lines = [account.names.slice(0, 3), ['s', '°C', 'm/s']];
    const names = account.names.slice(0, 3).map((name, at) => `${name} ${['s', '°C', 'm/s'][at]}`);
    return { file: textOf(account, [...lines, ...rows]), table: [names, ...rows] };
  },
  'a word among the first amounts': (account) => {
    const [first = [], ...others] = account.rows;
    const table = [
      account.names,
      [first[0] ?? '', first[1] ?? '', account.texts[5] ?? '', first[3] ?? ''],
      ...others,
    ];
    return { file: textOf(account, table), table };
  },
  'thousands with blanks': (account) => {
    const rows = account.rows.map(([day = '', text = ''], at) => [
      day,
      text,
      `${at + 1} 234 567`,
      `${at} 000`,
    ]);
    return { file: textOf(account, [account.names, ...rows]), table: [account.names, ...rows] };
  },
  'currencies and percents': (account) => {
    const rows = account.rows.map(([day = '', text = '', amount = ''], at) => [
      day,
      text,
      `${amount} €`,
      `${at} %`,
    ]);
    return { file: textOf(account, [account.names, ...rows]), table: [account.names, ...rows] };
  },
  'lines in cells': (account) => {
    const rows = account.rows.map(([day = '', text = '', ...sums]) => [day, `${text}\n"${text}"`, ...sums]);
    return { file: textOf(account, [account.names, ...rows]), table: [account.names, ...rows] };
  },
  'empty cells': (account) => {
    const rows = account.rows.map((cells, at) =>
      cells.map((cell, place) => (place > 0 && (at + place) % 3 === 0 ? '' : cell)),
    );
    return { file: textOf(account, [account.names, ...rows]), table: [account.names, ...rows] };
  },
  'a missing last value': (account) => {
    const rows = account.rows.map((cells, at) => (at % 5 === 4 ? [...cells.slice(0, 3), ''] : cells));
    const lines = rows.map((cells) => (cells[3] === '' ? cells.slice(0, 3) : cells));
    return { file: textOf(account, [account.names, ...lines]), table: [account.names, ...rows] };
  },
  'a comma in each text': (account) => {
    const rows = account.rows.map(([day = '', text = '', ...sums]) => [
      day,
      `${text}, ${account.title}`,
      ...sums,
    ]);
    const file = textOf({ ...account, separator: ';' }, [account.names, ...rows]);
    return { file, table: [account.names, ...rows] };
  },
  'a last name that is missing': (account) => {
    const [a = '', b = '', c = ''] = account.names;
    return {
      file: textOf(account, [[a, b, c], ...account.rows]),
      table: [[a, b, c, 'Column 4'], ...account.rows],
    };
  },
  'two columns with gaps': (account) => {
    const rows = account.texts.map((text, at) => [text, at % 2 === 0 ? account.title : '']);
    const table = [account.names.slice(1, 3), ...rows];
    return { file: textOf(account, table), table };
  },
};

/** Files in the shapes that programs of many languages write. */
export const MADE: readonly Shape[] = LOCALES.map(accountOf).flatMap((account) => [
  ...Object.entries(ACCOUNTS).map(([name, make]) => shapeOf(account, name, { file: make(account) })),
  ...Object.entries(TABLES).map(([name, make]) => shapeOf(account, name, make(account))),
]);

function shapeOf(account: Account, name: string, { file, table }: Made): Shape {
  const rows = table ?? [account.names, ...account.rows];
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  return {
    name: `${account.language}: ${name}`,
    bytes,
    expected: { rows, plain: (cell) => cell, hasNames: true },
  };
}
