import { expect, it } from 'vitest';
import { HELD_SCENES } from './held-scenes.ts';
import { OPENED_SCENES } from './opened-scenes.ts';
import { PAST_SCENES } from './past/past-scenes.ts';
import { SCENES } from './scenes.ts';

it('names no two scenes alike, whose pictures would be one file', () => {
  const names = [...SCENES, ...HELD_SCENES, ...OPENED_SCENES, ...PAST_SCENES].map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});
