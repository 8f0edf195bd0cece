import fc from 'fast-check';

/** Offsets to cut a file at; those beyond its end are brought back into it. */
export function chunkingsOf(bytes: Uint8Array): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 8 });
}

/** Random bytes, most of them those that a CSV scanner decides by. */
export const hostileBytes = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...Buffer.from('",\r\n')) },
      { weight: 6, arbitrary: fc.constantFrom(...Buffer.from('ab \t\\1')) },
      { weight: 1, arbitrary: fc.constantFrom(0x00, 0x01, 0x7f, 0xef, 0xbb, 0xbf) },
    ),
    { maxLength: 60 },
  )
  .map((bytes) => Buffer.from(bytes));

/** Random bytes around the borders of UTF-8: leads, continuations, surrogates, overlong forms, line ends. */
export const nearlyUtf8 = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['00', '41', '0a', '0d0a', 'c3a4', 'e282ac', 'f09f9880', 'efbbbf', 'f48fbfbf'],
        ...['80', 'bf', 'c0af', 'c1', 'c3', 'e0', 'e080', 'e2', 'e282', 'eda080', 'f0', 'f09f', 'f09f98'],
        ...['f08080af', 'f4908080', 'f5', 'ff', 'fe'],
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => Buffer.from(pieces.join(''), 'hex'));

/** Text of one cell, biased to what CSV, JSON and Unicode treat specially. NUL is no CSV text. */
export const cellText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '""',
        ',',
        '\n',
        '\r\n',
        '\r',
        ' ',
        '\t',
        '\\',
        '\u0001',
        '\u001f',
        '\u007f',
        '\ufeff',
      ),
      fc.constantFrom(
        'a',
        '0',
        'ä',
        'e\u0301',
        '€',
        '\u2028',
        '\u00a0',
        '😀',
        '\u{10ffff}',
        '__proto__',
        'true',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());

/** The ways in which a writer may write a cell. */
export interface Style {
  readonly lineEnd: '\n' | '\r\n';
  readonly quoteAll: boolean;
}

export const style: fc.Arbitrary<Style> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n'),
  quoteAll: fc.boolean(),
});

/** Writes records as CSV. A lone empty cell is quoted, because an empty line is no record. */
export function encodeCsv(records: readonly (readonly string[])[], { lineEnd, quoteAll }: Style): Buffer {
  const lines = records.map((cells) =>
    cells.map((cell) => encodeCell(cell, quoteAll || cells.length === 1)).join(','),
  );
  return Buffer.from(lines.map((line) => `${line}${lineEnd}`).join(''));
}

function encodeCell(cell: string, quote: boolean): string {
  return quote || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
