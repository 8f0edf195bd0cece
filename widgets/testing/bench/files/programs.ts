import { BALANCES } from './balances.ts';
import { BANKS } from './banks.ts';
import type { Shape } from './corpus.ts';
import { DEVICES } from './devices.ts';
import { DIGITS, SIGNS } from './digits.ts';
import { cells, type Export, quoted, range, two } from './export.ts';
import { FORMS } from './forms.ts';
import { LEDGERS } from './ledgers.ts';
import { encoded } from './made.ts';
import { OFFICES } from './offices.ts';
import { trimmed } from './person.ts';
import { REPORTS } from './reports.ts';

const ADS = ['Campaign', 'Budget', 'Status', 'Clicks', 'CTR', 'Cost'];
const ADS_ROWS = range(5).map((at) => [
  `Search ${at}`,
  '--',
  at % 2 === 0 ? 'Enabled' : 'Paused',
  `1,${two(at)}1`,
  `${at}.50%`,
  `${at * 3}.10`,
]);
const WEATHER = range(9).map((at) => [`2026-03-0${at + 1} 10:00:00`, String(at), `12.${at}`, `1${at}.5`]);
const ORDER = ['Name', 'Email', 'Total', 'Lineitem quantity', 'Lineitem name', 'Notes'];
const ORDERS = range(6).map((at) => [
  `#10${two(at >> 1)}`,
  at % 2 === 0 ? `c${at}@example.org` : '',
  at % 2 === 0 ? `${at}9.00` : '',
  String(at + 1),
  `Shirt ${at}, blue`,
  at % 2 === 0 ? 'Please ring\nat the back' : '',
]);
const LAPS = range(5).map((at) => [String(at + 1), `05:1${at}`, '1.00', String(140 + at)]);
const COUNTRIES = ['Aruba', 'Chad', 'Chile', 'Fiji', 'Malta', 'Peru'].map((country, at) => [
  country,
  country.slice(0, 3).toUpperCase(),
  'Population, total',
  `${at}5.5`,
  at % 2 === 0 ? '' : `${at}6.5`,
]);

