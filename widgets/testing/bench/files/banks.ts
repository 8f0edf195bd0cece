import { cells, type Export, quoted, range, two } from './export.ts';

const ING_NAMES = ['Buchung', 'Wertstellungsdatum', 'Auftraggeber/Empfänger', 'Saldo', 'Währung', 'Betrag'];
const ING_ROWS = range(8).map((at) => [
  `${two(28 - at)}.11.2026`,
  `${two(28 - at)}.11.2026`,
  ['REWE Köln', 'Bäckerei Groß', 'Stadtwerke'][at % 3] ?? '',
  `1.${two(at)}4,50`,
  'EUR',
  `-${at + 1}2,30`,
]);
const DEUTSCHE_NAMES = [
  'Buchungstag',
  'Wert',
  'Umsatzart',
  'Auftraggeber',
  'Zweck',
  'IBAN',
  'BIC',
  'Betrag',
  'Soll',
  'Haben',
];
const DEUTSCHE_ROWS = range(6).map((at) => {
  const sum = `-${at + 1}4,95`;
  return [
    `${28 - at}.6.2026`,
    `${28 - at}.6.2026`,
    'SEPA Lastschrift',
    `Laden ${at}`,
    `RG 44${at}`,
    'DE88',
    'DEUTDEFFXXX',
    sum,
    sum,
    '',
  ];
});
/** Files of banks. */
export const BANKS: Readonly<Record<string, Export>> = {
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
  'Deutsche Bank, more lines above than records': {
    lines: [
      'Umsätze',
      'Konto;Filial-/Kontonummer;IBAN;Währung',
      'AktivKonto;123 1234567 00;DE89370400440532013000;EUR',
      '',
      '1.6.2026 - 30.6.2026',
      'Letzter Kontostand;;;;2.500,00;EUR',
      'Vorgemerkte und noch nicht gebuchte Umsätze sind nicht Bestandteil dieser Übersicht.',
      ...[DEUTSCHE_NAMES, ...DEUTSCHE_ROWS].map((row) => row.join(';')),
      'Kontostand;30.6.2026;;;4.611,92;EUR',
    ],
    table: [DEUTSCHE_NAMES, ...DEUTSCHE_ROWS],
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
