import { DATE_FORMATS, readCalendarDate } from '../fields/calendar-date.ts';
import type { FieldRule, Reading } from './values.ts';

/** A column as people have it, the reading that a person would choose, and what has to arrive. */
export interface MadeColumn {
  readonly name: string;
  readonly field: FieldRule;
  readonly values: readonly string[];
  /** The reading that a person would choose. */
  readonly reading: Reading;
  /** True if the engine must not choose without a person. */
  readonly isAsked: boolean;
  /** Words for nothing that the person ticks. */
  readonly nothing: readonly string[];
  /** The value that the service delivers for each cell: null for nothing, undefined for a value that stays out. */
  readonly arrive: readonly (string | boolean | null | undefined)[];
}

/**
 * A shape: whether a person is asked, the reading in short, and `raw=value` pairs, split by `|`. `raw=!` stays out, `raw=` is a
 * word for nothing. `asks if changed` asks for a schema in which some of the values have to be changed.
 */
type Shape = readonly [asks: 'asks' | 'ready' | 'asks if changed', reading: string, pairs: string];

/** Days; values as `YYYY-MM-DD`. Readings are an order, then `+time`, `+1950` and `+hr`. */
const DAYS: readonly Shape[] = [
  ['asks', 'dmy', '01/02/2026=2026-02-01|02/02/2026=2026-02-02|03/02/2026=2026-02-03'],
  ['asks', 'mdy', '01/02/2026=2026-01-02|02/02/2026=2026-02-02|03/02/2026=2026-03-02'],
  ['ready', 'mdy', '8/31/2024=2024-08-31|9/6/2018=2018-09-06|5/26/2020=2020-05-26'],
  ['ready', 'dmy', '31.12.2025=2025-12-31|5.1.2026=2026-01-05'],
  ['ready', 'dmy', '31. 12. 2025=2025-12-31|5. 1. 2026=2026-01-05'],
  ['asks', 'dmy', '1.2.2026=2026-02-01|3.4.2026=2026-04-03'],
  ['ready', 'dmy', '31-12-2025=2025-12-31|05-01-2026=2026-01-05'],
  ['ready', 'dmy', '31 12 2025=2025-12-31|05 01 2026=2026-01-05'],
  ['ready', 'ymd', '2018/12/2=2018-12-02|2018/12/13=2018-12-13'],
  ['ready', 'ymd', '2026. 02. 01.=2026-02-01|2026. 2. 13.=2026-02-13'],
  ['ready', 'ymd', '2026.02.01=2026-02-01|2026.02.13=2026-02-13'],
  ['ready', 'ymd', '20260201=2026-02-01|20251231=2025-12-31'],
  ['ready', 'dmy', '01022026=2026-02-01|31122025=2025-12-31'],
  ['ready', 'ymd', '2026年2月1日=2026-02-01|2026年12月13日=2026-12-13'],
  ['ready', 'ymd', '2026년 2월 1일=2026-02-01|2026년 12월 13일=2026-12-13'],
  ['ready', 'dmy', '٠١‏/٠٢‏/٢٠٢٦=2026-02-01|٣١‏/١٢‏/٢٠٢٥=2025-12-31'],
  ['ready', 'dmy', ' 31.12.2025 =2025-12-31|31.12.2025=2025-12-31'],
  ['ready', 'dmy', '01-Apr-2021=2021-04-01|30-Sep-2021=2021-09-30'],
  ['ready', 'mdy', 'Oct 6, 2022=2022-10-06|Sept. 16, 2022=2022-09-16'],
  ['ready', 'mdy', 'January 1st, 2026=2026-01-01|March 22nd, 2026=2026-03-22'],
  ['ready', 'dmy', '1er janvier 2026=2026-01-01|22 févr. 2026=2026-02-22|3 août 2026=2026-08-03'],
  ['ready', 'dmy', '1. Januar 2026=2026-01-01|22. März 2026=2026-03-22|3. Mrz 2026=2026-03-03'],
  ['ready', 'dmy', '1 de enero de 2026=2026-01-01|22 de marzo de 2026=2026-03-22'],
  ['ready', 'dmy', '1 января 2026 г.=2026-01-01|22 мая 2026 г.=2026-05-22'],
  ['ready', 'dmy', '1 stycznia 2026=2026-01-01|22 paź 2026=2026-10-22'],
  ['ready', 'ymd', '2026. január 1.=2026-01-01|2026. szeptember 22.=2026-09-22'],
  ['ready', 'dmy', '1 Ocak 2026=2026-01-01|22 Ağustos 2026=2026-08-22|3 KASIM 2026=2026-11-03'],
  ['ready', 'dmy', '1 Ιανουαρίου 2026=2026-01-01|22 Μαΐου 2026=2026-05-22'],
  ['ready', 'dmy', '1 בינואר 2026=2026-01-01|22 באוג׳ 2026=2026-08-22'],
  ['ready', 'dmy', '1 كانون الثاني 2026=2026-01-01|22 أيار 2026=2026-05-22'],
  ['ready', 'dmy', '1 tháng 1, 2026=2026-01-01|22 tháng 11, 2026=2026-11-22'],
  ['asks', 'dmy', '1 listopadu 2026=2026-11-01|3 listopad 2026=2026-11-03'],
  ['asks', 'dmy+hr', '1. listopada 2026.=2026-10-01|3. srpnja 2026.=2026-07-03'],
  ['asks', 'mdy+1950', '10/21/20=2020-10-21|07/04/96=1996-07-04'],
  ['asks', 'dmy+1950', '31.12.26=2026-12-31|01.02.99=1999-02-01'],
  ['asks', 'dmy+1900', '31/12/26=1926-12-31|01/02/99=1999-02-01'],
  ['asks', 'dmy+1950', "01-Apr-21=2021-04-01|30-Sep-'21=2021-09-30"],
  ['asks', 'ymd+time', '2026-05-13 11:01:13 +0200=2026-05-13|2026-05-14 09:30:00 +0200=2026-05-14'],
  ['asks', 'ymd+time', '2017-08-03 20:05:45 UTC=2017-08-03'],
  ['asks', 'ymd+time', '2026-05-13T11:01:13.123Z=2026-05-13|2026-05-13T11:01:13+02:00=2026-05-13'],
  ['asks', 'ymd+time', '2026-05-13 00:00:00=2026-05-13|2026-05-14=2026-05-14'],
  ['asks', 'mdy+time', 'Oct 6, 2022, 11:19:20 PM=2022-10-06|Nov 16, 2022, 1:19:20 AM=2022-11-16'],
  ['asks', 'mdy+time', '9/6/2018 0:06:16=2018-09-06|9/26/2018 10:06:16=2018-09-26'],
  ['asks', 'mdy+time', '9/6/2018 12:06 a.m.=2018-09-06|9/26/2018 10:06 p. m.=2018-09-26'],
  ['asks', 'mdy+time+1950', '07/04/96 00:00:00=1996-07-04'],
  ['asks', 'dmy+time', '31.12.2026 10:00=2026-12-31|1.2.2026 10:00 Uhr=2026-02-01'],
  ['asks', 'dmy+time', '31.12.2026 um 10:00=2026-12-31|1.2.2026 klo 10.30=2026-02-01'],
  ['asks', 'dmy+time', 'Wed, 25 Nov 2026 10:00:00 +0000=2026-11-25|Thu, 26 Nov 2026 10:00:00 GMT=2026-11-26'],
  ['ready', 'mdy', 'Wednesday, November 25, 2026=2026-11-25'],
  ['asks', 'dmy', '31.12.2026=2026-12-31|1.2.2026=2026-02-01|k.A.=|--='],
  ['asks', 'mdy', '8/31/2024=2024-08-31|12/1/2024=2024-12-01|08/2020=!'],
  ['asks if changed', 'mdy', '04/27/2023=2023-04-27|04/17/2023 as of 04/15/2023=!'],
  ['asks if changed', 'ymd', '2026/02/28=2026-02-28|2026/2/31=!|2102=!|August 2026=!'],
];

