import { describe, expect, it } from 'vitest';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import { ROW_ERROR_CODES } from '../../schemas/imports/file-faults.ts';
import { LABELS } from './labels.ts';
import { errorName, faultText, refusalLabel } from './reasons.ts';

describe('refusalLabel', () => {
  it.each([
    [429, 'limit_reached', 'plan.imports: seen 3 of 3 used, expected a free one', 'limit'],
    [429, 'limit_reached', 'installation.validations: seen one that is running, expected none', 'busy'],
    [429, 'rate_limited', '', 'tooFast'],
    [403, 'workspace_paused', '', 'paused'],
    [410, 'expired', '', 'over'],
    [409, 'state_conflict', 'import.status: seen validating, expected ready', 'other'],
    [502, '', '', 'lost'],
    [0, '', '', 'lost'],
  ])('of %i %s %s is %s', (status, code, message, label) => {
    expect(refusalLabel({ status, code, message })).toBe(label);
  });
});

it.each(Object.entries(FILE_FAULTS))(
  'the reason for a refused file is that of the service: %s',
  (code, text) => {
    expect(faultText(LABELS, code)).toBe(text);
  },
);

it.each(ROW_ERROR_CODES)('an error of a row has a name in plain words: %s', (code) => {
  expect(errorName(LABELS, code)).toMatch(/^[A-Z][a-z ]+$/);
});

it('shows the words of a code that is newer than the widget', () => {
  expect([faultText(LABELS, 'too_odd'), errorName(LABELS, 'too_odd')]).toEqual(['too odd', 'too odd']);
});
