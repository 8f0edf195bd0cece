import { cells, type Export, quoted, range, two } from './export.ts';

const JOURNAL = range(6).map((at) => [`2026-11-0${at + 1}`, `4${at}00`, `Vente n° ${at}`, `${at}12,50`, '']);
const HOURS = range(6).map((at) => [`00${at + 1}7`, `Müller, Jörg ${at}`, `11/2026`, `16${at},25`]);
const MARKS = range(7).map((at) => [`Élève ${at}`, `${at + 9},5`, at === 3 ? 'abs' : `1${at}`, `${at}`]);
const FLIGHTS = range(5).map((at) => [
  `LH${at}01`,
  `2026-11-${two(at + 1)}`,
  'FRA',
  'JFK',
  `08:${at}5`,
  `${at}50 EUR`,
]);
const GOODS = range(6).map((at) => [`SKU-${at}`, `Куртка ${at}`, `${at + 1}`, `${at}990,00`]);
const SEATS = range(6).map((at) => [`A${at}`, `Reihe ${at}`, 'Parkett', `2${at},00 €`]);
const TICKETS = range(5).map((at) => [
  `INC00${at}`,
  at % 2 === 0 ? 'Open' : 'Closed',
  `Printer ${at}\r\ndoes not print`,
  `Ada "the boss" ${at}`,
]);
const LEAVE = range(6).map((at) => [`Nowak ${at}`, `urlop`, `0${at + 1}.11.2026`, `${at + 1}`, 'łącznie']);
const ASSETS = range(5).map((at) => [
  `A-00${at}`,
  `Laptop ${at}`,
  `${at},200.00`,
  `(${at}00.00)`,
  `1/${at + 1}/2026`,
]);
const PAYSLIPS = range(5).map((at) => [`山田 ${at}`, `${at}00,000`, `${at}2,345`, `2026年11月`]);
const INVOICES = range(6).map((at) => [`F-2026/00${at}`, `Señal ${at}, S.L.`, `1.${at}00,00`, `21%`]);
const VAT = range(5).map((at) => [`DE12345678${at}`, `L`, `${at}1250`, `2026-Q4`]);
const STOCK = range(6).map((at) => [`${two(at)}0012345678`, `Šroub M${at}`, `${at * 100}`, `ks`]);
const SHIFTS = range(5).map((at) => [`Åsa ${at}`, '08:00', '16:30', `7,${at}`]);
const PUPILS = range(5).map((at) => [`${at + 1}`, `O'Neil ${at}`, '5A', `2014-0${at + 1}-12`]);
const FARES = range(6).map((at) => [`E${at}`, `Ankara–İzmir`, `${at}50,00 TL`, `${at + 3}`]);
const TAXES = range(5).map((at) => [`${at}10000`, `${at}19999`, `${at},5 %`]);
const ORDERS = range(5).map((at) => [`${at + 7000}`, `Café ${at}`, `1`, `${at}.90`]);
const VISITS = range(5).map((at) => [`${at + 1}/11/2026`, `Dr. ${at}`, 'Checkup', `£${at}5.00`]);
const BEDS = [
  ['Innere 1', '24', '19'],
  ['Innere 2', '21', '17'],
  ['Chirurgie', '18', '12'],
  ['Neurologie', '27', '22'],
  ['Augen', '20', '15'],
];

