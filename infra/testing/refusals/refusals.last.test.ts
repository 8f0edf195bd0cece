import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../schemas/base/error-codes.ts';
import { answeredRefusals } from './answered-refusals.ts';
import { MESSAGE, VAGUE } from './refused.fixture.ts';

/** Codes that stand for a group of others, and are answered by none. */
const GROUPS = ['conflict'];

describe('the tests that ran before', () => {
  const answered = answeredRefusals() ?? [];

  it('have met every code below 500', () => {
    const met = new Set(answered.map(({ code }) => code));
    const codes = ERROR_CODES.filter((code) => ERRORS[code].status < 500 && !GROUPS.includes(code));
    expect(codes.filter((code) => !met.has(code))).toEqual([]);
  });

  it('have met no refusal that leaves out the place, what was seen or what is allowed', () => {
    const unclear = answered.filter(({ message }) => !MESSAGE.test(message) || VAGUE.test(message));
    expect(unclear).toEqual([]);
  });
});