/** Decimal numbers. Readings are a decimal sign, then `%` for percent as the number, `/` for the fraction. */
const DECIMALS: readonly Shape[] = [
  ['ready', '.', '12.50=12.50|-3.10=-3.10|1000000000000000=1000000000000000'],
  ['ready', ',', '1.234,56=1234.56|-12,00=-12.00|2.000,00=2000.00'],
  ['ready', '.', '1,234.56=1234.56|44,988.05=44988.05|5=5'],
  ['ready', '.', '-$7,971.39=-7971.39|$2,100.00=2100.00|$ 5=5'],
  ['ready', '.', '+ $45.00=45.00|- $3.50=-3.50|$-2.00=-2.00'],
  ['ready', ',', '44,10 €=44.10|-1.044,10 €=-1044.10'],
  ['ready', '.', '118.00 €=118.00|€5.00=5.00|EUR 7.25=7.25'],
  ['ready', '.', '(5.00)=-5.00|7.25=7.25|($1,005.00)=-1005.00'],
  ['ready', ',', '99,50-=-99.50|12,00+=12.00'],
  ['ready', ',', '1 234,56=1234.56|12 345 678,90=12345678.90|1 234,5=1234.5'],
  ['ready', '.', "1'234.50=1234.50|12’345.60=12345.60|-5.25=-5.25"],
  ['ready', '.', 'CHF 1’234.50=1234.50|CHF 5.25=5.25'],
  ['ready', '.', '12,34,567.00=1234567.00|1,00,000.50=100000.50|₹ 5.25=5.25'],
  ['asks', '.', '1.234=1.234|5.678=5.678'],
  ['asks', ',', '1.234=1234|5.000=5000'],
  ['asks', ',', '1,234=1.234|5,000=5.000'],
  ['asks', '.', '1,234=1234|12=12'],
  ['ready', ',', '1.234=1234|12,50=12.50'],
  ['ready', ',', '1.234.567=1234567|1.234=1234'],
  ['ready', '.', '0.123=0.123|1.234=1.234'],
  ['asks', '.', '4.60%=!|5=5|0.25=0.25'],
  ['asks', '.%', '4.60%=4.60|-12.00 %=-12.00|%5.1=5.1'],
  ['asks', './', '4.60%=0.0460|100%=1.00|-0.5%=-0.005'],
  ['asks', ',/', '4,60 %=0.0460|100,0 %=1.000'],
  ['ready', '.', '1E+15=1000000000000000|-2.6E-4=-0.00026|1e+07=10000000'],
  ['ready', ',', '1,5E+03=1500|2,25E-01=0.225'],
  ['ready', '.', '.5=0.5|5.=5|-.25=-0.25'],
  ['ready', ',', ',5=0.5|-,25=-0.25'],
  ['ready', '.', '+5=5|+7.25=7.25'],
  ['ready', '.', ' 12 =12|12.5 =12.5'],
  ['ready', '.', '−12.5=-12.5|–7.25=-7.25'],
  ['asks', '.', '007=7|05.50=5.50'],
  ['asks', '.', '$5.00=5.00|€7.25=7.25'],
  ['ready', ',', 'R$ 1.234,56=1234.56|R$ 0,99=0.99'],
  ['ready', ',', '12,50 kr=12.50|1 012,00 kr.=1012.00'],
  ['ready', ',', '12,50 zł=12.50|1 012,00 zł=1012.00'],
  ['ready', ',', '12,50 Kč=12.50|1 012,00 Kč=1012.00'],
  ['ready', ',', '12,50 ₽=12.50|1 012,00 ₽=1012.00'],
  ['ready', '.', 'USD 12.50=12.50|-1,012.00 USD=-1012.00'],
  ['ready', '.', '￥1,200=1200|￥12,345.60=12345.60'],
  ['ready', '.', '١٢٣٫٥=123.5|١٬٢٣٤٫٥٦=1234.56'],
  ['ready', '.', '१२,३४,५६७.५=1234567.5|५.२५=5.25'],
  ['ready', '.', '12.50=12.50|992A=!|< 20.00=!|5 kg=!|1.2M=!|1-2=!'],
  ['ready', '.', '12.50=12.50|n/a=|NaN=|-=|____='],
  ['asks', ',', '12,50=12.50|1.012,00=1012.00|k.A=|--='],
  ['ready', '.', '12.5000000000000000000000000000000001=12.5000000000000000000000000000000001'],
  ['ready', '.', '9,999,999,999,999,999,999,999.99=9999999999999999999999.99'],
  ['asks', '.', '$12.50=12.50|$1,23=!|$12,3456.00=!|1 2=!|12..5=!'],
];

