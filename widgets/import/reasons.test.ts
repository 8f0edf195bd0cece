import { describe, expect, it } from 'vitest';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import { ROW_ERROR_CODES } from '../../schemas/imports/file-faults.ts';
import { ERROR_LABELS } from './check/error-labels.ts';
import { LABELS } from './labels.ts';
import { errorName, faultText, refusalLabel } from './reasons.ts';

describe('refusalLabel', () => {
  it.each([
    [429, 'limit_reached', null, 'limit'],
    [429, 'limit_reached', 86_400, 'limit'],
    [429, 'limit_reached', 2, 'busy'],
    [429, 'rate_limited', 2, 'tooFast'],
    [403, 'workspace_paused', null, 'paused'],
    [410, 'expired', null, 'over'],
    [409, 'state_conflict', null, 'other'],
    [502, '', null, 'lost'],
    [0, '', null, 'lost'],
  ])('of %i %s after %s s is %s', (status, code, retryAfterSeconds, label) => {
    expect(refusalLabel({ status, code, retryAfterSeconds })).toBe(label);
  });
});

it.each(Object.entries(FILE_FAULTS))(
  'the reason for a refused file is that of the service: %s',
  (code, text) => {
    expect(faultText(LABELS, code)).toBe(text);
  },
);

it.each(ROW_ERROR_CODES)('an error of a row has a name in plain words: %s', (code) => {
  expect(errorName(ERROR_LABELS, code)).toMatch(/^[A-Z][a-z ]+$/);
});

it('shows the words of a code that is newer than the widget', () => {
  expect([faultText(LABELS, 'too_odd'), errorName(LABELS, 'too_odd')]).toEqual(['too odd', 'too odd']);
});
