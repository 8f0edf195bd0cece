import { describe, expect, it } from 'vitest';
import { examined, readByService, suggested } from './fixed.fixture.ts';

const TABLE = [
  ['id', 'name', 'city'],
  ['1', 'Ada', 'New York'],
  ['2', 'Bob', 'Rome, "RM"'],
  ['3', 'Cy', 'Oslo'],
];
const FIXED = `
        id name city
---------- ---- ----------
         1 Ada  New York
         2 Bob  Rome, "RM"
         3 Cy   Oslo
`;

/** Files whose ticked changes lead to {@link TABLE}. */
const DRAWN: readonly (readonly [string, string])[] = [
  ['fixed widths with dashes below the names', FIXED],
  ['the same with CRLF', FIXED.replaceAll('\n', '\r\n')],
  ['a number of rows below', `${FIXED}\n3 rows selected.\n`],
  [
    'fixed widths with the names on each page',
    FIXED.replace('         3', '\n        id name city\n---------- ---- ----------\n         3'),
  ],
  [
    'a box of lines',
    '┌────┬──────┬────────────┐\n│ id │ name │ city       │\n├────┼──────┼────────────┤\n│ 1  │ Ada  │ New York   │\n│ 2  │ Bob  │ Rome, "RM" │\n│ 3  │ Cy   │ Oslo       │\n└────┴──────┴────────────┘\n',
  ],
  [
    'a box with lines between rows',
    '+----+------+------------+\n| id | name | city       |\n+====+======+============+\n| 1  | Ada  | New York   |\n+----+------+------------+\n| 2  | Bob  | Rome, "RM" |\n+----+------+------------+\n| 3  | Cy   | Oslo       |\n+----+------+------------+\n',
  ],
  [
    'dashes below the names',
    'id\tname\tcity\n--\t----\t--------\n1\tAda\tNew York\n2\tBob\t"Rome, ""RM"""\n3\tCy\tOslo\n',
  ],
];

describe('a drawn table', () => {
  it.each(DRAWN)('is read: %s', (_, file) => {
    const { refusal, corrected } = examined(file, { notes: true });
    expect(refusal).toBeNull();
    expect(readByService(corrected ?? Buffer.from(file))).toEqual(TABLE);
  });

  it('is left as it is if the person declines', () => {
    expect(examined(FIXED, { separator: false }).corrected).toBeNull();
  });

  it('is offered without dashes below the names', () => {
    const file = 'NAME     READY   AGE\napi-1    1/1     5\nworker   0/1     12\ndb       2/2     90\n';
    expect(suggested(file).changes).toEqual(['[separator]']);
    expect(readByService(examined(file, { separator: true }).corrected ?? new Uint8Array())).toEqual([
      ['NAME', 'READY', 'AGE'],
      ['api-1', '1/1', '5'],
      ['worker', '0/1', '12'],
      ['db', '2/2', '90'],
    ]);
  });

  it('is offered if a value reaches over the place of a blank', () => {
    expect(suggested(FIXED.replace('Ada  New', 'Adalinde')).changes).toContain('separator');
  });

  it('is none if lines have other signs between fields', () => {
    expect(suggested('id,name  x\n1,a  b\n2,c  d\n3,e  f\n').changes).toEqual([]);
  });
});