const INTEGERS: readonly Shape[] = [
  ['ready', '.', '1.0=1|2.00=2|12=12'],
  ['asks', '.', '1,000=1000|12,500=12500'],
  ['asks', ',', '1.000=1000|12.500=12500'],
  ['ready', '.', '1,234,567=1234567|1,000=1000'],
  ['ready', '.', '1E+15=1000000000000000|1.5E+03=1500'],
  ['ready', '.', '1 000=1000|12 500=12500|1 234 567=1234567'],
  ['ready', '.', '+5=5|5.=5| 12=12|(3)=-3|4-=-4'],
  ['asks', '.', '007=7|012=12'],
  ['asks', '.', '1.50=!|2.0=2|3=3'],
  ['ready', '.', '5=5|n/a=|Undetermined=|-='],
  ['ready', '.', '123456789012345678901234567890=123456789012345678901234567890'],
];

/** Readings are the words for true, a slash, and those for false. */
const BOOLEANS: readonly Shape[] = [
  ['ready', 'yes/no', 'yes=true|No=false|YES=true'],
  ['ready', 'y/n', 'Y=true|N=false|n=false'],
  ['ready', 'true/false', 'TRUE=true|False=false|true=true'],
  ['ready', 't/f', 'T=true|F=false'],
  ['ready', '1/0', '1=true|0=false'],
  ['ready', '-1/0', '-1=true|0=false'],
  ['ready', 'on/off', 'on=true|Off=false'],
  ['ready', 'ja/nein', 'ja=true|nein=false| Nein=false'],
  ['ready', 'wahr/falsch', 'WAHR=true|FALSCH=false'],
  ['ready', 'oui/non', 'Oui=true|Non=false'],
  ['ready', 'vrai/faux', 'VRAI=true|FAUX=false'],
  ['ready', 'si/no', 'Sí=true|No=false|si=true'],
  ['ready', 'verdadero/falso', 'VERDADERO=true|FALSO=false'],
  ['ready', 'sim/nao', 'Sim=true|Não=false'],
  ['ready', 'ja/nej', 'Ja=true|Nej=false'],
  ['ready', 'tak/nie', 'Tak=true|Nie=false'],
  ['ready', 'ano/ne', 'Ano=true|Ne=false'],
  ['ready', 'igen/nem', 'Igen=true|Nem=false'],
  ['ready', 'да/нет', 'Да=true|Нет=false'],
  ['ready', 'ναι/οχι', 'Ναι=true|Όχι=false'],
  ['ready', 'evet/hayir', 'Evet=true|HAYIR=false|hayır=false'],
  ['ready', 'כן/לא', 'כן=true|לא=false'],
  ['ready', 'نعم/لا', 'نعم=true|لا=false'],
  ['ready', '是/否', '是=true|否=false'],
  ['ready', 'はい/いいえ', 'はい=true|いいえ=false'],
  ['ready', '예/아니요', '예=true|아니요=false'],
  ['ready', 'co/khong', 'Có=true|Không=false'],
  ['ready', '✓/✗', '✓=true|✗=false'],
  ['ready', 'yes 1/no 0', 'yes=true|0=false|1=true|no=false'],
  ['asks', 'e/h', 'e=true'],
  ['asks', 'k/e', 'e=false'],
  ['asks', 'yes/no', 'yes=true|no=false|maybe=!'],
  ['asks', 'yes/no', 'yes=true|no=false|-=|n/a='],
];

