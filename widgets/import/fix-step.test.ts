import { expect, it } from 'vitest';
import { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
import { REFUSALS } from './fix-step.ts';
import { LABELS } from './labels.ts';

it.each(Object.entries(REFUSALS))('the reason for a refusal is that of the service: %s', (code, label) => {
  expect(LABELS[label]).toBe(FILE_FAULTS[code as keyof typeof REFUSALS]);
});
