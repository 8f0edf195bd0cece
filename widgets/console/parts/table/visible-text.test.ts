import { describe, expect, it } from 'vitest';
import { visibleStart, visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it('shows controls by name or number', () => {
    expect(visibleText('a\u0000b\tc\r\nd\u007f')).toBe('a‹U+0000›b‹TAB›c‹CR›‹LF›d‹U+007F›');
  });

  it('shows formats and separators by their number', () => {
    expect(visibleText('a\u202Eb\u2066c\u200Bd\u2028e\uFEFFf\u0085g\u{E0041}')).toBe(
      'a‹U+202E›b‹U+2066›c‹U+200B›d‹U+2028›e‹U+FEFF›f‹U+0085›g‹U+E0041›',
    );
  });

  it('shows joiners where nothing needs them', () => {
    expect(visibleText('a\u200db\u00adc\u2061d\u206fe 注\u200c文\u200d')).toBe(
      'a‹U+200D›b‹U+00AD›c‹U+2061›d‹U+206F›e 注‹U+200C›文‹U+200D›',
    );
  });

  it('leaves every other text as it is', () => {
    const joined = [
      'می\u200cخواهم',
      'ශ්\u200dරී',
      '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}',
      '\u2764\ufe0f\u200d\u{1f525}',
    ];
    for (const text of ['', '=1+1', '<b>x</b>', 'مرحبا', 'Straße 😀', ' a  b ', ...joined]) {
      expect(visibleText(text)).toBe(text);
    }
  });
});

describe('visibleStart', () => {
  it('cuts a long text between characters', () => {
    expect(visibleStart('abcdef', 6)).toBe('abcdef');
    expect(visibleStart('abcdefg', 6)).toBe('abcdef…');
    expect(visibleStart('abc😀def', 4)).toBe('abc…');
  });
});
