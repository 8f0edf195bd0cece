import { describe, expect, it } from 'vitest';
import { lineDifferences } from './line-differences.ts';

const SIGNS = { same: ' ', add: '+', del: '-' } as const;

function shown(before: string, now: string): string[] {
  const found = lineDifferences(before.split(' '), now.split(' '));
  return found.map(({ kind, number, text }) => `${number}${SIGNS[kind]}${text}`);
}

describe('lineDifferences', () => {
  it('keeps the lines that both have, and puts a removed line before the added one', () => {
    expect(shown('a b c', 'a x c d')).toEqual(['1 a', '2-b', '2+x', '3 c', '4+d']);
  });

  it('finds the fewest changes where lines repeat', () => {
    expect(shown('{ a } { b }', '{ b }')).toEqual(['1 {', '2-a', '3-}', '4-{', '2 b', '3 }']);
  });

  it('adds every line to an empty text, and removes every line from one', () => {
    expect(lineDifferences([], ['a'])).toEqual([{ kind: 'add', number: 1, text: 'a' }]);
    expect(lineDifferences(['a'], [])).toEqual([{ kind: 'del', number: 1, text: 'a' }]);
  });
});
