import { describe, expect, it } from 'vitest';
import { examinedWith } from './fixed.fixture.ts';

/** A file of one encoding, by the bytes of its letters. */
function latin1(...cells: readonly string[]): Buffer {
  return Buffer.from(`id,text\n${cells.map((cell, at) => `${at},${cell}\n`).join('')}`, 'latin1');
}

/** The encoding of a file, in brackets if a person decides about it. */
function encodingOf(file: Buffer): string {
  const { encoding, findings } = examinedWith(file);
  return findings.some(({ isOpen }) => isOpen) ? `[${encoding}]` : encoding;
}

describe('the language of letters', () => {
  // Windows-1250 has letters of Czech and Slovak at the same places.
  it.each([
    ['Catalan', latin1('Rússia', 'birmà', 'Polònia', 'samoà', 'lliura egípcia', 'Bòsnia', 'Unió')],
    ['Italian', latin1('lunedì', 'città', 'perché', 'più', 'caffè', 'università', 'venerdì')],
    ['Danish', latin1('Beløb', 'Udført', 'Føtex', 'Ørsted', 'Nørrebro', 'Køb', 'Grøn')],
    ['French', latin1('Crédit', 'Prélèvement', 'Règlement', 'à payer', 'prêt', 'dépôt', 'fenêtre')],
    ['Albanian', latin1('Shqipëri', 'Kosovë', 'është', 'Çmimi', 'Përshkrimi', 'Vlerë', 'gjendje në')],
  ])('tells Windows-1252 in %s from Windows-1250', (_, file) => {
    expect(examinedWith(file).encoding).toBe('Windows-1252');
  });

  it('tells Hungarian in Windows-1250, which has two of its letters alone', () => {
    // ÉRTÉKNAP, VÁSÁRLÁS, KÁRTYÁVAL, TŰZ, KÖNYVELÉS, FŐ, ŐSZI, MŰSZAK
    const bytes =
      'c95254c94b4e41502c56c153c1524cc1530a4bc1525459c156414c2c54db5a0a4bd64e5956454cc9532c46d50ad5535a492c4ddb535a414b0a';
    expect(encodingOf(Buffer.from(`${Buffer.from('id,text\n').toString('hex')}${bytes}`, 'hex'))).toBe(
      'Windows-1250',
    );
  });

  it.each([
    ['one letter', latin1('Écoles')],
    ['a letter that Czech has as well', latin1('Beløb', 'Sum')],
  ])('asks about %s', (_, file) => {
    expect(encodingOf(file)).toMatch(/^\[/);
  });

  it('takes no sign within a word for a sign', () => {
    // The middle dot of KOI8-R is ž in Windows-1250 and Windows-1252.
    const file = latin1('Fid\x9ei', 'Kambod\x9ea', 'Ju\x9eni Sudan', '\x8aest', 'Kne\x9eja');
    expect(examinedWith(file).encoding).toBe('Windows-1252');
  });

  it('takes no sign that often stands beside numbers for a letter', () => {
    const sums = Array.from({ length: 20 }, (_, at) => `\x80 ${at}.200`);
    expect(examinedWith(latin1(...sums)).encoding).toBe('Windows-1252');
  });
});
