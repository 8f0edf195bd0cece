import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { NO_CHOICES } from './findings.ts';
import { examined, examinedWith, kindsOf, LIMITS, readByService } from './fixed.fixture.ts';

const ROWS = [
  ['id', 'name', 'amount'],
  ['1', 'Ada', '2.50'],
  ['2', 'Bob', '3'],
];
const CSV = 'id,name,amount\n1,Ada,2.50\n2,Bob,3\n';
/** With letters of Western Europe. */
const WESTERN = 'id;city\n1;München\n2;Besançon\n';

function utf16(text: string, { swap = false, mark = true } = {}): Buffer {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
  return swap ? bytes.swap16() : bytes;
}

/** The needed and offered changes, and the rows of the corrected file as the service reads them. */
function fixed(file: string | Uint8Array) {
  const examination = examined(file);
  const { corrected } = examination;
  return { kinds: kindsOf(examination), rows: corrected === null ? null : readByService(corrected) };
}

describe('examine', () => {
  it.each([
    ['a sound file', CSV],
    ['quoted cells with separators and line ends', 'a,b\n"1,""2"";\n3",x\r\n'],
    ['a byte order mark', `\ufeff${CSV}`],
    ['one column', 'comment\nhello; world\nso; what\n'],
    ['semicolons in texts of some rows', 'id,text,more\n1,a;b,c\n2,d;e,f\n3,f;g,h\n'],
    ['a blank line above the header', '\n\na,b\n1,2\n'],
    ['a header of years', 'area,2014,2015\nNorth,3.5,4\nSouth,1,2\n'],
  ])('finds nothing in %s', (_name, file) => {
    const examination = examined(file);
    expect(examination.findings).toEqual([]);
    expect(examination).toMatchObject({ corrected: null, refusal: null });
  });

  describe('separators', () => {
    it.each([';', '\t', '|'])('replaces %j by commas', (separator) => {
      const file = CSV.replaceAll(',', separator);
      expect(fixed(file)).toEqual({ kinds: ['separator'], rows: ROWS });
      expect(examined(file).findings[0]?.examples).toEqual([separator]);
    });

    it('keeps decimal commas, quotes and line ends of cells', () => {
      const file = 'a;b;c\r\n1,5;"x;y";"say ""hi""\n"\r\n2,5;;"z"\r\n';
      expect(fixed(file).rows).toEqual([
        ['a', 'b', 'c'],
        ['1,5', 'x;y', 'say "hi"\n'],
        ['2,5', '', 'z'],
      ]);
    });

    it('reads the line by which Excel is told the separator', () => {
      const { kinds, rows } = fixed(`sep=;\r\n${CSV.replaceAll(',', ';')}`);
      expect(kinds).toEqual(['separator', 'titles']);
      expect(rows).toEqual(ROWS);
    });

    it('leaves the file as it is if the person declines', () => {
      const examination = examined(CSV.replaceAll(',', ';'), { separator: false });
      expect(examination).toMatchObject({ corrected: null, refusal: null, columns: 1 });
    });
  });

  describe('encodings', () => {
    const rows = [
      ['id', 'city'],
      ['1', 'München'],
      ['2', 'Besançon'],
    ];

    it.each([
      ['Windows-1252', Buffer.from(WESTERN, 'latin1')],
      ['UTF-16', utf16(WESTERN)],
      ['UTF-16', utf16(WESTERN, { swap: true })],
      ['UTF-16', utf16(WESTERN, { mark: false })],
      ['UTF-16', utf16(WESTERN, { mark: false, swap: true })],
    ])('reads %s', (encoding, file) => {
      expect(fixed(file)).toEqual({ kinds: ['encoding', 'separator'], rows });
      const examination = examined(file);
      expect(examination).toMatchObject({ encoding });
      expect(examination.findings[0]?.examples).toEqual(['München', 'Besançon']);
    });

    /** Texts, and their bytes as `iconv` writes them. */
    it.each([
      ['GB18030', '姓名,城市\n王芳,上海\n', 'd0d5c3fb2cb3c7cad00acdf5b7bc2cc9cfbaa30a'],
      ['Big5', '姓名,城市\n王小明,台北\n', 'a96da6572cabb0a5ab0aa4fda470a9fa2ca578a55f0a'],
      ['Shift_JIS', '氏名,都市\n山田,東京\n', '8e8196bc2c93738e730a8e5293632c938c8b9e0a'],
      ['EUC-KR', '이름,도시\n김철수,서울\n', 'c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef0a'],
      ['Windows-1251', 'Имя,Город\nИван,Москва\n', 'c8ecff2cc3eef0eee40ac8e2e0ed2ccceef1eae2e00a'],
      ['KOI8-R', 'Имя,Город\nИван,Москва\n', 'e9cdd12ce7cfd2cfc40ae9d7c1ce2cedcfd3cbd7c10a'],
      [
        'Macintosh',
        'name,city\nMüßig,Köln\nJäger,\n',
        '6e616d652c636974790a4d9fa769672c4b9a6c6e0a4a8a6765722c0a',
      ],
      ['Windows-1250', 'imię,miasto\nŻaneta,Łódź\n', '696d69ea2c6d696173746f0aaf616e6574612ca3f3649f0a'],
      ['Windows-1254', 'ad,şehir\nÇağrı,İzmir\n', '61642cfe656869720ac761f072fd2cdd7a6d69720a'],
      ['Windows-1253', 'Όνομα,Πόλη\nΜαρία,Αθήνα\n', 'bcedefece12cd0fcebe70acce1f1dfe12cc1e8deede10a'],
    ])('recognises %s by its letters', (encoding, text, bytes) => {
      const examination = examined(Buffer.from(bytes, 'hex'));
      expect(examination).toMatchObject({ encoding, refusal: null });
      expect(Buffer.from(examination.corrected ?? Buffer.of()).toString()).toBe(text);
    });

    it('asks about an encoding if others are as likely, and takes the one that the person chooses', () => {
      const file = Buffer.from('name\n\xd0\xd5\xc3\xfb\n', 'latin1');
      expect(examinedWith(file)).toMatchObject({
        corrected: null,
        refusal: { code: 'undecided', canBeRemoved: true },
      });
      expect(examined(file, { encoding: false }).refusal).toMatchObject({ code: 'invalid_utf8' });
      expect(examined(file).encodings).toContainEqual({ name: 'GB18030', words: ['姓名'] });
      const chosen = examined(file, {}, { encoding: 'GB18030' });
      expect(Buffer.from(chosen.corrected ?? Buffer.of()).toString()).toBe('name\n姓名\n');
    });

    it('recognises an encoding by its first letters, however far behind the start of a long line they are', () => {
      const start = `name\r${'plain\r'.repeat(1_000)}`;
      const file = Buffer.from(`${start}caf\x8e cr\x8fme\rgar\x8don\r`, 'latin1');
      expect(examined(file)).toMatchObject({ encoding: 'Macintosh', refusal: null });
      const line = Buffer.from(`name,x\n${'plain '.repeat(1_000)}caf\x8e cr\x8fme gar\x8don,1\n`, 'latin1');
      expect(examined(line)).toMatchObject({ encoding: 'Macintosh', refusal: null });
    });

    it('shows the better of two encodings that differ in few letters, if all of them speak for it', () => {
      const words = 'gestión administración político carácter órgano público área así ámbito única';
      const file = `partida,año\n${`${words},1\n`.repeat(8)}${'el señor,2\n'.repeat(5)}`;
      expect(examined(Buffer.from(file, 'latin1'))).toMatchObject({
        encoding: 'Windows-1252',
        refusal: null,
      });
    });

    it('reads the signs that only Windows-1252 has', () => {
      expect(fixed(Buffer.from('price,by\n\x80 5,Ren\xe9\n', 'latin1')).rows).toEqual([
        ['price', 'by'],
        ['€ 5', 'René'],
      ]);
    });

    it('leaves out a byte order mark when something else changes', () => {
      expect(fixed(`\ufeff${CSV.replaceAll(',', ';')}`)).toEqual({ kinds: ['separator'], rows: ROWS });
    });

    it('says that the service refuses the file if the person declines', () => {
      const examination = examined(Buffer.from(WESTERN, 'latin1'), { encoding: false });
      expect(examination).toMatchObject({
        corrected: null,
        refusal: { code: 'invalid_utf8', line: null, canBeRemoved: true },
      });
    });

    it.each([
      ['UTF-8 with a damaged byte', Buffer.concat([Buffer.from('a\nMünchen, Köln\n'), Buffer.from([0xff])])],
      ['bytes that are no text', Buffer.from([1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 255])],
      ['half a character of UTF-16', utf16(WESTERN).subarray(0, -1)],
    ])('does not read %s', (_name, bytes) => {
      expect(examine(bytes, NO_CHOICES, LIMITS).next()).toMatchObject({});
      expect(() => examined(bytes)).toThrow('no text');
    });
  });

  describe('lines above the header', () => {
    it.each([
      ['a title', `Orders of March\n\n${CSV}`, 1],
      ['titles with separators', `Orders,,\nMarch,,\n${CSV}`, 2],
      ['a title with a quote in it', `Orders of "March"\n${CSV}`, 1],
      ['a group of columns', `,Person,\n${CSV}`, 1],
    ])('leaves out %s', (_name, file, count) => {
      expect(fixed(file)).toEqual({ kinds: ['titles'], rows: ROWS });
      expect(examined(file).findings[0]).toMatchObject({ count });
    });

    it('takes no row of values for a header', () => {
      expect(examined('id,\n1,2\n3,4\n').findings.map(({ kind }) => kind)).toEqual(['gaps']);
    });

    it('leaves them where they are if the person declines', () => {
      const examination = examined(`Orders\n${CSV}`, { titles: false, gaps: false });
      expect(examination).toMatchObject({ corrected: null, refusal: null });
    });

    it.each([
      ['with more fields than the table', `Orders,March,2026,all\n${CSV}`, 1],
      ['of names and values', `Site,North\nDay,2026-08-01\n\n${CSV}`, 2],
    ])('offers to leave out titles %s', (_name, file, count) => {
      const { findings, corrected } = examined(file, { titles: true });
      expect(findings).toMatchObject([{ kind: 'titles', count }]);
      expect(readByService(corrected ?? Buffer.of())).toEqual(ROWS);
      expect(examinedWith(file).findings[0]).toMatchObject({ kind: 'titles', isOpen: true });
    });

    it('takes the line that the person chooses', () => {
      const { corrected, findings, header } = examined(
        `Orders,a,b\n${CSV}`,
        {},
        { header: { line: 2, lines: 1 } },
      );
      expect(readByService(corrected ?? Buffer.of())).toEqual(ROWS);
      expect(findings.map(({ kind }) => kind)).toEqual(['titles']);
      expect(header).toEqual({ line: 2, lines: 1 });
    });
  });

  describe('names of columns', () => {
    it('names columns without a name, and numbers repeated names', () => {
      const { kinds, rows } = fixed('id,,id,Column 2\n1,2,3,4\n');
      expect(kinds).toEqual(['gaps', 'repeats']);
      expect(rows?.[0]).toEqual(['id', 'Column 2 (2)', 'id (2)', 'Column 2']);
    });

    it('offers to remove spaces around names', () => {
      const examination = examined(' id ,name\u00a0\n1,2\n', { spaces: true });
      expect(kindsOf(examination)).toEqual(['(spaces)']);
      expect(readByService(examination.corrected ?? Buffer.of())).toEqual([
        ['id', 'name'],
        ['1', '2'],
      ]);
    });

    it.each([
      ['gaps', 'a,,b\n1,2,3\n', 'empty_header'],
      ['repeats', 'a,b,a\n1,2,3\n', 'duplicate_header'],
    ] as const)('says that the service refuses the file if the person declines: %s', (kind, file, code) => {
      expect(examined(file, { [kind]: false })).toMatchObject({
        corrected: null,
        refusal: { code, line: 1 },
      });
      expect(readByService(Buffer.from(file))).toBe(code);
    });
  });

  describe('columns without values', () => {
    it('leaves out those without a name', () => {
      expect(fixed('id,name,amount,,\n1,Ada,2.50,,\n2,Bob,3,"",\n')).toEqual({
        kinds: ['emptyColumns'],
        rows: ROWS,
      });
      expect(fixed('id,name,amount\n1,Ada,2.50,\n2,Bob,3,\n')).toEqual({
        kinds: ['emptyColumns'],
        rows: ROWS,
      });
    });

    it('names them if the person declines', () => {
      const { corrected } = examined('id,,amount\n1,,2\n', { emptyColumns: false });
      expect(readByService(corrected ?? Buffer.of())).toEqual([
        ['id', 'Column 2', 'amount'],
        ['1', '', '2'],
      ]);
    });

    it('offers to leave out those with a name', () => {
      const file = 'id,fax,amount\n1,,2\n';
      expect(kindsOf(examined(file))).toEqual(['(valueless)']);
      expect(readByService(examined(file, { valueless: true }).corrected ?? Buffer.of())).toEqual([
        ['id', 'amount'],
        ['1', '2'],
      ]);
    });
  });

  describe('quotes', () => {
    it.each([
      ['in an unquoted cell', '1,5" pipe,x', ['1', '5" pipe', 'x']],
      ['not doubled', '1,"He said "hello" to me",x', ['1', 'He said "hello" to me', 'x']],
      ['at the end of a quoted cell', '1,"5"",x', ['1', '5"', 'x']],
      ['behind a space', '1, "a, b" ,x', ['1', 'a, b', 'x']],
      ['opened and not closed', '1,"abc,x', ['1', '"abc', 'x']],
      ['doubled beside one that is not', '1,"a ""b"" "c" d",x', ['1', 'a "b" "c" d', 'x']],
    ])('keeps a quote as text: %s', (_name, line, cells) => {
      const { kinds, rows } = fixed(`id,name,amount\n${line}\n2,"B,ob",3\n`);
      expect(kinds).toEqual(['quotes']);
      expect(rows).toEqual([ROWS[0], cells, ['2', 'B,ob', '3']]);
    });

    it.each([
      ['with a separator behind the quote', 'a,b,c\n1,"x", y" z",2\n', 'stray_quote', 2],
      ['over two lines', 'a,b\n1,2\nx,"one\nhe said "hi" to me"\n', 'stray_quote', 3],
      ['of another number of cells', 'a,b,c\n1,"never closed\n', 'unclosed_quote', 2],
    ])('changes nothing that can be read in two ways: %s', (_name, file, code, line) => {
      expect(examined(file)).toMatchObject({ corrected: null, refusal: { code, line, canBeRemoved: false } });
      expect(readByService(Buffer.from(file))).toBe(code);
    });

    it('takes blanks out that stand behind the quotes of every row', () => {
      const { rows } = fixed(`a,b\n${'x,"1,000"\t\n'.repeat(6)}`);
      expect(rows?.slice(1)).toEqual(Array(6).fill(['x', '1,000']));
    });

    it('are not ticked where they stand beside a separator that is not known', () => {
      const file = 'time@what@notes\n08:00@"Books, songs, music"@x\n09:00@"Draw, paint"@y\n10:00@rest@z\n';
      const { findings, refusal } = examined(file);
      expect(findings[0]).toMatchObject({ kind: 'quotes', isAgreed: false });
      expect(refusal).toEqual({ code: 'stray_quote', line: 2, canBeRemoved: true });
    });

    it('are ticked where each row has some that are wrong', () => {
      const file = 'id,day,place\n "us"0,2026-08-01,"Banda Sea, 0"\n "us"1,2026-08-01,"Banda Sea, 1"\n';
      expect(examined(file).findings[0]).toMatchObject({ kind: 'quotes', isAgreed: true });
    });

    it('says that the service refuses the file if the person declines', () => {
      const examination = examined('a,b\n1,2"3\n', { quotes: false });
      expect(examination).toMatchObject({ corrected: null, refusal: { code: 'stray_quote', line: 2 } });
    });
  });

  describe('carriage returns and NUL', () => {
    it('ends lines with LF that end with CR', () => {
      expect(fixed(CSV.replaceAll('\n', '\r'))).toEqual({ kinds: ['lineEnds'], rows: ROWS });
    });

    it('drops a second CR of a line end', () => {
      expect(fixed(CSV.replaceAll('\n', '\r\r\n'))).toEqual({ kinds: ['returns'], rows: ROWS });
    });

    it('keeps a CR inside of a cell in quotes', () => {
      expect(fixed('id,name,amount\n1,A\rda,2.50\n').rows).toEqual([ROWS[0], ['1', 'A\rda', '2.50']]);
    });

    it('drops NUL', () => {
      const { kinds, rows } = fixed(CSV.replace('Ada', 'A\0d\0a'));
      expect(kinds).toEqual(['nul']);
      expect(rows).toEqual(ROWS);
      expect(examined(CSV.replace('Ada', 'A\0da')).findings[0]).toMatchObject({ count: 1, line: 2 });
    });
  });

  it('looks at a long line of dashes once', () => {
    expect(examined(`id,text\n1,${'-'.repeat(200_000)}x\n`).findings).toEqual([]);
  });

  it('finds everything at once', () => {
    const file = Buffer.from(
      'Bericht "März"\r\r\nid; Stadt;;Stadt;Fax;\r\n1;Köln 5" A;x\0;"a"b" ;;\r\n2;\rBonn;y;b;;\r\n',
      'latin1',
    );
    const examination = examined(file, { spaces: true, valueless: true });
    expect(kindsOf(examination)).toEqual([
      'encoding',
      'nul',
      'separator',
      'titles',
      'returns',
      'quotes',
      '(spaces)',
      'emptyColumns',
      '(valueless)',
      'gaps',
      'repeats',
    ]);
    expect(readByService(examination.corrected ?? Buffer.of())).toEqual([
      ['id', 'Stadt', 'Column 3', 'Stadt (2)'],
      ['1', 'Köln 5" A', 'x', 'a"b'],
      ['2', '\rBonn', 'y', 'b'],
    ]);
  });

  it('shows the first rows, the first that are repaired and the last, before and after', () => {
    const rows = Array.from({ length: 20 }, (_, row) => `${row};x;y\n`).join('');
    const file = Buffer.from(`Städte\nid;b;c\n${rows}é;1"2;z\n`, 'latin1');
    const { preview } = examined(file);
    expect(preview.filter(({ isChecked }) => isChecked).map(({ line }) => line)).toEqual([
      1, 2, 3, 4, 5, 6, 21, 22, 23,
    ]);
    // Further rows, for the choice of the header.
    expect(preview).toHaveLength(23);
    expect(preview[0]).toMatchObject({ line: 1, before: 'St\ufffddte', after: null });
    expect(preview[1]).toMatchObject({ line: 2, before: 'id;b;c', after: ['id', 'b', 'c'] });
    expect(preview.at(-1)).toMatchObject({ line: 23, before: '\ufffd;1"2;z', after: ['é', '1"2', 'z'] });
  });
});

describe('examine, for what is no table', () => {
  it.each([
    ['a web page', '<!DOCTYPE html><html><title>Sign in, please</title></html>', 'web_page'],
    ['XML', '<?xml version="1.0"?>\n<rows/>', 'web_page'],
    ['JSON', '[{"id": 1, "name": "Ada"},\n {"id": 2}]\n', 'json'],
    ['lines of JSON', '{"id": 1, "name": "Ada"}\n{"id": 2}\n', 'json'],
    ['only a header', 'a,b,c\n', 'no_rows'],
    ['blank lines', '\n\r\n\n', 'no_rows'],
    ['nothing', '', 'no_rows'],
    ['more columns than a person would leave out', `${'a,'.repeat(1_000)}b\n1\n`, 'too_many_columns'],
    ['more rows than any plan allows', `a,b\n${'1,2\n'.repeat(250_001)}`, 'too_many_rows'],
    ['quotes by other rules', `a,b\n${'x,so "it" is\n'.repeat(6)}`, 'stray_quote'],
  ])('refuses %s in words', (_name, file, code) => {
    expect(examined(file)).toMatchObject({ corrected: null, refusal: { code, canBeRemoved: false } });
  });
});
