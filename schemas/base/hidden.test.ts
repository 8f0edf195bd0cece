import { describe, expect, it } from 'vitest';
import { DIRECTIONS, HIDDEN } from './hidden.ts';

/** The characters that count as hidden behind a text. */
function hiddenBehind(before: string, points: Iterable<number>): number[] {
  return [...points].filter((point) => {
    const text = before + String.fromCodePoint(point);
    return text.replace(HIDDEN, '').length < text.length;
  });
}

describe('hidden characters', () => {
  const hidden = hiddenBehind('a', Array(0x11_0000).keys());

  it('are those that change the direction of text, and all without a width', () => {
    const directions = new RegExp(`[${DIRECTIONS}]`, 'u');
    const turning = [...Array(0x1_0000).keys()].filter((point) =>
      directions.test(String.fromCharCode(point)),
    );
    const narrow = [0, 0x7f, 0xad, 0x200b, 0x200c, 0x200d, 0x2061, 0x206f, 0xfeff, 0xe0001, 0xe0041];
    expect(hidden).toEqual(expect.arrayContaining([...turning, ...narrow]));
  });

  it('count no joiner behind letters and pictures that need it', () => {
    for (const before of ['ی', '\u0d4d', '\u0dca', '\ufe0f', '\u{1f469}', '\u{1f3fd}']) {
      const here = new Set(hiddenBehind(before, hidden));
      expect(hidden.filter((point) => !here.has(point))).toEqual([0x200c, 0x200d]);
    }
  });
});
