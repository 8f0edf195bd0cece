import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../../schemas/base/error-codes.ts';
import { problemHead, problemSentence } from './problem-sentence.ts';

const FOR_PROGRAMS = 'body.origin: seen a string of 29 characters, expected an exact HTTPS origin.';
const FOR_PEOPLE = ['unavailable', 'internal_error'];

describe('problemSentence', () => {
  const codes = ERROR_CODES.filter((code) => !FOR_PEOPLE.includes(code));

  it.each(codes)('says %s in a sentence, whatever the service wrote', (code) => {
    const sentence = problemSentence({ code, message: FOR_PROGRAMS });
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/seen|expected|[a-z]\.[a-z]/);
  });

  it.each([...FOR_PEOPLE, 'unreachable'] as const)('shows the message of %s', (code) => {
    const message = 'The service is low on disk space and accepts no new data.';
    expect(problemSentence({ code: code as ErrorCode, message })).toBe(message);
  });
});

describe('problemHead', () => {
  const heads = [...ERROR_CODES, 'unreachable' as const].map((code) => ({
    code,
    ...problemHead({ code, message: 'What the service says.' }),
  }));

  it.each(heads)('names $code by what happened, with what to do behind it', ({ title, rest }) => {
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(rest).not.toContain(title);
    expect(title).not.toContain('went wrong');
  });

  it('says nothing twice and leaves nothing out', () => {
    for (const code of ERROR_CODES.filter((each) => !['rate_limited', ...FOR_PEOPLE].includes(each))) {
      const { title, rest } = problemHead({ code, message: '' });
      expect(`${title}. ${rest}`.trim()).toBe(problemSentence({ code, message: '' }));
    }
  });

  it('has one title for a service that does not answer, however it says so', () => {
    expect(problemHead({ code: 'unreachable', message: 'The service did not answer.' })).toEqual({
      title: 'The service cannot be reached',
      rest: 'The service did not answer.',
    });
  });
});
