import { describe, expect, it } from 'vitest';
import { kindFaultOf } from './file-check.ts';

describe('kindFaultOf', () => {
  it.each(['PK,name', 'PKID\n1', 'Rarity,name', 'Rar,x', 'BZh,name', 'BZhang,x', 'name\nAda'])(
    'takes %j for a text',
    (text) => {
      expect(kindFaultOf(Buffer.from(text))).toBeNull();
    },
  );

  it.each([
    ['ZIP', '504b0304140006'],
    ['an empty ZIP', '504b0506000000'],
    ['a part of a ZIP', '504b0708504b0304'],
    ['an old Excel file', 'd0cf11e0a1b11ae1'],
    ['gzip', '1f8b0800'],
    ['PDF', '255044462d312e37'],
    ['7z', '377abcaf271c'],
    ['RAR', '526172211a0701'],
    ['bzip2', '425a6839314159'],
  ])('refuses %s', (_name, start) => {
    expect(kindFaultOf(Buffer.from(start, 'hex'))).toBe('spreadsheet');
  });

  it('refuses an empty file', () => {
    expect(kindFaultOf(Buffer.of())).toBe('empty');
  });
});
