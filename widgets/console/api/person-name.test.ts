import { describe, expect, it } from 'vitest';
import { personName } from './person-name.ts';

const userId = 'usr_32uksjb4cemzd37lt64ocpg5';

describe('personName', () => {
  it.each([
    ['the address', { email: 'ada@example.com', subject: null, erased: false }, 'ada@example.com'],
    ['the subject without an address', { email: '', subject: 'auth0|7', erased: false }, 'auth0|7'],
    ['the id without either', { email: '', subject: null, erased: false }, 'usr_32uksjb4…'],
    ['the id of a person of the release before', { email: '' }, 'usr_32uksjb4…'],
    ['the mark of an erased person', { email: '', subject: null, erased: true }, 'An erased person'],
    ['characters without a shape', { email: '', subject: 'a\u202eb', erased: false }, 'a‹U+202E›b'],
  ])('is %s', (_what, person, name) => {
    expect(personName({ userId, ...person })).toBe(name);
  });
});
