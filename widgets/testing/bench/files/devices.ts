import { type Export, quoted, range, two } from './export.ts';

const WELLS = range(6).map((at) => [
  `A${two(at + 1)}`,
  `Sample ${at}`,
  `0.${at}51`,
  at === 2 ? '' : `${at}.2`,
]);
const PEAKS = range(5).map((at) => [`${at + 1}`, `${at}.213`, `Toluene ${at}`, `${at}1532`, `${at}.5`]);
const SPECTRUM = range(9).map((at) => [`${400 + at * 10}`, `0.0${at}1`]);
const METERS = range(8).map((at) => [`28.11.2026 0${at}:00`, `${at},125`, 'W']);
const CHARGES = range(5).map((at) => [`2026-11-0${at + 1}T18:00:00Z`, `DE*ABC*E0${at}`, `${at}1.5`, '0.49']);
const SCANS = range(5).map((at) => [`40063813333${at}1`, `Milch 3,5% ${at}`, `${at + 1}`]);
const RAIN = range(6).map((at) => [`2026-11-0${at + 1}`, at === 4 ? '-' : `${at},2`, `${at}`]);
const CALLS = range(5).map((at) => [`+49 30 12345${at}`, `00:0${at}:12`, `0,${at}9`]);
const TEMPERATURES = range(6).map((at) => [`${at}`, `11/0${at + 1}/26 10:00:00 AM`, `2${at}.1`, `4${at}`]);
const POINTS = range(5).map((at) => [`${at + 1}`, `59${at}000.12`, `57${at}000.34`, `1${at}.5`, 'TREE']);
const RESULTS = range(6).map((at) => [`${at + 1}`, `Ødegård ${at}`, `00:3${at}:12`, `+${at}:00`]);
const BOOKS = range(5).map((at) => [`978-3-16-14841${at}-0`, `Το βιβλίο ${at}`, `${at + 2000}`]);
const MEMBERS = range(5).map((at) => [`${at + 1}`, `Пётр ${at}`, `+7 900 000-00-0${at}`, 'да']);
const LOANS = range(5).map((at) => [`כהן ${at}`, `${at}00`, `0${at + 1}/11/2026`]);
const SALES = range(6).map((at) => [`สินค้า ${at}`, `${at + 1}`, `${at}50.00`]);
const RIDES = range(5).map((at) => [`R${at}`, `2026-11-0${at + 1} 07:15`, `${at}.4 km`, `${at}.90`]);
const LISTINGS = range(5).map((at) => [`${at}01`, `Lamp | brass ${at}`, `${at}9.00`]);
const SURVEYS = range(6).map((at) => [`${at + 1}`, at % 2 === 0 ? 'Yes' : 'No', `It is fine; really ${at}`]);
const DEBTS = range(5).map((at) => [`Acme ${at}`, `${at}00.00`, `${at}0.00`, '0.00', `${at}10.00`]);

