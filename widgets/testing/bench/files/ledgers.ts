import { cells, type Export, quoted, range } from './export.ts';
import type { Table } from './person.ts';

const POSTED = range(7).map((at) => [
  `0${at + 1}.11.2026`,
  `0${at + 1}.11.2026`,
  `Kartenzahlung ${at}`,
  `-${at}3,20`,
  `${9 - at}10,00`,
]);

const ACCOUNTS: Readonly<Record<string, Export>> = {
  'UBS, names and values above, a separator behind each row': {
    lines: [
      'Kontonummer:;0234 00103914.40;',
      'IBAN:;CH99 0234 0001;',
      'Von:;2026-11-01;',
      'Anzahl Transaktionen:;6;',
      '',
      'Abschlussdatum;Valuta;Belastung;Gutschrift;Beschreibung;',
      ...range(6).map((at) => `2026-11-0${at + 1};2026-11-0${at + 1};-${at}2.50;;"Coop; Basel ${at}";`),
    ],
    table: [
      ['Abschlussdatum', 'Valuta', 'Belastung', 'Gutschrift', 'Beschreibung'],
      ...range(6).map((at) => [
        `2026-11-0${at + 1}`,
        `2026-11-0${at + 1}`,
        `-${at}2.50`,
        '',
        `Coop; Basel ${at}`,
      ]),
    ],
  },
  'comdirect, balances around the table': {
    encoding: 'Windows-1252',
    lines: [
      ';',
      '"Umsätze Girokonto";"Zeitraum: 30 Tage";',
      '"Neuer Kontostand";"1.234,00 EUR";',
      '',
      '"Buchungstag";"Wertstellung";"Vorgang";"Umsatz in EUR";',
      ...range(6).map((at) => `"0${at + 1}.11.2026";"0${at + 1}.11.2026";"Überweisung ${at}";"-${at}0,00";`),
      '',
      '"Alter Kontostand";"1.534,00 EUR";',
    ],
    table: [
      ['Buchungstag', 'Wertstellung', 'Vorgang', 'Umsatz in EUR'],
      ...range(6).map((at) => [
        `0${at + 1}.11.2026`,
        `0${at + 1}.11.2026`,
        `Überweisung ${at}`,
        `-${at}0,00`,
      ]),
    ],
  },
  'Wells Fargo, no header': {
    lines: quoted(
      ',',
      range(6).map((at) => [`11/0${at + 1}/2026`, `-${at}2.10`, '*', '', `PURCHASE ${at}`]),
    ),
    table: [
      ['', '', '', '', ''],
      ...range(6).map((at) => [`11/0${at + 1}/2026`, `-${at}2.10`, '*', '', `PURCHASE ${at}`]),
    ],
  },
  'Bank of America, a summary above': {
    lines: [
      'Description,,Summary Amt.',
      'Beginning balance as of 11/01/2026,,"1,000.00"',
      'Total credits,,"50.00"',
      'Total debits,,"-21.00"',
      'Ending balance as of 11/28/2026,,"1,029.00"',
      '',
      'Date,Description,Amount,Running Bal.',
      ...range(6).map((at) => `11/0${at + 1}/2026,"PAYMENT ${at}","-${at}.00","1,0${at}9.00"`),
    ],
    table: [
      ['Date', 'Description', 'Amount', 'Running Bal.'],
      ...range(6).map((at) => [`11/0${at + 1}/2026`, `PAYMENT ${at}`, `-${at}.00`, `1,0${at}9.00`]),
    ],
  },
  'a Portuguese bank, the balance in the last line': {
    encoding: 'Windows-1252',
    lines: [
      'Consultar saldos e movimentos à ordem - 28-11-2026',
      '',
      'Conta ;0123 - EUR - Conta à ordem',
      'Data de início ;01-11-2026',
      '',
      'Data mov. ;Data valor ;Descrição ;Débito ;Crédito ;Saldo ;',
      ...range(6).map((at) => `0${at + 1}-11-2026;0${at + 1}-11-2026;COMPRA ${at} ;${at}2,10;;9${at}0,00;`),
      ' ; ; ; ;Saldo contabilístico ;930,00 ;',
    ],
    table: [
      ['Data mov.', 'Data valor', 'Descrição', 'Débito', 'Crédito', 'Saldo'],
      ...range(6).map((at) => [
        `0${at + 1}-11-2026`,
        `0${at + 1}-11-2026`,
        `COMPRA ${at}`,
        `${at}2,10`,
        '',
        `9${at}0,00`,
      ]),
    ],
  },
  'mBank, names and values with number signs': {
    encoding: 'Windows-1250',
    lines: [
      'mBank S.A. Bankowość Detaliczna;',
      '',
      '#Klient;',
      'ŁUCJA ŻAK;',
      '',
      '#Waluta;#Wpływy;#Wydatki;',
      'PLN;0,00;-72,00;',
      '',
      '#Data operacji;#Opis operacji;#Kategoria;#Kwota;#Saldo;',
      ...range(6).map(
        (at) =>
          `2026-11-0${at + 1};"ZAKUP PRZY UŻYCIU KARTY ${at}";"Jedzenie";-${at}2,00 PLN;9${at}0,00 PLN;`,
      ),
    ],
    table: [
      ['#Data operacji', '#Opis operacji', '#Kategoria', '#Kwota', '#Saldo'],
      ...range(6).map((at) => [
        `2026-11-0${at + 1}`,
        `ZAKUP PRZY UŻYCIU KARTY ${at}`,
        'Jedzenie',
        `-${at}2,00 PLN`,
        `9${at}0,00 PLN`,
      ]),
    ],
  },
  'CommBank, no header and signs': {
    lines: range(6).map((at) => `0${at + 1}/11/2026,"-1${at}.00","COLES ${at}","+${9 - at}00.00"`),
    table: [
      ['', '', '', ''],
      ...range(6).map((at) => [`0${at + 1}/11/2026`, `-1${at}.00`, `COLES ${at}`, `+${9 - at}00.00`]),
    ],
  },
  'Itaú, no header and decimal commas': {
    lines: range(6).map((at) => `0${at + 1}/11/2026;PIX TRANSF ${at};-${at}0,00`),
    table: [['', '', ''], ...range(6).map((at) => [`0${at + 1}/11/2026`, `PIX TRANSF ${at}`, `-${at}0,00`])],
  },
  'Nationwide, signs of a currency': {
    encoding: 'Windows-1252',
    lines: [
      '"Account Name:","FlexAccount ****12345"',
      '"Account Balance:","£1,234.56"',
      '"Available Balance: ","£1,234.56"',
      '',
      '"Date","Transaction type","Description","Paid out","Paid in","Balance"',
      ...range(6).map(
        (at) => `"0${at + 1} Nov 2026","Visa purchase","SHOP ${at}","£${at}.20","","£9${at}.00"`,
      ),
    ],
    table: [
      ['Date', 'Transaction type', 'Description', 'Paid out', 'Paid in', 'Balance'],
      ...range(6).map((at) => [
        `0${at + 1} Nov 2026`,
        'Visa purchase',
        `SHOP ${at}`,
        `£${at}.20`,
        '',
        `£9${at}.00`,
      ]),
    ],
  },
  'a German bank, the balance in a row of six cells': {
    encoding: 'Windows-1252',
    lines: [
      'Umsätze Girokonto;;;;Kundennummer: 123',
      '01.11.2026 - 28.11.2026;;;;',
      'Buchungstag;Wert;Verwendungszweck;Betrag;Saldo',
      ...POSTED.map((row) => row.join(';')),
      'Kontostand;28.11.2026;;;310,00',
    ],
    table: [['Buchungstag', 'Wert', 'Verwendungszweck', 'Betrag', 'Saldo'], ...POSTED],
  },
};