const ADVERTISING: Readonly<Record<string, Export>> = {
  'Google Ads': {
    lines: [
      'Campaign report',
      '"November 1, 2026 - November 30, 2026"',
      ADS.join(','),
      ...ADS_ROWS.map((row) => row.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')),
      'Total: Campaigns, --, --,"5,105",1.50%,30.50',
      'Total: Account, --, --,"5,105",1.50%,30.50',
      'Total: Search, --, --,"5,105",1.50%,30.50',
    ],
    table: [ADS, ...ADS_ROWS],
  },
  'Meta Ads, with a total above': {
    lines: quoted(',', [
      ['Campaign name', 'Delivery', 'Reach', 'Amount spent (EUR)'],
      ['', '', '1010', '15.5'],
      ...range(5).map((at) => [`Autumn ${at}`, 'active', String(200 + at), `${at + 1}.1`]),
    ]),
    table: [
      ['Campaign name', 'Delivery', 'Reach', 'Amount spent (EUR)'],
      ...range(5).map((at) => [`Autumn ${at}`, 'active', String(200 + at), `${at + 1}.1`]),
    ],
  },
  'Google Analytics, two tables': {
    lines: [
      '# ----------------------------------------',
      '# Pages and screens',
      '# Account: Acme',
      '# ----------------------------------------',
      '#',
      '# Start date: 20261101',
      '# End date: 20261128',
      'Page path,Views,Users',
      ...range(8).map((at) => `/page-${at},${90 - at},${50 - at}`),
      '',
      '# Start date: 20261101',
      '# End date: 20261128',
      'Nth day,Views',
      ...range(5).map((at) => `000${at},${at * 3}`),
    ],
    table: cells(',', [
      'Page path,Views,Users',
      ...range(8).map((at) => `/page-${at},${90 - at},${50 - at}`),
    ]),
  },
  'Amazon, with a description above': {
    lines: [
      '"Includes Amazon Marketplace, Fulfillment by Amazon (FBA), and Amazon Webstore transactions"',
      '"All amounts in EUR, unless specified"',
      '"Definitions:"',
      '"Sales tax collected: Includes sales tax collected from buyers for product sales, shipping, and gift wrap."',
      ...quoted(',', [
        ['date/time', 'type', 'order id', 'quantity', 'total'],
        ...range(6).map((at) => [`${at + 1} Nov 2026 10:00:00 UTC`, 'Order', `302-${at}`, '1', `1${at}.20`]),
      ]),
    ],
    table: [
      ['date/time', 'type', 'order id', 'quantity', 'total'],
      ...range(6).map((at) => [`${at + 1} Nov 2026 10:00:00 UTC`, 'Order', `302-${at}`, '1', `1${at}.20`]),
    ],
  },
};

const STATISTICS: Readonly<Record<string, Export>> = {
  Eurostat: {
    lines: [
      'freq,unit,geo\\TIME_PERIOD\t2023 \t2024 \t2025 ',
      ...['AT', 'BE', 'DE', 'ES', 'FR', 'IT'].map((geo, at) => `A,PC,${geo}\t${at}.1 \t${at}.5 b\t: `),
    ],
    table: [
      ['freq,unit,geo\\TIME_PERIOD', '2023', '2024', '2025'],
      ...['AT', 'BE', 'DE', 'ES', 'FR', 'IT'].map((geo, at) => [`A,PC,${geo}`, `${at}.1`, `${at}.5 b`, ':']),
    ],
  },
  destatis: {
    encoding: 'Windows-1252',
    lines: [
      'Tabelle: 12411-0001',
      'Bevölkerung: Deutschland, Stichtag',
      'Fortschreibung des Bevölkerungsstandes',
      'Stichtag;Bevölkerungsstand;Veränderung',
      ...range(8).map((at) => `31.12.${2018 + at};8${at}019213;${at},5`),
      '__________',
      'Ergebnisse auf Grundlage des Zensus.',
      '© Statistisches Bundesamt (Destatis), 2026',
      'Stand: 28.11.2026 / 10:00:00',
    ],
    table: [
      ['Stichtag', 'Bevölkerungsstand', 'Veränderung'],
      ...range(8).map((at) => [`31.12.${2018 + at}`, `8${at}019213`, `${at},5`]),
    ],
  },
  INE: {
    encoding: 'Windows-1252',
    lines: [
      'Estadística del Padrón Continuo',
      'Población por provincias y sexo',
      '',
      ' ;Total;Hombres;Mujeres;',
      ...['Álava', 'Albacete', 'Alicante', 'Almería', 'Ávila', 'Cáceres'].map(
        (name, at) => `${two(at + 1)} ${name};${at}33.100;${at}16.050;${at}17.050;`,
      ),
      '',
      'Notas:',
      '1) Cifras provisionales',
      'Fuente: Instituto Nacional de Estadística',
    ],
    table: [
      ['', 'Total', 'Hombres', 'Mujeres'],
      ...['Álava', 'Albacete', 'Alicante', 'Almería', 'Ávila', 'Cáceres'].map((name, at) => [
        `${two(at + 1)} ${name}`,
        `${at}33.100`,
        `${at}16.050`,
        `${at}17.050`,
      ]),
    ],
  },
  'World Bank': {
    lines: [
      '\ufeff"Data Source","World Development Indicators",',
      '',
      '"Last Updated Date","2026-11-01",',
      '',
      ...quoted(',', [['Country Name', 'Country Code', 'Indicator Name', '2024', '2025'], ...COUNTRIES]).map(
        (line) => `${line},`,
      ),
    ],
    table: [['Country Name', 'Country Code', 'Indicator Name', '2024', '2025'], ...COUNTRIES],
  },
  'World Bank, with its source below': {
    lines: [
      ...quoted(',', [
        ['Country Name', 'Country Code', 'Series Name', '2024 [YR2024]', '2025 [YR2025]'],
        ...COUNTRIES,
      ]),
      '',
      '',
      '"Data from database: World Development Indicators"',
      '"Last Updated: 11/01/2026"',
    ],
    table: [['Country Name', 'Country Code', 'Series Name', '2024 [YR2024]', '2025 [YR2025]'], ...COUNTRIES],
  },
};

const LOGGERS: Readonly<Record<string, Export>> = {
  HOBO: {
    lines: [
      '"Plot Title: 20123456"',
      '"#","Date Time, GMT+01:00","Temp, °C (LGR S/N: 20123456)","Host Connected"',
      ...range(9).map((at) => `${at + 1},11/0${at + 1}/26 10:00:00 AM,2${at}.461,`),
    ],
    table: [
      ['#', 'Date Time, GMT+01:00', 'Temp, °C (LGR S/N: 20123456)', 'Host Connected'],
      ...range(9).map((at) => [String(at + 1), `11/0${at + 1}/26 10:00:00 AM`, `2${at}.461`, '']),
    ],
  },
  Campbell: {
    lines: [
      '"TOA5","Station","CR1000","1234","CR1000.Std.32","CPU:weather.CR1","5891","Table1"',
      '"TIMESTAMP","RECORD","BattV_Min","AirTC_Avg"',
      '"TS","RN","Volts","Deg C"',
      '"","","Min","Avg"',
      ...WEATHER.map(([time = '', ...others]) => `"${time}",${others.join(',')}`),
    ],
    table: [['TIMESTAMP TS', 'RECORD RN', 'BattV_Min Volts Min', 'AirTC_Avg Deg C Avg'], ...WEATHER],
  },
  'a logger that says its end': {
    lines: ['Date,Time,Temp', ...range(7).map((at) => `2026-11-0${at + 1},10:0${at},2${at}.5`), 'End of log'],
    table: cells(',', ['Date,Time,Temp', ...range(7).map((at) => `2026-11-0${at + 1},10:0${at},2${at}.5`)]),
  },
  'laps with a summary below': {
    lines: ['Laps,Time,Distance,Avg HR', ...LAPS.map((row) => row.join(',')), 'Summary,26:00,5.00,142'],
    table: [['Laps', 'Time', 'Distance', 'Avg HR'], ...LAPS],
  },
};

const BUSINESS: Readonly<Record<string, Export>> = {
  Shopify: { lines: quoted(',', [ORDER, ...ORDERS]), table: [ORDER, ...ORDERS] },
  Stripe: {
    lines: [
      'id,Description,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Customer Email',
      ...range(6).map(
        (at) => `ch_3N${at}x,,2026-11-0${at + 1} 10:00:00,${at}9.00,0.00,eur,TRUE,c${at}@example.org`,
      ),
    ],
    table: cells(',', [
      'id,Description,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Customer Email',
      ...range(6).map(
        (at) => `ch_3N${at}x,,2026-11-0${at + 1} 10:00:00,${at}9.00,0.00,eur,TRUE,c${at}@example.org`,
      ),
    ]),
  },
  Jira: {
    lines: [
      'Summary,Issue key,Issue id,Status,Sprint,Sprint,Comment,Comment',
      ...range(6).map(
        (at) => `Fix login ${at},APP-${at},1000${at},Done,S${at},S${at + 1},"${at}/Nov/26;ada;Line\nTwo",`,
      ),
    ],
    table: [
      ['Summary', 'Issue key', 'Issue id', 'Status', 'Sprint', 'Sprint (2)', 'Comment', 'Comment (2)'],
      ...range(6).map((at) => [
        `Fix login ${at}`,
        `APP-${at}`,
        `1000${at}`,
        'Done',
        `S${at}`,
        `S${at + 1}`,
        `${at}/Nov/26;ada;Line\nTwo`,
        '',
      ]),
    ],
  },
  Salesforce: {
    lines: [
      ...quoted(',', [
        ['Account Name', 'Owner', 'Close Date', 'Amount'],
        ...range(6).map((at) => [`Acme ${at}`, 'Ada Byron', `11/${at + 1}/2026`, `${at}500.00`]),
      ]),
      '',
      '',
      '"Open deals"',
      '"Copyright (c) 2000-2026 salesforce.com, inc. All rights reserved."',
      '"Confidential Information - Do Not Distribute"',
      '"Generated By:  Ada Byron  11/28/2026 10:00 AM"',
      '"Acme"',
    ],
    table: [
      ['Account Name', 'Owner', 'Close Date', 'Amount'],
      ...range(6).map((at) => [`Acme ${at}`, 'Ada Byron', `11/${at + 1}/2026`, `${at}500.00`]),
    ],
  },
  'Excel in French, with a title and a total': {
    encoding: 'Windows-1252',
    lines: [
      'Ventes du trimestre;;;',
      ';;;',
      'Région;Vendeur;Quantité;Montant',
      ...range(6).map((at) => `Île-de-France;Zoé;${at + 1};1 ${at}00,50`),
      'Total;;21;7 503,00',
    ],
    table: [
      ['Région', 'Vendeur', 'Quantité', 'Montant'],
      ...range(6).map((at) => ['Île-de-France', 'Zoé', String(at + 1), `1 ${at}00,50`]),
    ],
  },
  'Excel with a list of products that has no total': {
    lines: [
      'Product,Price',
      'Total Repair Shampoo,4.50',
      'Sum 41 Album,9.00',
      'Total War,29.00',
      'Soap,1.20',
    ],
    table: cells(',', [
      'Product,Price',
      'Total Repair Shampoo,4.50',
      'Sum 41 Album,9.00',
      'Total War,29.00',
      'Soap,1.20',
    ]),
  },
};

/** Files in the forms of known programs. */
export const PROGRAMS: readonly Shape[] = Object.entries({
  ...BANKS,
  ...ADVERTISING,
  ...STATISTICS,
  ...LOGGERS,
  ...BUSINESS,
  ...FORMS,
  ...LEDGERS,
  ...REPORTS,
  ...OFFICES,
  ...DEVICES,
  ...BALANCES,
  ...DIGITS,
  ...SIGNS,
}).map(([name, { lines, table, encoding }]) => {
  const text = `${lines.join('\r\n')}\r\n`;
  const bytes = encoding === undefined ? Buffer.from(text) : encoded(text, encoding);
  return { name, bytes, expected: { rows: table, plain: trimmed, hasNames: true } };
});