/** Files of offices: accounting, staff, schools, fares and stores. */
export const OFFICES: Readonly<Record<string, Export>> = {
  'an accounting program in French, totals of debit and credit': {
    encoding: 'Windows-1252',
    lines: [
      'Société Générale des Pêches;;;;',
      'Journal des ventes;;;;',
      'Période : novembre 2026;;;;',
      ';;;;',
      'Date;Compte;Libellé;Débit;Crédit',
      ...JOURNAL.map((row) => row.join(';')),
      ';;Totaux;1575,00;',
    ],
    table: [['Date', 'Compte', 'Libellé', 'Débit', 'Crédit'], ...JOURNAL],
  },
  'hours of staff, a name with a comma and a footnote': {
    encoding: 'Windows-1252',
    lines: [
      'Personalnr.,Name,Monat,Stunden',
      ...HOURS.map(([id, name, month, hours]) => `${id},"${name}",${month},"${hours}"`),
      '',
      '* Stunden ohne Pausen',
    ],
    table: [['Personalnr.', 'Name', 'Monat', 'Stunden'], ...HOURS],
  },
  'marks of a school, the scale below the names': {
    lines: ['\ufeffNom;Maths;Français;Retards', ';/20;/20;', ...MARKS.map((row) => row.join(';'))],
    table: [['Nom', 'Maths /20', 'Français /20', 'Retards'], ...MARKS],
  },
  'an airline, a passenger above and conditions below': {
    lines: [
      'Passenger: BYRON/ADA MS',
      'Booking reference: X7Y8Z9',
      '',
      'Flight,Date,From,To,Departure,Fare',
      ...FLIGHTS.map((row) => row.join(',')),
      '',
      'Fares include taxes, fees and charges.',
      'Check-in closes 60 minutes before departure.',
    ],
    table: [['Flight', 'Date', 'From', 'To', 'Departure', 'Fare'], ...FLIGHTS],
  },
  '1C, an order in Russian with a total': {
    encoding: 'Windows-1251',
    lines: [
      'Заказ покупателя № 15 от 28 ноября 2026 г.;;;',
      ';;;',
      'Артикул;Товар;Количество;Сумма',
      ...GOODS.map((row) => row.join(';')),
      ';Итого:;21;15990,00',
    ],
    table: [['Артикул', 'Товар', 'Количество', 'Сумма'], ...GOODS],
  },
  'a ticket office, quotes around texts only': {
    lines: [
      '"Platz";"Reihe";"Bereich";"Preis"',
      ...SEATS.map(([seat, row, part, price]) => `"${seat}";"${row}";"${part}";${price}`),
      '"Summe";;;135,00 €',
    ],
    table: [['Platz', 'Reihe', 'Bereich', 'Preis'], ...SEATS],
  },
  'ServiceNow, cells of several lines': {
    lines: quoted(',', [['number', 'state', 'description', 'caller'], ...TICKETS]),
    table: [['number', 'state', 'description', 'caller'], ...TICKETS],
  },
  'leave of staff in Polish, a title of several cells': {
    encoding: 'Windows-1250',
    lines: [
      'Zestawienie urlopów;;Oddział: Łódź;;',
      'Pracownik;Rodzaj;Od;Dni;Uwagi',
      ...LEAVE.map((row) => row.join(';')),
      'Razem;;;21;',
    ],
    table: [['Pracownik', 'Rodzaj', 'Od', 'Dni', 'Uwagi'], ...LEAVE],
  },
  'assets, negative numbers in brackets and two totals': {
    lines: [
      'Fixed Asset Register',
      'As of 11/28/2026',
      'Asset,Description,Cost,Depreciation,Acquired',
      ...ASSETS.map(([id, name, cost, loss, day]) => `${id},${name},"${cost}",${loss},${day}`),
      'Subtotal,,"11,000.00",(1000.00),',
      'Grand Total,,"11,000.00",(1000.00),',
    ],
    table: [['Asset', 'Description', 'Cost', 'Depreciation', 'Acquired'], ...ASSETS],
  },
  'payslips in Japanese': {
    encoding: 'Shift_JIS',
    lines: [
      '給与明細一覧',
      ...quoted(',', [['氏名', '支給額', '控除額', '対象月'], ...PAYSLIPS]),
      '"合計","1,000,000","61,725",""',
    ],
    table: [['氏名', '支給額', '控除額', '対象月'], ...PAYSLIPS],
  },
  'invoices in Spanish, names with commas': {
    encoding: 'ISO-8859-15',
    lines: [
      'Nº factura;Cliente;Base imponible;IVA',
      ...INVOICES.map((row) => row.join(';')),
      'TOTAL;;7.500,00;',
    ],
    table: [['Nº factura', 'Cliente', 'Base imponible', 'IVA'], ...INVOICES],
  },
  'a tax office, a line of its form above': {
    lines: [
      '#v1.0;ZM;2026-Q4',
      'Länderkennzeichen und USt-IdNr;Art;Betrag (Euro);Zeitraum',
      ...VAT.map((row) => row.join(';')),
    ],
    table: [['Länderkennzeichen und USt-IdNr', 'Art', 'Betrag (Euro)', 'Zeitraum'], ...VAT],
  },
  'a store in Czech, formulas around codes': {
    encoding: 'Windows-1250',
    lines: [
      'EAN;Název;Množství;MJ',
      ...STOCK.map(([code, name, count, unit]) => `="${code}";${name};${count};${unit}`),
    ],
    table: [['EAN', 'Název', 'Množství', 'MJ'], ...STOCK],
  },
  'shifts in Swedish, empty columns behind': {
    encoding: 'Windows-1252',
    lines: ['Anställd;Start;Slut;Timmar;;', ...SHIFTS.map((row) => `${row.join(';')};;`), 'Summa;;;35,0;;'],
    table: [['Anställd', 'Start', 'Slut', 'Timmar'], ...SHIFTS],
  },
  'pupils, single quotes in names': {
    lines: ['id,name,class,born', ...PUPILS.map((row) => row.join(','))],
    table: [['id', 'name', 'class', 'born'], ...PUPILS],
  },
  'fares in Turkish, a note above the names': {
    encoding: 'Windows-1254',
    lines: [
      'Fiyatlar KDV dahildir.',
      'Sefer;Güzergâh;Ücret;Koltuk',
      ...FARES.map((row) => row.join(';')),
      'Toplam;;750,00 TL;33',
    ],
    table: [['Sefer', 'Güzergâh', 'Ücret', 'Koltuk'], ...FARES],
  },
  'beds of a hospital, subtotals without a word': {
    lines: [
      'Station;Betten;belegt',
      ...BEDS.slice(0, 3).map((row) => row.join(';')),
      ';63;48',
      ...BEDS.slice(3).map((row) => row.join(';')),
      ';47;37',
    ],
    table: [['Station', 'Betten', 'belegt'], ...BEDS],
  },
  'a table of rates, a name over two columns': {
    lines: ['Einkommen;;Satz', 'von;bis;', ...TAXES.map((row) => row.join(';'))],
    table: [['Einkommen von', 'Einkommen bis', 'Satz'], ...TAXES],
  },
  'WooCommerce, each line one cell': {
    lines: [
      '"order_id,item,qty,total"',
      ...ORDERS.map(([id, item, count, total]) => `"${id},""${item}"",${count},${total}"`),
    ],
    table: [['order_id', 'item', 'qty', 'total'], ...ORDERS],
  },
  'a surgery, visits of two doctors with names above': {
    lines: [
      'Appointments,,,',
      'Date,Doctor,Reason,Fee',
      ...VISITS.slice(0, 3).map((row) => row.join(',')),
      'Date,Doctor,Reason,Fee',
      ...VISITS.slice(3).map((row) => row.join(',')),
    ],
    table: cells(',', ['Date,Doctor,Reason,Fee', ...VISITS.map((row) => row.join(','))]),
  },
};
