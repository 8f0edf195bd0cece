import { expect, it } from 'vitest';
import { workingWords } from './working.ts';

it.each([
  ['Create key', 'Creating key'],
  ['Cancel import', 'Cancelling import'],
  ['Set up', 'Setting up'],
  ['Run', 'Running'],
  ['Join as ada@northwind.example', 'Joining as ada@northwind.example'],
])('says of “%s” that it is under way', (words, working) => {
  expect(workingWords(words)).toBe(working);
});
