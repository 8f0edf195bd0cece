import { cells, type Export, quoted, range, two } from './export.ts';

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

const BALTIC_NAMES = ['Konto', 'Reatüüp', 'Kuupäev', 'Selgitus', 'Summa', 'D/K'];
const balticRow = (type: string, day: number, text: string, sum: string): string[] => [
  'EE382200221020145685',
  type,
  `${two(day)}.11.2026`,
  text,
  sum,
  'K',
];
const BALTIC = range(5).map((at) => balticRow('20', at + 1, `Ostud; kaart ${at}`, `${at + 10},50`));
const LITHUANIAN_NAMES = ['Sąskaitos Nr.', 'Tipas', 'Data', 'Paaiškinimai', 'Suma', 'D/K', 'Įrašo Nr.'];
const lithuanianRow = (type: string, day: number, text: string, record: string): string[] => [
  'LT467300010071256495',
  type,
  `2026-11-${two(day)}`,
  text,
  `${day}8.50`,
  'K',
  record,
];
const LITHUANIAN = range(5).map((at) => lithuanianRow('20', at + 1, `Pirkinys, ${at}`, `202611010${at}`));
const GRADES_NAMES = ['Student', 'ID', 'SIS Login ID', 'Section', 'Quiz (201)', 'Final Grade'];
const GRADES = ['Quill, Pat', 'Rivera, Mo', 'Stone, Ada', 'Young, Cy', 'Zhang, Wei'].map((name, at) => [
  name,
  `10${at}`,
  `XQ10${at}`,
  '90-01',
  at === 2 ? '' : `8${at}.50`,
  at === 2 ? 'F' : 'B',
]);
const STATION = range(6).map((at) => [
  `2${at}.11.26`,
  '00:30',
  `1${at}.5`,
  `${at}.8`,
  'NW',
  `99${at}.1`,
  '0.0',
]);
const AMERICAN_NAMES = ['Date', 'Description', 'Amount', 'Running Bal.'];
const AMERICAN = range(5).map((at) => [`11/0${at + 2}/2026`, `PURCHASE ${at}`, `-${at}.10`, `99${at}.90`]);
const MARKS_NAMES = ['Élève', 'Classe', 'Maths', 'EPS'];
const MARKS = ['LEFÈVRE Zoé', 'DUPONT Noël', 'CÔTÉ Inès', 'MAÇON Gaël'].map((name, at) => [
  name,
  '4e B',
  at === 2 ? 'Disp' : `1${at},50`,
  at === 0 ? 'Abs' : `${at + 8},00`,
]);
const PUPILS_NAMES = ['Pupil', 'Form', 'Art', 'Music'];
const PUPILS = ['Ada King', 'Bob Stone', 'Cy Young', 'Di Fox'].map((name, at) => [
  name,
  '7B',
  `${at + 5}`,
  '9',
]);

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
  'a bank in Estonian, balances and turnover with an account': {
    lines: quoted(';', [
      BALTIC_NAMES,
      balticRow('10', 1, 'Algsaldo', '100,00'),
      ...BALTIC,
      balticRow('82', 28, 'Käive', '62,50'),
      balticRow('86', 28, 'lõppsaldo', '162,50'),
    ]),
    table: [BALTIC_NAMES, ...BALTIC],
  },
  'a bank in Lithuanian, balances and turnover without a number of the record': {
    lines: quoted(',', [
      LITHUANIAN_NAMES,
      lithuanianRow('10', 1, 'Likutis pradžiai', ''),
      ...LITHUANIAN,
      lithuanianRow('82', 28, 'Apyvarta', ''),
      lithuanianRow('86', 28, 'Likutis pabaigai', ''),
    ]),
    table: [LITHUANIAN_NAMES, ...LITHUANIAN],
  },
  'Canvas, the points that are possible below the names': {
    lines: quoted(',', [
      GRADES_NAMES,
      ['    Points Possible', '', '', '', '100.00', '(read only)'],
      ...GRADES,
    ]),
    table: [GRADES_NAMES, ...GRADES],
  },
  'Davis, names on two lines': {
    lines: [
      ['', '', 'Temp', 'Wind', 'Wind', '', 'Rain'],
      ['Date', 'Time', 'Out', 'Speed', 'Dir', 'Bar', 'Rate'],
      ...STATION,
    ].map((row) => row.join('\t')),
    table: [['Date', 'Time', 'Temp Out', 'Wind Speed', 'Wind Dir', 'Bar', 'Rain Rate'], ...STATION],
  },
  'a card in English, a tab behind each quoted amount': {
    lines: [
      'Transaction date,Description,Billing amount,Currency',
      ...range(6).map((at) => `0${at + 1}/11/2026,"SHOP ${at},LTD.","-1,09${at}.14"\t,HKD`),
    ],
    table: [
      ['Transaction date', 'Description', 'Billing amount', 'Currency'],
      ...range(6).map((at) => [`0${at + 1}/11/2026`, `SHOP ${at},LTD.`, `-1,09${at}.14`, 'HKD']),
    ],
  },
  'an American bank, the balance before with a date': {
    lines: [
      AMERICAN_NAMES,
      ['11/01/2026', 'Beginning balance as of 11/01/2026', '', '1000.00'],
      ...AMERICAN,
    ].map((row) => row.join(',')),
    table: [AMERICAN_NAMES, ...AMERICAN],
  },
  'marks in French, the mean of the class': {
    encoding: 'Windows-1252',
    lines: [MARKS_NAMES, ...MARKS, ['Moyenne de la classe', '', '11,83', '10,00']].map((row) =>
      row.join(';'),
    ),
    table: [MARKS_NAMES, ...MARKS],
  },
  'marks in English, the average of the form and a note': {
    lines: [PUPILS_NAMES, ...PUPILS, ['Form average', '', '6.6', '9.1'], ['N: absent', '', '', '']].map(
      (row) => row.join(','),
    ),
    table: [PUPILS_NAMES, ...PUPILS],
  },
  'an ads manager, the results of all campaigns': {
    lines: [
      'Campaign name,Starts,Reach,Spent (EUR)',
      ...range(4).map((at) => `Autumn ${at},2026-11-01,${at + 1}050,${at + 5}.25`),
      'Results from 4 campaigns,2026-11-01,9100,27.00',
    ],
    table: cells(',', [
      'Campaign name,Starts,Reach,Spent (EUR)',
      ...range(4).map((at) => `Autumn ${at},2026-11-01,${at + 1}050,${at + 5}.25`),
    ]),
  },
  'codes in brackets, a comma behind each': {
    lines: ['[code],[name],', ...range(4).map((at) => `[A${at}],[Item ${at}],`)],
    table: [['[code]', '[name]'], ...range(4).map((at) => [`[A${at}]`, `[Item ${at}]`])],
  },
};
