import type { LegacyEncoding } from '../../../../schemas/imports/fix/encodings.ts';
import type { Shape } from './corpus.ts';
import { encoded } from './made.ts';
import { type Table, trimmed } from './person.ts';

/** A file as a program exports it, with the table that a careful reader sees in it. */
interface Export {
  readonly lines: readonly string[];
  readonly table: Table;
  readonly encoding?: LegacyEncoding;
}

/** The cells of lines without quotes. */
function cells(separator: string, lines: readonly string[]): Table {
  return lines.map((line) => line.split(separator));
}

/** The lines of a table in which each cell has quotes. */
function quoted(separator: string, table: Table): string[] {
  return table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator));
}

const range = (count: number): number[] => [...Array(count).keys()];
const two = (number: number): string => String(number).padStart(2, '0');

const ING_NAMES = ['Buchung', 'Wertstellungsdatum', 'Auftraggeber/Empfänger', 'Saldo', 'Währung', 'Betrag'];
const ING_ROWS = range(8).map((at) => [
  `${two(28 - at)}.11.2026`,
  `${two(28 - at)}.11.2026`,
  ['REWE Köln', 'Bäckerei Groß', 'Stadtwerke'][at % 3] ?? '',
  `1.${two(at)}4,50`,
  'EUR',
  `-${at + 1}2,30`,
]);
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

