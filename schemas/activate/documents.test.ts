import { describe, expect, it } from 'vitest';
import { outcomeRowId } from '../base/outcome.ts';
import { outcomeName, outcomeNamed } from './documents.ts';

describe('the name of an outcome', () => {
  it.each([
    ['recordEvent', 'k', ':k'],
    ['recordEvent', ':k', '::k'],
    ['recordEvents', 'k', 'recordEvents:k'],
    ['other', 'recordEvent:k', 'other:recordEvent:k'],
  ])('of %s with the key %s is %s, and names it again', (operation, key, name) => {
    const id = outcomeRowId(operation, key);
    expect(outcomeName(id)).toBe(name);
    expect(outcomeNamed(name)).toBe(id);
  });
});
