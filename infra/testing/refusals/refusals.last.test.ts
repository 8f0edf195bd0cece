import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../../schemas/base/errors.ts';
import { answeredRefusals } from './answered-refusals.ts';
import { isNotAnswered } from './not-answered.ts';
import { messagePattern, readFaults } from './read-faults.ts';
import { MESSAGE, VAGUE } from './refused.fixture.ts';

/** Its faults are those of schemas, which infra/tools/interface/messages.test.ts drives one by one. */
const OF_SCHEMAS = 'schemas/base/validation.ts';

/** Codes that stand for a group of others, and are answered by none. */
const GROUPS = ['conflict'];

describe('the tests that ran before', () => {
  const answered = answeredRefusals() ?? [];

  it('have met every refusal of the sources over HTTP', () => {
    const unmet = readFaults().filter((fault) => {
      if (fault.file === OF_SCHEMAS) return false;
      const pattern = messagePattern(fault);
      return !isNotAnswered(fault) && !answered.some(({ message }) => pattern.test(message));
    });
    expect(unmet).toEqual([]);
  });

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