const BANKS: Readonly<Record<string, Export>> = {
  ING: {
    encoding: 'Windows-1252',
    lines: [
      'Umsatzanzeige;Datei erstellt am: 28.11.2026 10:00',
      '',
      'IBAN;DE02 1203 0000 0000 2020 51',
      'Kontoname;Girokonto',
      'Bank;ING',
      'Kunde;Jörg Müller',
      'Zeitraum;01.11.2026 - 28.11.2026',
      'Saldo;1.234,56;EUR',
      '',
      'Sortierung;Datum absteigend',
      '',
      'In der CSV-Datei finden Sie alle bereits gebuchten Umsätze. Die vorgemerkten Umsätze werden nicht aufgenommen.',
      '',
      `${ING_NAMES.join(';')};Währung`,
      ...ING_ROWS.map((row) => `${row.join(';')};EUR`),
    ],
    table: [[...ING_NAMES, 'Währung (2)'], ...ING_ROWS.map((row) => [...row, 'EUR'])],
  },
  Sparkasse: {
    encoding: 'Windows-1252',
    lines: quoted(';', [
      [
        'Auftragskonto',
        'Buchungstag',
        'Verwendungszweck',
        'Beguenstigter/Zahlungspflichtiger',
        'Betrag',
        'Info',
      ],
      ...ING_ROWS.map(([day = '', , who = '', , , sum = '']) => [
        'DE02',
        day,
        `${who}; Straße 5`,
        who,
        sum,
        'Umsatz gebucht',
      ]),
    ]),
    table: [
      [
        'Auftragskonto',
        'Buchungstag',
        'Verwendungszweck',
        'Beguenstigter/Zahlungspflichtiger',
        'Betrag',
        'Info',
      ],
      ...ING_ROWS.map(([day = '', , who = '', , , sum = '']) => [
        'DE02',
        day,
        `${who}; Straße 5`,
        who,
        sum,
        'Umsatz gebucht',
      ]),
    ],
  },
  DKB: {
    lines: [
      '"Girokonto";"DE02120300000000202051"',
      '""',
      '"Kontostand vom 28.11.2026:";"1.234,56 €"',
      '""',
      ...quoted(';', [ING_NAMES, ...ING_ROWS]),
    ],
    table: [ING_NAMES, ...ING_ROWS],
  },
  'Deutsche Bank, with its balance below': {
    lines: [
      'Umsätze Girokonto;;;Kundennummer: 123 1234567',
      '01.11.2026 - 28.11.2026',
      'Letzter Kontostand;;;;1.234,56;EUR',
      'Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.',
      ING_NAMES.join(';'),
      ...ING_ROWS.map((row) => row.join(';')),
      'Kontostand;28.11.2026;;;1.234,56;EUR',
    ],
    table: [ING_NAMES, ...ING_ROWS],
  },
  PostFinance: {
    lines: [
      'Datum von:;="01.11.2026"',
      'Datum bis:;="28.11.2026"',
      'Konto:;="CH5604835012345678009"',
      'Währung:;="CHF"',
      '',
      'Datum;Buchungstext;Gutschrift in CHF;Lastschrift in CHF',
      ...range(6).map((at) => `${two(at + 1)}.11.2026;"Einkauf; Laden ${at}";;-${at + 2}.05`),
      '',
      'Disclaimer:',
      'Dies ist kein durch die Bank erstelltes Dokument. Die Bank ist nicht verantwortlich für den Inhalt.',
    ],
    table: [
      ['Datum', 'Buchungstext', 'Gutschrift in CHF', 'Lastschrift in CHF'],
      ...range(6).map((at) => [`${two(at + 1)}.11.2026`, `Einkauf; Laden ${at}`, '', `-${at + 2}.05`]),
    ],
  },
  Revolut: {
    lines: [
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      ...range(6).map(
        (at) =>
          `CARD_PAYMENT,Current,2026-11-0${at + 1} 10:00:00,2026-11-0${at + 2} 03:00:00,Shop ${at},-${at}.50,0.00,EUR,COMPLETED,9${at}.10`,
      ),
    ],
    table: cells(',', [
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      ...range(6).map(
        (at) =>
          `CARD_PAYMENT,Current,2026-11-0${at + 1} 10:00:00,2026-11-0${at + 2} 03:00:00,Shop ${at},-${at}.50,0.00,EUR,COMPLETED,9${at}.10`,
      ),
    ]),
  },
  PayPal: {
    lines: [
      '\ufeff"Date"," Time"," Time Zone"," Name"," Gross"," Fee"',
      ...range(6).map(
        (at) => `"${two(at + 1)}/11/2026","10:00:0${at}","CET","Ada ${at}","1,${two(at)}0.00","-0.3${at}"`,
      ),
    ],
    table: [
      ['Date', 'Time', 'Time Zone', 'Name', 'Gross', 'Fee'],
      ...range(6).map((at) => [
        `${two(at + 1)}/11/2026`,
        `10:00:0${at}`,
        'CET',
        `Ada ${at}`,
        `1,${two(at)}0.00`,
        `-0.3${at}`,
      ]),
    ],
  },
  'a Japanese bank': {
    encoding: 'Shift_JIS',
    lines: [
      '"お取引日","お引出し","お預入れ","お取り扱い内容","残高"',
      ...range(6).map((at) => `"2026/11/${at + 1}","${at + 1},000","","ＡＴＭ出金 コンビニ","${9 - at},500"`),
    ],
    table: [
      ['お取引日', 'お引出し', 'お預入れ', 'お取り扱い内容', '残高'],
      ...range(6).map((at) => [
        `2026/11/${at + 1}`,
        `${at + 1},000`,
        '',
        'ＡＴＭ出金 コンビニ',
        `${9 - at},500`,
      ]),
    ],
  },
  'Alipay, with rulers': {
    encoding: 'GB18030',
    lines: [
      '支付宝交易记录明细查询',
      '账号:[ada@example.org]',
      '起始日期:[2026-11-01 00:00:00]    终止日期:[2026-11-28 00:00:00]',
      '---------------------------------交易记录明细列表------------------------------------',
      '交易号                  ,交易对方            ,商品名称                ,金额（元）  ,',
      ...range(6).map(
        (at) => `20261101220014${at}	,咖啡店${at}              ,午餐                    ,${at + 10}.00   ,`,
      ),
      '------------------------------------------------------------------------------------',
      '共6笔记录',
      '导出时间:[2026-11-28 10:00:00]    用户:张三',
    ],
    table: [
      ['交易号', '交易对方', '商品名称', '金额（元）'],
      ...range(6).map((at) => [`20261101220014${at}`, `咖啡店${at}`, '午餐', `${at + 10}.00`]),
    ],
  },
};

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
}).map(([name, { lines, table, encoding }]) => {
  const text = `${lines.join('\r\n')}\r\n`;
  const bytes = encoding === undefined ? Buffer.from(text) : encoded(text, encoding);
  return { name, bytes, expected: { rows: table, plain: trimmed, hasNames: true } };
});
