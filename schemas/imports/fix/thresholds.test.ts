import { describe, expect, it } from 'vitest';
import { isLikely, type LegacyReading } from './encodings.ts';
import { suggested } from './fixed.fixture.ts';
import { guessHeader } from './guess.ts';

/** Each case is beside its threshold: the first of a pair reaches it, the second one does not. */

describe('an encoding is chosen without a question', () => {
  const SEVERAL = Number.NEGATIVE_INFINITY;
  const LEAD = Math.log(1_000_000);
  const ODD_LEAD = Math.log(10_000);
  const reading = (sample: string, score: number, chance: number): LegacyReading => ({
    encoding: 'Windows-1252',
    sample,
    score,
    chance,
  });

  it.each([
    ['the least score', true, [reading('a', 0.75, 0)]],
    ['a lower score', false, [reading('a', 0.7499, 0)]],
    ['a likelier reading by the least lead', true, [reading('a', 1, 0), reading('b', 1, -LEAD)]],
    ['a likelier reading by less', false, [reading('a', 1, 0), reading('b', 1, -LEAD + 0.001)]],
    ['an odd reading by the least lead', true, [reading('a', 1, 0), reading('b', 0.5, -ODD_LEAD)]],
    ['an odd reading by less', false, [reading('a', 1, 0), reading('b', 0.5, -ODD_LEAD + 0.001)]],
    ['a reading that is hardly odd', false, [reading('a', 1, 0), reading('b', 0.5001, -ODD_LEAD)]],
    [
      'a better score of several bytes by the least lead',
      true,
      [reading('a', 1, SEVERAL), reading('b', 0.6999, 0)],
    ],
    ['a better score of several bytes by less', false, [reading('a', 1, SEVERAL), reading('b', 0.7001, 0)]],
    ['another encoding with the same letters', true, [reading('a', 1, 0), reading('a', 1, 0)]],
    [
      'the last of several that is near',
      false,
      [reading('a', 1, 0), reading('b', 1, -9), reading('c', 1, -4)],
    ],
  ])('with %s: %s', (_name, isChosen, readings) => {
    expect(isLikely(readings)).toBe(isChosen);
  });
});

describe('fields of fixed widths', () => {
  const names = 'Name   No   Z\n';
  const row = 'Ada    12   x\n';

  it.each([
    ['three lines', names + row.repeat(2), ['[separator]']],
    ['two lines', names + row, []],
    ['more than half of the lines', names + row.repeat(3) + 'note\n'.repeat(3), ['[separator]']],
    ['half of the lines', names + row.repeat(2) + 'note\n'.repeat(3), []],
  ])('are offered for %s', (_name, file, changes) => {
    expect(suggested(file).changes).toEqual(changes);
  });
});

describe('the separator of a table below a title with commas', () => {
  const row = '1;Ada;x\n';
  const table = (shortLines: number) =>
    `Orders, all\nno;name;z\n${row.repeat(17 - shortLines)}${'x\n'.repeat(shortLines)}${row.repeat(2)}`;

  it.each([
    ['nine of ten lines between the first and the last row', 2, true],
    ['fewer of them', 3, false],
  ])('is that of %s', (_name, shortLines, isFound) => {
    expect(suggested(table(shortLines)).changes.includes('separator')).toBe(isFound);
  });
});

describe('a header', () => {
  const numbersAbove = (columns: number) => [
    Array.from({ length: columns }, (_, at) => `${10 * (at + 1)}`),
    ...Array.from({ length: 8 }, (_, line) =>
      Array.from({ length: columns }, (_each, at) => `${(7 * line + 3 * at) % 5}`),
    ),
  ];

  it.each([
    ['three numbers with equal steps', 3, 1],
    ['two numbers with equal steps', 2, 0],
  ])('of %s takes %i columns and %i lines', (_name, columns, lines) => {
    expect(guessHeader(numbersAbove(columns), columns).lines).toBe(lines);
  });

  const below = (titles: number) => [
    ...Array.from({ length: titles }, () => ['title', '']),
    ['a', 'b'],
    ...Array.from({ length: 100 }, (_, at) => [`x${at}`, `${at}`]),
  ];

  it.each([
    ['of the first 40 rows', 38, 38],
    ['behind them', 39, 0],
  ])('above the first values is one %s, below %i rows: %i titles', (_name, rows, titles) => {
    expect(guessHeader(below(rows), 2).titles).toBe(titles);
  });
});
