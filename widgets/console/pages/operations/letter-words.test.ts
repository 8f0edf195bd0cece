import { expect, it } from 'vitest';
import { reasonWords } from './letter-words.ts';

it.each([
  ['reading JSON', 'The record is not JSON.'],
  ['input.stepKey: invalid_type', '“stepKey” is missing or has another type.'],
  [
    'input.a: too_big; input: unrecognized_keys; input.b.0: custom',
    '“a” is too large or too long, the input has fields that are not known, and 1 more.',
  ],
  [
    'envelope: invalid_value; type: invalid_type; operation: invalid_type',
    'The record is not a command: most fields of its envelope are missing.',
  ],
  [
    'passed over by OPS-7: reading root: state: invalid_value',
    'Passed over as OPS-7. The stored root cannot be read. “state” has a value that is not allowed.',
  ],
  ['no result after 3 attempts: signal 9', 'Its processor failed: no result after 3 attempts: signal 9'],
])('says %s in words', (reason, words) => {
  expect(reasonWords(reason)).toBe(words);
});