const PICTURE = ['id', 'name', 'amount'];
const ITEMS: Table = range(5).map((at) => [String(at + 1), `Ada ${at}`, `${at}.50`]);
const boxed = (row: readonly string[]): string => `| ${row.map((cell) => cell.padEnd(8)).join(' | ')} |`;
const RULER = `+${'-'.repeat(10)}+${'-'.repeat(10)}+${'-'.repeat(10)}+`;

const TOOLS: Readonly<Record<string, Export>> = {
  'mysql, a box': {
    lines: [RULER, boxed(PICTURE), RULER, ...ITEMS.map(boxed), RULER],
    table: [PICTURE, ...ITEMS],
  },
  'psql, a count at the end': {
    lines: [
      ' id |  name  | amount ',
      '----+--------+--------',
      ...ITEMS.map(([id, name, amount]) => `  ${id} | ${name}  |   ${amount}`),
      '(5 rows)',
    ],
    table: [PICTURE, ...ITEMS],
  },
  'PowerShell, a type above': {
    lines: ['#TYPE System.Data.DataRow', ...quoted(',', [PICTURE, ...ITEMS])],
    table: [PICTURE, ...ITEMS],
  },
  'Windows, counters': {
    lines: quoted(',', [
      ['(PDH-CSV 4.0) (W. Europe Standard Time)(-60)', '\\\\HOST\\Processor(_Total)\\% Processor Time'],
      ['11/28/2026 10:00:00.001', ' '],
      ...range(7).map((at) => [`11/28/2026 10:00:0${at + 1}.001`, `${at}.3512`]),
    ]),
    table: [
      ['(PDH-CSV 4.0) (W. Europe Standard Time)(-60)', '\\\\HOST\\Processor(_Total)\\% Processor Time'],
      ['11/28/2026 10:00:00.001', ' '],
      ...range(7).map((at) => [`11/28/2026 10:00:0${at + 1}.001`, `${at}.3512`]),
    ],
  },
  'DATEV, a line of the format above': {
    encoding: 'Windows-1252',
    lines: [
      '"EXTF";700;21;"Buchungsstapel";13;20261128100000000;;"RE";"";"";1001;1;20260101;4;20261101;20261130;"November"',
      'Umsatz;Soll/Haben-Kennzeichen;Konto;Gegenkonto;Belegdatum;Buchungstext',
      ...range(7).map((at) => `${at}2,50;"S";1200;840${at};${at + 1}11;"Erlöse für ${at}"`),
    ],
    table: [
      ['Umsatz', 'Soll/Haben-Kennzeichen', 'Konto', 'Gegenkonto', 'Belegdatum', 'Buchungstext'],
      ...range(7).map((at) => [`${at}2,50`, 'S', '1200', `840${at}`, `${at + 1}11`, `Erlöse für ${at}`]),
    ],
  },
  'QuickBooks, sections with totals': {
    lines: [
      'Transaction List by Vendor,,,',
      'Acme Inc,,,',
      '"November 1-28, 2026",,,',
      ',,,',
      ',Date,Type,Amount',
      'Ada Ltd,,,',
      ',11/01/2026,Bill,10.00',
      ',11/02/2026,Bill,12.00',
      'Total for Ada Ltd,,,$22.00',
      'Bob Ltd,,,',
      ',11/03/2026,Bill,7.00',
      ',11/04/2026,Bill,8.00',
      'Total for Bob Ltd,,,$15.00',
    ],
    table: cells(',', [
      ',Date,Type,Amount',
      ',11/01/2026,Bill,10.00',
      ',11/02/2026,Bill,12.00',
      ',11/03/2026,Bill,7.00',
      ',11/04/2026,Bill,8.00',
    ]),
  },
  'a pivot table': {
    lines: [
      'Sum of Amount,Column Labels,,',
      'Row Labels,North,South,Grand Total',
      ...range(5).map((at) => `Item ${at},${at + 1},${at + 2},${2 * at + 3}`),
      'Grand Total,15,20,35',
    ],
    table: [
      ['Row Labels', 'North', 'South', 'Grand Total'],
      ...range(5).map((at) => [`Item ${at}`, `${at + 1}`, `${at + 2}`, `${2 * at + 3}`]),
    ],
  },
  'Numbers, the name of the table above': {
    lines: ['Table 1', PICTURE.join(';'), ...ITEMS.map((row) => row.join(';'))],
    table: [PICTURE, ...ITEMS],
  },
  'SAP, minus signs behind numbers': {
    encoding: 'Windows-1252',
    lines: [
      'Beleg;Buchungsdatum;Betrag Hauswährung;Währung',
      ...range(6).map((at) => `49000000${at};0${at + 1}.11.2026;1.${at}34,00-;EUR`),
    ],
    table: cells(';', [
      'Beleg;Buchungsdatum;Betrag Hauswährung;Währung',
      ...range(6).map((at) => `49000000${at};0${at + 1}.11.2026;1.${at}34,00-;EUR`),
    ]),
  },
  'Search Console, UTF-8 with percent signs': {
    lines: [
      'Top queries,Clicks,Impressions,CTR,Position',
      ...['名前', 'straße kaufen', 'кофе', 'café près de moi'].map(
        (text, at) => `${text},${9 - at},1${at}0,${at}%,1.${at}`,
      ),
    ],
    table: cells(',', [
      'Top queries,Clicks,Impressions,CTR,Position',
      ...['名前', 'straße kaufen', 'кофе', 'café près de moi'].map(
        (text, at) => `${text},${9 - at},1${at}0,${at}%,1.${at}`,
      ),
    ]),
  },
  'names with an alias behind a bar': {
    lines: ['Name | Alias', 'Ada | Countess', 'Bob | Bo', 'Cy | C', 'Di | D'],
    table: [
      ['Name', 'Alias'],
      ['Ada', 'Countess'],
      ['Bob', 'Bo'],
      ['Cy', 'C'],
      ['Di', 'D'],
    ],
  },
};

