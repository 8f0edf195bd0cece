import { cells, type Export, range, two } from './export.ts';

const INDIAN = range(6).map((at) => [
  `${two(at + 1)}-11-2026`,
  ['UPI/Swiggy', 'Salary', 'ATM'][at % 3] ?? '',
  at % 3 === 1 ? '' : `${at + 4}32.00`,
  at % 3 === 1 ? '45000.00' : '',
  `${9_000 + at}.00`,
]);
const INDIAN_NAMES = ['Date', 'Narration', 'Withdrawal', 'Deposit', 'Balance'];
const LEDGER = range(6).map((at) => [
  `${two(at + 2)}.01.2026`,
  `${at + 1}`,
  'Miete',
  `${at + 8}0,00`,
  '',
  '800,00',
]);
const LEDGER_NAMES = ['Datum', 'Beleg', 'Text', 'Soll', 'Haben', 'Saldo'];
const AIR = range(8).map((at) => [
  `${1_795_860_000 + at * 300}`,
  `2026/11/28 10:${two(at)}`,
  `${20 + at}.5`,
  `${45 + at}`,
]);
const AIR_NAMES = ['Timestamp', 'Timezone', 'Temperature', 'CO2'];

/** Files with balances among their rows, and with a short list above another one of the same width. */
export const BALANCES: Readonly<Record<string, Export>> = {
  'an Indian bank, the balance before in the first row': {
    lines: [INDIAN_NAMES, ['', 'Opening Balance', '', '', '10000.00'], ...INDIAN].map((row) => row.join(',')),
    table: [INDIAN_NAMES, ...INDIAN],
  },
  'a ledger in German, balances before and behind': {
    lines: [
      LEDGER_NAMES,
      ['', '', 'Saldovortrag', '', '', '0,00'],
      ...LEDGER,
      ['', '', 'Saldo', '', '', '4.800,00'],
    ].map((row) => row.join(';')),
    table: [LEDGER_NAMES, ...LEDGER],
  },
  'Netatmo, the station above': {
    lines: [
      'Name;Long;Lat;Module',
      'Haus;6.95;50.93;Room',
      ...[AIR_NAMES, ...AIR].map((row) => row.join(';')),
    ],
    table: [AIR_NAMES, ...AIR],
  },
  'a statement in English, balances carried forward': {
    lines: [
      'Date,Details,Out,In,Balance',
      ',Balance brought forward,,,1000.00',
      ...range(5).map((at) => `${at + 1} Nov,Card ${at},${at + 3}.10,,${990 - at}.00`),
      ',Balance carried forward,,,986.00',
    ],
    table: [
      ...cells(',', ['Date,Details,Out,In,Balance']),
      ...range(5).map((at) => [`${at + 1} Nov`, `Card ${at}`, `${at + 3}.10`, '', `${990 - at}.00`]),
    ],
  },
  'codes in brackets, a comma behind each': {
    lines: ['[code],[name],', ...range(4).map((at) => `[A${at}],[Item ${at}],`)],
    table: [['[code]', '[name]'], ...range(4).map((at) => [`[A${at}]`, `[Item ${at}]`])],
  },
};
