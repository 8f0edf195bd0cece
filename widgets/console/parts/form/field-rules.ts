import type { Schemas } from '../../api/interface.ts';
import { counted } from '../table/numbers.ts';

type ImportField = Schemas['ImportField'];

/** The rules of a field of an import in words, one each: `required`, `at most 32 characters`. */
export function fieldRules(field: ImportField): string[] {
  return [...(field.required ? ['required'] : []), ...typeRules(field)];
}

/** The rules that come with the type of a field, in words. */
export function typeRules(field: ImportField): string[] {
  switch (field.type) {
    case 'text':
      return field.maxLength === undefined ? [] : [`at most ${counted(field.maxLength, 'character')}`];
    case 'integer':
      return ['whole number'];
    case 'decimal':
      return [
        ...(field.precision === undefined ? [] : [`at most ${counted(field.precision, 'digit')}`]),
        ...(field.scale === undefined ? [] : [`at most ${counted(field.scale, 'decimal place')}`]),
      ];
    case 'date':
      return [field.format ?? 'YYYY-MM-DD'];
    case 'boolean':
      return ['true or false'];
  }
}
