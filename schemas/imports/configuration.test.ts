import { describe, expect, it } from 'vitest';
import { loadStored, readStored } from '../base/stored.ts';
import { fieldSchema } from './configuration.ts';

const FIELD = { key: 'ordered', type: 'date', required: true, format: 'DD.MM.YYYY' } as const;

describe('the texts of a field', () => {
  it('are kept with their letters', () => {
    const field = {
      ...FIELD,
      label: 'Bestelldatum',
      description: '',
      aliases: ['E-mail Address', '日期', 'تاريخ'],
      example: '31.01.2026',
    };
    expect(fieldSchema.parse(field)).toEqual(field);
    expect(fieldSchema.parse(FIELD)).toEqual(FIELD);
  });

  it.each([
    ['label', ''],
    ['label', 'a'.repeat(81)],
    ['description', 'a'.repeat(241)],
    ['aliases', ['']],
    ['aliases', ['a', 'a']],
    ['aliases', ['a'.repeat(81)]],
    ['aliases', Array.from({ length: 21 }, (_, number) => `name ${number}`)],
    ['example', ''],
    ['example', 'a'.repeat(241)],
  ])('refuse the %s %j', (member, value) => {
    expect(fieldSchema.safeParse({ ...FIELD, [member]: value }).success).toBe(false);
  });

  it('may be 80 characters, 240 and 20 names', () => {
    const aliases = Array.from({ length: 20 }, (_, number) => `${number}`.padStart(80, '𝒂'));
    const field = { ...FIELD, label: '𝒂'.repeat(80), description: '𝒂'.repeat(240), aliases };
    expect(fieldSchema.parse(field)).toEqual(field);
  });

  it('of a newer release stay in a stored field', () => {
    const stored = { ...FIELD, label: 'Day', hint: 'new' };
    expect(readStored(fieldSchema, stored)).toEqual({ ...FIELD, label: 'Day' });
    expect(loadStored(fieldSchema, stored)).toEqual(stored);
  });
});
