import type { LegacyEncoding } from '../../../../schemas/imports/fix/encodings.ts';

/** The words and forms of the files that programs write for one language. */
export interface Locale {
  readonly language: string;
  /** The encoding of older programs. */
  readonly encoding: LegacyEncoding;
  readonly separator: string;
  readonly decimal: string;
  /** The names of a date, a text, an amount and a balance. */
  readonly names: readonly string[];
  readonly texts: readonly string[];
  /** Words that begin a title, a line of totals, and a note. */
  readonly title: string;
  readonly total: string;
  readonly note: string;
  /** The word for the mean of other lines. */
  readonly mean: string;
}

type Line = readonly [string, LegacyEncoding, string, string, string, string, string, string, string];

const LINES: readonly Line[] = [
  [
    'en',
    'Windows-1252',
    ',.',
    'Date|Description|Amount|Balance',
    'Coffee|Rent|Fuel|Café Zoë|Books|Shoes',
    'Account statement',
    'Total',
    'Source: own records',
    'Average',
  ],
  [
    'de',
    'Windows-1252',
    ';,',
    'Buchungstag|Verwendungszweck|Betrag|Saldo',
    'Bäckerei|Miete|Tankstelle|Bücher Köhler|Schuhgeschäft|Brötchen',
    'Kontoauszug',
    'Summe',
    'Quelle: eigene Erhebung',
    'Durchschnitt',
  ],
  [
    'fr',
    'Windows-1252',
    ';,',
    'Date|Libellé|Débit|Solde',
    'Loyer|Épicerie|Hôtel|Librairie|Boulangère|Café',
    'Relevé de compte',
    'Total',
    'Source : données propres',
    'Moyenne',
  ],
  [
    'es',
    'Windows-1252',
    ';,',
    'Fecha|Descripción|Importe|Saldo',
    'Alquiler|Panadería|Años|Librería|Zapatería|Jardín',
    'Extracto de cuenta',
    'Suma',
    'Fuente: elaboración propia',
    'Promedio',
  ],
  [
    'nl',
    'Windows-1252',
    ';,',
    'Datum|Omschrijving|Bedrag|Saldo',
    'Huur|België|Daniël|Boeken|Schoenen|Coöperatie',
    'Rekeningoverzicht',
    'Totaal',
    'Bron: eigen gegevens',
    'Gemiddelde',
  ],
  [
    'pl',
    'Windows-1250',
    ';,',
    'Data|Tytuł|Kwota|Saldo',
    'Czynsz|Księgarnia|Żabka|Piekarnia Łódź|Obuwie|Śniadanie',
    'Wyciąg z rachunku',
    'Razem',
    'Źródło: dane własne',
    'Średnia',
  ],
  [
    'cs',
    'Windows-1250',
    ';,',
    'Datum|Název|Částka|Zůstatek',
    'Nájem|Knihkupectví|Pekařství|Obuv|Kavárna|Šaty',
    'Výpis z účtu',
    'Celkem',
    'Zdroj: vlastní údaje',
    'Průměr',
  ],
  [
    'tr',
    'Windows-1254',
    ';,',
    'Tarih|Açıklama|Tutar|Bakiye',
    'Kira|Kırtasiye|Fırın|Ayakkabı|Çiçekçi|Güneş',
    'Hesap özeti',
    'Toplam',
    'Kaynak: kendi kayıtlarımız',
    'Ortalama',
  ],
  [
    'ru',
    'Windows-1251',
    ';,',
    'Дата|Описание|Сумма|Остаток',
    'Аренда|Книги|Обувь|Хлеб|Кофе|Топливо',
    'Выписка по счёту',
    'Итого',
    'Источник: собственные данные',
    'Среднее',
  ],
  [
    'el',
    'Windows-1253',
    ';,',
    'Ημερομηνία|Περιγραφή|Ποσό|Υπόλοιπο',
    'Ενοίκιο|Βιβλία|Παπούτσια|Καφές|Φούρνος|Καύσιμα',
    'Κίνηση λογαριασμού',
    'Σύνολο',
    'Πηγή: ίδια στοιχεία',
    'Μέσος όρος',
  ],
  [
    'ja',
    'Shift_JIS',
    ',.',
    '日付|内容|金額|残高',
    'コーヒー|家賃|書籍の購入|くつ|パン屋|燃料',
    '取引明細',
    '合計',
    '出典：自社データ',
    '平均',
  ],
  [
    'zh',
    'GB18030',
    ',.',
    '日期|说明|金额|余额',
    '咖啡|房租|书籍|鞋子|面包店|燃料',
    '交易明细',
    '合计',
    '资料来源：自有数据',
    '平均',
  ],
  [
    'ko',
    'EUC-KR',
    ',.',
    '날짜|내용|금액|잔액',
    '커피|월세|도서|신발|빵집|연료',
    '거래 내역',
    '합계',
    '자료: 자체 조사',
    '평균',
  ],
];

export const LOCALES: readonly Locale[] = LINES.map(
  ([language, encoding, [separator = '', decimal = ''], names, texts, title, total, note, mean]) => ({
    language,
    encoding,
    separator,
    decimal,
    names: names.split('|'),
    texts: texts.split('|'),
    title,
    total,
    note,
    mean,
  }),
);
