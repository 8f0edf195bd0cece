import { describe, expect, it } from 'vitest';
import { nextIndex } from './row-keys.ts';

describe('nextIndex', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 2],
    ['ArrowUp', 2, 1],
    ['ArrowUp', 0, 0],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['Enter', 1, -1],
    ['j', 1, -1],
  ])('moves by %s from row %i to %i of three', (key, at, next) => {
    expect(nextIndex(key, at, 3)).toBe(next);
  });

  it.each([
    ['PageDown', 0, 10],
    ['PageDown', 95, 99],
    ['PageUp', 50, 40],
    ['PageUp', 3, 0],
    ['ArrowDown', -1, 0],
  ])('moves by %s from row %i to %i of a hundred by screens of ten', (key, at, next) => {
    expect(nextIndex(key, at, 100, 10)).toBe(next);
  });

  it('leaves the keys of pages to the browser where there is no screen', () => {
    expect(nextIndex('PageDown', 0, 100)).toBe(-1);
  });

  it.each(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'])(
    'does not move by %s in an empty list',
    (key) => {
      expect(nextIndex(key, -1, 0, 10)).toBe(-1);
    },
  );
});
