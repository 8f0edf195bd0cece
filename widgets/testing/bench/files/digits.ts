import { cells, type Export, quoted } from './export.ts';

const ROWS = 6;

/** Names, texts, digits from zero, signs for decimals and thousands, and the word for a total. */
type Script = readonly [names: string, texts: string, digits: string, signs: string, total: string];

const SCRIPTS: Readonly<Record<string, Script>> = {
  'takings in Arabic': ['التاريخ,البند,الكمية,السعر', 'خبز,حليب,جبن', '٠١٢٣٤٥٦٧٨٩', '٫٬', 'الإجمالي'],
  'takings in Persian': ['تاریخ,شرح,تعداد,مبلغ', 'نان,شیر,پنیر', '۰۱۲۳۴۵۶۷۸۹', '٫٬', 'جمع کل'],
  'takings in Hindi': ['दिनांक,सामान,मात्रा,राशि', 'चावल,आटा,चीनी', '०१२३४५६७८९', '.,', 'कुल'],
  'takings in Thai': ['วันที่,รายการ,จำนวน,ราคา', 'ข้าว,น้ำ,ไข่', '๐๑๒๓๔๕๖๗๘๙', '.,', 'รวมทั้งสิ้น'],
  'takings in Japanese': ['日付,品名,数量,金額', 'りんご,みかん,茶', '０１２３４５６７８９', '．，', '合計'],
  'takings in Vietnamese': [
    'Ngày,Tên hàng,Số lượng,Thành tiền',
    'Cà phê,Bánh mì,Trà',
    '0123456789',
    ',.',
    'Tổng cộng',
  ],
  'takings in Bulgarian': ['Дата,Артикул,Брой,Сума', 'Хляб,Сирене,Яйца', '0123456789', ',.', 'Общо'],
  'takings in Hungarian': ['Dátum,Cikk,Mennyiség,Összeg', 'Kenyér,Tej,Sajt', '0123456789', ', ', 'Összesen'],
  'takings in Finnish': ['Päivä,Tuote,Määrä,Summa', 'Leipä,Maito,Juusto', '0123456789', ', ', 'Yhteensä'],
};

/** Files with digits of many scripts, a total of another sum at the end. */
export const DIGITS: Readonly<Record<string, Export>> = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, [names, texts, digits, [decimal = '', thousands = ''], total]]) => {
    const own = (text: string) => text.replace(/\d/g, (digit) => digits[Number(digit)] ?? '');
    const goods = texts.split(',');
    const rows = Array.from({ length: ROWS }, (_, at) => [
      own(`2026/11/0${at + 1}`),
      goods[at % goods.length] ?? '',
      own(String(3 * at + 1)),
      own(`${at + 1}${thousands}250${decimal}50`),
    ]);
    const [header = []] = cells(',', [names]);
    const table = [header, ...rows];
    const sum = [total, '', own('52'), own(`21${thousands}503${decimal}05`)];
    return [name, { lines: quoted(';', [...table, sum]), table }];
  }),
);

/** Files of programs that write signs between fields which are no usual ones. */
export const SIGNS: Readonly<Record<string, Export>> = Object.fromEntries(
  Object.entries({ 'rows of LaTeX': ' & ', 'a full-width comma': '，', 'control characters': '\u0001' }).map(
    ([name, sign]) => {
      const table = cells(',', ['id,name,city', '1,Ada,London', '2,Bob,Paris', '3,Cy,Rome', '4,Di,Oslo']);
      return [name, { lines: table.map((row) => row.join(sign)), table }];
    },
  ),
);
