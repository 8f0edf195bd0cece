import { cells, type Export, range } from './export.ts';

const WORKS = range(6).map((at) => [`10${at}`, `Werk ${at}`, `${at}.000,00`, `${at}1`]);
const RATES = range(8).map((at) => [`2026-0${at + 1}`, `1,${at}5`, '']);
const WAVES = range(6).map((at) => [`0,${at}00000`, `1,${at}5`, '']);
const PAGES = range(5).map((at) => [`/p${at}`, `${at + 1}`, `${at + 2}`]);
const ENTRIES = range(5).map((at) => [`0${at + 1} Nov 2026`, `Invoice ${at}`, `${at}0.00`, '']);
const STAYS = [
  'Date,Type,Confirmation Code,Nights,Amount,Paid Out',
  ...range(7).map((at) =>
    at % 3 === 0
      ? `11/0${at + 1}/2026,Payout,,,,${at}50.00`
      : `11/0${at + 1}/2026,Reservation,HM${at},2,1${at}0.00,`,
  ),
];
const POSTINGS = range(6).map((at) => [`0${at + 1}/11/26`, `UPI-SHOP ${at}`, `${at}0.00`, `9${at}0.00`]);

/** Reports of programs with lines around and between their records. */
export const REPORTS: Readonly<Record<string, Export>> = {
  'SAP, units below some names': {
    encoding: 'Windows-1252',
    lines: ['Material;Werk;Umsatz;Menge', ';;EUR;ST', ...WORKS.map((row) => row.join(';'))],
    table: [['Material', 'Werk', 'Umsatz EUR', 'Menge ST'], ...WORKS],
  },
  'Bundesbank, names and values in columns': {
    lines: [
      '"";BBEX3.M.USD.EUR.BB.AC.A01;BBEX3.M.USD.EUR.BB.AC.A01_FLAGS',
      '"";"Devisenkurs";',
      'Einheit;USD;',
      'Dimension;Eins;',
      'Stand vom;28.11.2026 10:00:00 Uhr;',
      ...RATES.map((row) => row.join(';')),
    ],
    table: [['', '', ''], ...RATES],
  },
  'LabVIEW, pairs above': {
    lines: [
      'LabVIEW Measurement\t',
      'Writer_Version\t2',
      'Separator\tTab',
      '***End_of_Header***\t',
      '\t',
      'X_Value\tUntitled\tComment',
      ...WAVES.map((row) => row.join('\t')),
    ],
    table: [['X_Value', 'Untitled', 'Comment'], ...WAVES],
  },
  'Google Analytics, a total below the names': {
    lines: [
      '# Pages',
      '# 20261101-20261128',
      '',
      'Page,Views,Users',
      ',15,20,Grand total',
      ...PAGES.map((row) => row.join(',')),
    ],
    table: [['Page', 'Views', 'Users'], ...PAGES],
  },
  'Xero, a section and two totals': {
    lines: [
      'Account Transactions,,,',
      'Demo Company,,,',
      ',,,',
      'Date,Description,Debit,Credit',
      'Sales,,,',
      ...ENTRIES.map((row) => row.join(',')),
      'Total Sales,,100.00,0.00',
      'Total,,100.00,0.00',
    ],
    table: [['Date', 'Description', 'Debit', 'Credit'], ...ENTRIES],
  },
  'Airbnb, records of two kinds': { lines: STAYS, table: cells(',', STAYS) },
  'an Indian bank, padded cells': {
    lines: [
      '',
      '  Date     ,Narration                ,Debit Amount      ,Closing Balance',
      ...POSTINGS.map(([day, text, debit, balance]) => ` ${day} ,${text}     ,     ${debit},   ${balance}`),
    ],
    table: [['Date', 'Narration', 'Debit Amount', 'Closing Balance'], ...POSTINGS],
  },
};