describe('an encoding', () => {
  const twice = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text));

  it('is mended if a text was encoded as UTF-8 twice', () => {
    const file = 'Straße,Nr\nKönigsweg,1\nŽižkov,2\n';
    expect(suggested(twice(file))).toEqual({
      changes: ['encoding'],
      rows: [
        ['Straße', 'Nr'],
        ['Königsweg', '1'],
        ['Žižkov', '2'],
      ],
    });
    expect(examined(twice(file), { encoding: false }).corrected).toBeNull();
  });

  it('is offered to be mended if other letters are right', () => {
    expect(suggested(`Name,Nr\n${twice('Müller')},1\nJäger,2\n`).changes).toEqual(['[encoding]']);
    expect(suggested('Name,Nr\nMüller,1\nÂngelo,2\n').changes).toEqual([]);
  });

  it.each([
    [
      'CP850',
      'Groß, Köln, Bäcker, Jörg, Händel',
      '69643b746578740a313b47726fe12c204b946c6e2c204284636b65722c204a9472672c2048846e64656c0a',
    ],
    [
      'CP437',
      'Peña, Málaga, Logroño, cigüeña',
      '69643b746578740a313b5065a4612c204da06c6167612c204c6f67726fa46f2c206369678165a4610a',
    ],
    [
      'CP852',
      'Żaneta, Łódź, Święcicka',
      '69643b746578740a313bbd616e6574612c209da264ab2c20977769a96369636b610a',
    ],
    [
      'CP857',
      'Şahin, Muğla, Yılmaz, Çağrı, Öztürk, Iğdır',
      '69643b746578740a313b9e6168696e2c204d75a76c612c20598d6c6d617a2c208061a7728d2c20997a7481726b2c2049a7648d720a',
    ],
    ['CP737', 'Αθήνα, Πάτρα, Ελένη', '69643b746578740a313b809fe3a4982c208fe1aba8982c2084a2e2a49e0a'],
    [
      'CP775',
      'Žukauskas, Šiauliai, Čepaitė',
      '69643b746578740a313bcf756b6175736b61732c20be6961756c6961692c20b66570616974d30a',
    ],
    ['CP862', 'דנה כהן, תל אביב', '69643b746578740a313b839084208b848f2c209a8c20808189810a'],
    ['ISO-8859-6', 'حوالة واردة من محمد', '69643b746578740a313bcde8c7e4c920e8c7d1cfc920e5e620e5cde5cf0a'],
  ])('is told by its letters: %s', (_, text, hex) => {
    const { changes, rows } = suggested(Buffer.from(hex, 'hex'));
    expect(changes).toEqual(['encoding', 'separator']);
    expect(rows[1]).toEqual(['1', text]);
  });

  it('is no code page of DOS for one letter alone', () => {
    const file = Buffer.from('id;text\n1;Séismes\n2;Pérou\n', 'latin1');
    expect(suggested(file).changes).toEqual(['encoding', 'separator']);
    expect(examined(file).encoding).toBe('Windows-1252');
  });

  it('is asked for if letters of another one are as likely', () => {
    // Ά has another place in ISO-8859-7 than in Windows-1253.
    const greek = Buffer.from('69643b746578740a313bb6edede120d0e1f0e1e4eff0effdebeff50a', 'hex');
    expect(suggested(greek).changes).toEqual(['encoding', 'separator']);
    expect(examined(greek).encodings[0]).toEqual({ name: 'ISO-8859-7', words: ['Άννα', 'Παπαδοπούλου'] });
  });

  it('is read from the escape sequences of Japanese', () => {
    const file = Buffer.from('\x1b$BL>A0\x1b(B,a\n\x1b$B$"$$\x1b(B,1\n');
    expect(suggested(file)).toEqual({
      changes: ['encoding'],
      rows: [
        ['名前', 'a'],
        ['あい', '1'],
      ],
    });
  });
});

describe('a sign between fields', () => {
  it.each(['&', '=', '¦', '，', '、', '\u0001'])(
    'is offered if most rows of one column have it: %s',
    (sign) => {
      const file = `id${sign}name\n1${sign}Ada\n2${sign}Bob\n3${sign}Cy\n`;
      expect(suggested(file).changes).toEqual(['[separator]']);
      expect(readByService(examined(file, { separator: true }).corrected ?? new Uint8Array())[1]).toEqual([
        '1',
        'Ada',
      ]);
    },
  );
});

describe('a comma', () => {
  it('is doubted if another sign stands in each row as often', () => {
    const file = '1\tid,name\n2\t1,Ada\n3\t2,Bob\n4\t3,Cy\n';
    expect(suggested(file).changes).toEqual(['[separator]']);
  });

  it('is not doubted for the parts of times, or a sign that few rows have', () => {
    expect(suggested('a:b,c\n1:00,2\n2:00,3\n3:00,4\n').changes).toEqual([]);
    expect(suggested('a,c;d\n1,2;3\n2,3\n3,4\n').changes).toEqual([]);
  });

  it('is doubted if few names begin with a blank', () => {
    const rows = 'Apple,2,50,1\nPear,3,10,2\nMilk,1,20,3\n';
    expect(suggested(`Item,Price, net,Count\n${rows}`).changes).toEqual(['[spaces]']);
    expect(examined(`Item, Price, net, Count\n${rows}`).findings.filter(({ isNeeded }) => isNeeded)).toEqual(
      [],
    );
  });
});