const SAMPLES = range(8).map((at) => [String(at + 1), `28/11/2026 10:0${at}:00`, `2${at}.5`, '30.0']);

const DEVICES: Readonly<Record<string, Export>> = {
  'Lascar, a serial number in the first row only': {
    lines: [
      'Lascar,Time,Celsius(°C),High Alarm,Serial Number',
      ...SAMPLES.map((row, at) => [...row, ...(at === 0 ? ['010012345'] : [])].join(',')),
    ],
    table: [
      ['Lascar', 'Time', 'Celsius(°C)', 'High Alarm', 'Serial Number'],
      ...SAMPLES.map((row, at) => [...row, at === 0 ? '010012345' : '']),
    ],
  },
  'Fitbit, two tables with titles': {
    lines: [
      'Activities',
      'Date,Steps,Floors',
      ...range(6).map((at) => `"2026-11-0${at + 1}","1,0${at}3","${at}"`),
      '',
      'Sleep',
      'Start Time,Minutes Asleep',
      ...range(4).map((at) => `"2026-11-0${at + 1} 11:00PM","4${at}1"`),
    ],
    table: [
      ['Date', 'Steps', 'Floors'],
      ...range(6).map((at) => [`2026-11-0${at + 1}`, `1,0${at}3`, String(at)]),
    ],
  },
  'an oscilloscope, a step beside the first row': {
    lines: [
      'X,CH1,Start,Increment',
      'Sequence,Volt,0.000000e+00,1.000000e-06',
      ...range(8).map((at) => `${at},${at}.20e-02,,`),
    ],
    table: [
      ['X Sequence', 'CH1 Volt', '', ''],
      ...range(8).map((at) => [String(at), `${at}.20e-02`, '', '']),
    ],
  },
  'iButton, names and values above': {
    lines: [
      '1-Wire/iButton Part Number: DS1922L-F5',
      'Sample Rate: Every 10 minutes',
      'Total Samples: 6',
      '',
      'Date/Time,Unit,Value',
      ...range(6).map((at) => `28/11/26 10:${at}0:01 AM,C,2${at}.562`),
    ],
    table: cells(',', [
      'Date/Time,Unit,Value',
      ...range(6).map((at) => `28/11/26 10:${at}0:01 AM,C,2${at}.562`),
    ]),
  },
  'Strava, names that occur again': {
    lines: [
      'Activity ID,Activity Date,Elapsed Time,Distance,Elapsed Time,Distance',
      ...range(6).map(
        (at) => `9${at}1,"Nov ${at + 1}, 2026, 10:00:00 AM",18${at}0,5.${at},18${at}0.0,5${at}00.0`,
      ),
    ],
    table: [
      ['Activity ID', 'Activity Date', 'Elapsed Time', 'Distance', 'Elapsed Time (2)', 'Distance (2)'],
      ...range(6).map((at) => [
        `9${at}1`,
        `Nov ${at + 1}, 2026, 10:00:00 AM`,
        `18${at}0`,
        `5.${at}`,
        `18${at}0.0`,
        `5${at}00.0`,
      ]),
    ],
  },
};

/** Exports of banks, of other programs and of devices. */
export const LEDGERS: Readonly<Record<string, Export>> = { ...ACCOUNTS, ...TOOLS, ...DEVICES };
