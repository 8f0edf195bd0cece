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

  it('leaves every other text as it is', () => {
    for (const text of ['', '=1+1', '<b>x</b>', 'مرحبا', 'Straße 😀', ' a  b ']) {
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