/** Files of devices in laboratories and on roads, and of services. */
export const DEVICES: Readonly<Record<string, Export>> = {
  'a plate reader, settings above and results with a gap': {
    lines: [
      '##BLOCKS= 1',
      'Plate:\tPlate 1\t1.3\tTimeFormat',
      'Well\tName\tOD600\tRatio',
      ...WELLS.map((row) => row.join('\t')),
      '~End',
      'Original Filename: run 12; Date Last Saved: 11/28/2026',
    ],
    table: [['Well', 'Name', 'OD600', 'Ratio'], ...WELLS],
  },
  'a chromatograph, units below the names and a sum': {
    lines: [
      '[Peak Table]',
      '# of Peaks,5',
      'Peak#,R.Time,Name,Area,Height',
      ',min,,uV*sec,uV',
      ...PEAKS.map((row) => row.join(',')),
    ],
    table: [['Peak#', 'R.Time min', 'Name', 'Area uV*sec', 'Height uV'], ...PEAKS],
  },
  'a spectrometer, no names': {
    lines: ['Spectrum 1', ...SPECTRUM.map((row) => row.join('\t'))],
    table: [['', ''], ...SPECTRUM],
  },
  'a meter of electricity, names and values above': {
    encoding: 'Windows-1252',
    lines: [
      'Zählpunkt;DE0001112223334445556667778889990',
      'Kunde;Bäckerei Groß GmbH',
      '',
      'Zeitstempel;Verbrauch (kWh);Status',
      ...METERS.map((row) => row.join(';')),
      'Summe;28,000;',
    ],
    table: [['Zeitstempel', 'Verbrauch (kWh)', 'Status'], ...METERS],
  },
  'a charging station, quoted with a mark at the start': {
    lines: [`\ufeff"Start","EVSE","kWh","Price"`, ...quoted(',', CHARGES)],
    table: [['Start', 'EVSE', 'kWh', 'Price'], ...CHARGES],
  },
  'a till, commas in names and long codes': {
    lines: ['EAN;Artikel;Menge', ...SCANS.map((row) => row.join(';')), ';;', 'Positionen;5;15'],
    table: [['EAN', 'Artikel', 'Menge'], ...SCANS],
  },
  'a rain gauge in German, a dash for no value and two notes': {
    encoding: 'ISO-8859-15',
    lines: [
      'Station Köln-Süd',
      'Tag;Niederschlag (mm);Güte',
      ...RAIN.map((row) => row.join(';')),
      'Hinweis: vorläufige Werte',
      'Quelle: Stadtentwässerung Köln',
    ],
    table: [['Tag', 'Niederschlag (mm)', 'Güte'], ...RAIN],
  },
  'a telephone bill, sums of a month': {
    encoding: 'Windows-1252',
    lines: [
      'Einzelverbindungsnachweis November 2026;;',
      'Rufnummer;Dauer;Betrag (€)',
      ...CALLS.map((row) => row.join(';')),
      'Gesamt:;00:10:60;1,45',
    ],
    table: [['Rufnummer', 'Dauer', 'Betrag (€)'], ...CALLS],
  },
  'a fridge, a line number without a name': {
    lines: [',Date/Time,Temp,RH', ...TEMPERATURES.map((row) => row.join(','))],
    table: [['', 'Date/Time', 'Temp', 'RH'], ...TEMPERATURES],
  },
  'a total station, no names and codes': {
    lines: POINTS.map((row) => row.join(',')),
    table: [['', '', '', '', ''], ...POINTS],
  },
  'results of a race in Norwegian, a title and a note': {
    lines: [
      '\ufeffResultater, 10 km menn',
      '',
      'Plass;Navn;Tid;Etter',
      ...RESULTS.map((row) => row.join(';')),
      '',
      'DNS: 3 løpere',
    ],
    table: [['Plass', 'Navn', 'Tid', 'Etter'], ...RESULTS],
  },
  'books in Greek': {
    encoding: 'Windows-1253',
    lines: ['ISBN;Τίτλος;Έτος', ...BOOKS.map((row) => row.join(';')), 'Σύνολο;5 βιβλία;'],
    table: [['ISBN', 'Τίτλος', 'Έτος'], ...BOOKS],
  },
  'members in Russian, KOI8-R and tabs': {
    encoding: 'KOI8-R',
    lines: ['Номер\tФамилия\tТелефон\tСогласие', ...MEMBERS.map((row) => row.join('\t'))],
    table: [['Номер', 'Фамилия', 'Телефон', 'Согласие'], ...MEMBERS],
  },
  'loans in Hebrew, a total': {
    encoding: 'Windows-1255',
    lines: ['שם,סכום,תאריך', ...LOANS.map((row) => row.join(',')), 'סה"כ,1000,'],
    table: [['שם', 'סכום', 'תאריך'], ...LOANS],
  },
  'sales in Thai, a title and a total': {
    encoding: 'Windows-874',
    lines: [
      'รายงานการขาย ประจำเดือน,,',
      'รายการ,จำนวน,ราคา',
      ...SALES.map((row) => row.join(',')),
      'รวม,21,1500.00',
    ],
    table: [['รายการ', 'จำนวน', 'ราคา'], ...SALES],
  },
  'rides, two tables of which the first has the records': {
    lines: [
      'Ride,Start,Distance,Price',
      ...RIDES.map((row) => row.join(',')),
      '',
      'Month,Rides,Paid',
      '2026-10,4,12.60',
      '2026-11,5,14.50',
    ],
    table: [['Ride', 'Start', 'Distance', 'Price'], ...RIDES],
  },
  'a market, bars in names': {
    lines: ['id,title,price', ...LISTINGS.map((row) => row.join(','))],
    table: [['id', 'title', 'price'], ...LISTINGS],
  },
  'a poll, semicolons in answers': {
    lines: ['No,Would you return?,Why', ...SURVEYS.map((row) => row.join(','))],
    table: [['No', 'Would you return?', 'Why'], ...SURVEYS],
  },
  'aged debts, names over two lines': {
    lines: [
      'Aged Receivables Summary',
      'Acme Ltd',
      ',< 30 days,30-60 days,Older,Total',
      'Contact,EUR,EUR,EUR,EUR',
      ...DEBTS.map((row) => row.join(',')),
      'Total,1000.00,100.00,0.00,1100.00',
      'Percentage of total,90.91%,9.09%,0.00%,100.00%',
    ],
    table: [['Contact', '< 30 days EUR', '30-60 days EUR', 'Older EUR', 'Total EUR'], ...DEBTS],
  },
};
