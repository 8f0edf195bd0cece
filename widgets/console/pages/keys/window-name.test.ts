import { expect, it } from 'vitest';
import { draftOf, lengthOf, NO_DRAFT, windowOf } from './window-name.ts';

it.each([
  [60_000, '1 min'],
  [90_000, '90 s'],
  [1_500, '1500 ms'],
  [2_592_000_000, '30 d'],
  [7_200_000, '2 h'],
])('writes a window of %i ms as %s, and reads it again', (window, words) => {
  const name = { namespace: 'login', identifier: 'user-42', window };
  expect(lengthOf(name)).toBe(words);
  expect(windowOf(draftOf(name))).toEqual(name);
});

it('begins with a window of a minute', () => {
  expect(windowOf(NO_DRAFT).window).toBe(60_000);
});