describe('a row below the others', () => {
  const listed = (last: string) =>
    suggested(`No,Name,Mark\n1,Ada,2\n2,Bob,3\n3,Cy,4\n4,Di,1\n${last}\n`).changes;

  it.each([
    ['with a mean', 'Durchschnitt,5,2.5'],
    ['with a mean in the second column', ',-,2.5'],
    ['without anything in the first column', ',5,3'],
  ])('%s is listed', (_, last) => {
    expect(listed(last)).toContain('[notes]');
  });

  it.each(['above the others', 'among the others', 'below the others'])(
    'is listed without a first cell %s',
    (place) => {
      const rows = Array.from({ length: 6 }, (_, at) => `2026-11-0${at + 1},shop,${at + 1}.50,90`);
      const at = { above: 0, among: 3, below: 6 }[place.split(' ', 1)[0] as 'above'];
      rows.splice(at, 0, ',Balance,,90');
      expect(suggested(`day,text,amount,balance\n${rows.join('\n')}\n`).changes).toEqual(['[notes]']);
    },
  );

  it.each([
    ['Arabic', 'التاريخ,السعر\n٢٠٢٦/١١/٠١,٢٫٥٠\n٢٠٢٦/١١/٠٢,٦٫٧٥\n٢٠٢٦/١١/٠٣,١٨٫٠٠\nملاحظة,٥\n'],
    ['Devanagari', 'क्रम,राशि\n१,२५०\n२,६७५\n३,९००\nटिप्पणी,५\n'],
    ['full width', '番号,金額\n１,２５０\n２,６７５\n３,９００\n備考,５\n'],
  ])('is listed if it begins with words below %s digits', (_, file) => {
    expect(suggested(file).changes).toEqual(['[notes]']);
  });

  it.each([
    'الإجمالي',
    'جمع کل',
    'कुल',
    'Tổng cộng',
    'Общо:',
    'Összesen',
    'Yhteensä',
    'Iš viso',
    'Итого и средние',
    'Summe Köln',
    'Sveukupno',
  ])('is listed if it begins with %s', (word) => {
    expect(suggested(`a,b\nx,1\ny,2\nz,3\n${word},7\n`).changes).toEqual(['[notes]']);
  });

  it('is listed if it has the names of another list', () => {
    const first = 'Name,Dept,Ext\nAda,Sales,100\nBob,Sales,101\nCy,Sales,102\n';
    expect(suggested(`${first}Room,Floor,Seats\nR1,1,4\nR2,2,8\n`).changes).toContain('[notes]');
    expect(suggested(`${first}Di,Sales,unknown\nEd,Sales,104\nFlo,Sales,105\n`).changes).toEqual([]);
  });

  it.each([
    'Class average',
    'Moyenne de la classe',
    'Media de la clase',
    'Średnia klasy',
    'Mittelwert aller',
    'Durchschnitt der Klasse',
  ])('is listed if it has the word for a mean among others: %s', (words) => {
    expect(suggested(`a,b\nx,1\ny,2\nz,3\n${words},2\n`).changes).toEqual(['[notes]']);
  });

  it.each(['Results from 3 campaigns', '3 results', 'Ergebnisse aus 3 Kampagnen'])(
    'is listed if it counts the rows above: %s',
    (words) => {
      const rows = (sum: number) => `a,b\nx,10\ny,20\nz,30\n${words},${sum}\n`;
      expect(suggested(rows(61)).changes).toEqual(['[notes]']);
    },
  );

  it('is none with a number at the end of its name', () => {
    expect(suggested('a,b\nItem 1,10\nItem 2,20\nItem 3,30\nItem 3,60\n').changes).toEqual([]);
  });

  it('is none if a word for a mean among others stands far above', () => {
    const rows = 'Average rent,7\nMean age,1\nBeds,2\nRooms,3\nDoors,4\n';
    expect(suggested(`a,b\n${rows}`).changes).toEqual([]);
  });

  it.each([
    ['Algsaldo', 'lõppsaldo'],
    ['Opening balance', 'Closing balance as of 28/11/2026'],
    ['Saldo anterior', 'SALDO FINAL'],
    ['Balance b/f', 'Balance carried forward'],
    ['Ancien solde', 'Nouveau solde au 28/11'],
    ['Anfangssaldo', 'Endsaldo'],
    ['Počáteční zůstatek', 'Konečný zůstatek'],
    ['Входящий остаток', 'Исходящий остаток'],
    ['Nyitó egyenleg', 'Záró egyenleg'],
    ['Devreden bakiye', 'Bakiye'],
    ['前期繰越', '期末余额'],
    ['Likutis pradžiai', 'Apyvarta'],
    ['Sold inițial', 'Rulaj total'],
    ['Početno stanje', 'Novo stanje'],
    ['ยอดยกมา', 'Số dư cuối kỳ'],
  ])('is listed with a balance in a later column: %s, %s', (first, last) => {
    const rows = Array.from({ length: 5 }, (_, at) => `EE38;2026-11-0${at + 1};shop ${at};${at}.50`);
    const file = [`EE38;2026-11-01;${first};9`, ...rows, `EE38;2026-11-28;"${last}";7`].join('\n');
    const { findings } = examined(`account;day;text;amount\n${file}\n`);
    const parts = findings.flatMap((finding) => finding.parts.map(({ at, isAgreed }) => [at, isAgreed]));
    expect(parts).toEqual([
      [2, false],
      [8, false],
    ]);
  });

  it('is none with the name of a shop that has such a word', () => {
    const rows = Array.from({ length: 5 }, (_, at) => `2026-11-0${at + 1},New Balance ${at},${at}.50`);
    expect(suggested(`day,text,amount\n${rows.join('\n')}\n`).changes).toEqual([]);
  });

  it.each([
    ['the one value that tells records apart', 'x,y,'],
    ['two values', 'x,,'],
  ])('is listed at an edge if it lacks %s', (_, cells) => {
    const rows = Array.from({ length: 6 }, (_, at) => `${at},x,z,R${at}`);
    const odd = `9,${cells}`;
    const changesOf = (all: readonly string[]) => suggested(['id,kind,size,ref', ...all].join('\n')).changes;
    expect(changesOf([odd, ...rows])).toEqual(['[notes]']);
    expect(changesOf([...rows, odd])).toEqual(['[notes]']);
    expect(changesOf([...rows.slice(0, 3), odd, ...rows.slice(3)])).toEqual([]);
  });

  it('is none if it lacks what others do not have either', () => {
    expect(suggested('id,kind,ref\n1,x,\n2,y,R2\n3,z,\n4,x,R4\n5,y,R5\n6,z,R6\n').changes).toEqual([]);
  });

  it('is none if others begin with nothing too', () => {
    expect(suggested('a,b,c\nx,1,2\n,3,4\ny,5,6\n,7,9\n').changes).toEqual([]);
  });
});