const TEXTS: readonly Shape[] = [
  ['ready', '', '007=007|1E+15=1E+15| a = a |01/02/2026=01/02/2026'],
  ['ready', '', 'Namibia=Namibia|NA=NA|none=none'],
  ['ready', '', 'red=red|n/a=|-='],
  ['ready', '', '+49 30 123=+49 30 123|(030) 1-2=(030) 1-2'],
];

const NUMBER_FIELD: FieldRule = { type: 'decimal', required: false };

/** The made columns: each shape of days for each format of the schema. */
export const MADE_COLUMNS: readonly MadeColumn[] = [
  ...DAYS.flatMap((shape) =>
    DATE_FORMATS.map((format) => made({ type: 'date', required: false, format }, shape, dateReading)),
  ),
  ...DECIMALS.map((shape) => made(NUMBER_FIELD, shape, numberReading)),
  ...INTEGERS.map((shape) => made({ type: 'integer', required: false }, shape, numberReading)),
  ...BOOLEANS.map((shape) => made({ type: 'boolean', required: false }, shape, booleanReading)),
  ...TEXTS.map((shape) => made({ type: 'text', required: false }, shape, () => ({ kind: 'same' }))),
];

function made(
  field: FieldRule,
  [asks, short, pairs]: Shape,
  readingOf: (short: string) => Reading,
): MadeColumn {
  const cells = pairs.split('|').map((pair) => {
    const at = pair.lastIndexOf('=');
    return { value: pair.slice(0, at), becomes: pair.slice(at + 1) };
  });
  const isChanged = ({ value, becomes }: { value: string; becomes: string }): boolean =>
    becomes !== '!' &&
    field.type === 'date' &&
    readCalendarDate(value, field.format ?? 'YYYY-MM-DD') !== becomes;
  const format = field.type === 'date' ? ` ${field.format}` : '';
  return {
    name: `${field.type}${format}: ${cells.map(({ value }) => value).join(', ')}`,
    field,
    values: cells.map(({ value }) => value),
    reading: readingOf(short),
    isAsked: asks === 'asks' || (asks === 'asks if changed' && cells.some(isChanged)),
    nothing: cells.filter(({ becomes }) => becomes === '').map(({ value }) => value),
    arrive: cells.map(({ becomes }) => {
      if (becomes === '' || becomes === '!') return becomes === '' ? null : undefined;
      return field.type === 'boolean' ? becomes === 'true' : becomes;
    }),
  };
}

function dateReading(short: string): Reading {
  const [order = '', ...more] = short.split('+');
  const years = more.find((part) => /^\d+$/.test(part));
  return {
    kind: 'date',
    order: order as 'dmy',
    ...(years !== undefined && { yearsFrom: Number(years) }),
    ...(more.includes('time') && { time: 'dropped' }),
    ...(more.includes('hr') && { months: 'hr' }),
  };
}

function numberReading(short: string): Reading {
  return {
    kind: 'number',
    decimal: short[0] as '.',
    ...(short.length > 1 && { percent: short[1] === '%' ? 'number' : 'fraction' }),
  };
}

function booleanReading(short: string): Reading {
  const [yes = '', no = ''] = short.split('/');
  return { kind: 'boolean', yes: yes.split(' '), no: no.split(' ') };
}
