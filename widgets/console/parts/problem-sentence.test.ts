import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../schemas/base/errors.ts';
import { problemSentence } from './problem-sentence.ts';

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