describe('a file of another format', () => {
  it.each([
    ['SQL', "-- dump\nINSERT INTO people VALUES (1, 'Ada');\nINSERT INTO people VALUES (2, 'Bob');\n"],
    ['QIF', '!Type:Bank\nD11/01/2026\nT-45.90\n^\n'],
    ['MT940', ':20:START\n:25:1002/123\n:61:2611021102DR45,90\n'],
    ['vCard', 'BEGIN:VCARD\nFN:Ada\nEND:VCARD\n'],
    ['tuples of Python', "('1', 'Ada'),\n('2', 'Bob'),\n"],
    ['several tuples in a line', "(1, 'Ada'),(2, 'Bob'),\n(3, 'Cy'),(4, 'Di'),\n"],
    ['nested arrays', '[[1, 2], [3, 4]],\n[[5, 6], [7, 8]],\n'],
    ['HL7', 'MSH|^~\\&|LAB|HOSP\nPID|1||12345\n'],
    ['mysql with records below each other', '*************************** 1. row ***\n id: 1\n'],
  ])('is refused: %s', (_, file) => {
    expect(examined(file).refusal?.code).toBe('other_format');
  });

  it('are told from a table below a long line of dashes without a second reading', () => {
    // A pattern that tries each way to part the line needs hours for this one.
    expect(examined(`${'----- '.repeat(60)}\nid,name\n1,Ada\n`).refusal?.code).not.toBe('other_format');
  });

  it('is not a table with such a name', () => {
    expect(examined('Create date,Begin\n2026-11-01,5\n2026-11-02,6\n').refusal).toBeNull();
  });

  it('is not a table below an empty object, as MYOB writes it', () => {
    expect(suggested('{}\r\nid\tname\r\n1\tAnn\r\n2\tBob\r\n').rows[0]).toEqual(['id', 'name']);
    expect(examined('{}\n{"id": 1}\n').refusal?.code).toBe('json');
  });

  it.each([
    ['commas', '[id],[name],\n[1],[Ann],\n[2],[Bob],\n'],
    ['semicolons and CRLF', '(id);(name);\r\n(1);(Ann);\r\n(2);(Bob);\r\n'],
  ])('is not a table with brackets around cells, and %s', (_, file) => {
    expect(examined(file).refusal).toBeNull();
    expect(suggested(file).rows[1]).toHaveLength(2);
  });
});
