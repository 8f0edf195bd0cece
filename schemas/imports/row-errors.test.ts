import { describe, expect, it } from 'vitest';
import type { RowError } from './file-faults.ts';
import { decodeRowErrors, encodeRowErrors } from './row-errors.ts';

const ERRORS: RowError[] = Array.from({ length: 1_000 }, (_, index) => ({
  row: index + 1,
  line: index + 2,
  column: index % 2 === 0 ? null : 'amount',
  code: 'not_integer',
  message: 'Allowed: a whole number.',
}));
const OMITTED = [{ row: 7, errors: [[null, 'column_count'] as const, ['amount', 'required'] as const] }];

describe('the row errors of a partition', () => {
  it('come back as they were written, in fewer bytes', () => {
    for (const kept of [
      { errors: ERRORS, omitted: OMITTED },
      { errors: ERRORS, omitted: [] },
      { errors: ERRORS.slice(0, 1), omitted: [] },
    ]) {
      const bytes = encodeRowErrors(kept);
      expect(decodeRowErrors(bytes)).toEqual(kept);
      expect(bytes.length).toBeLessThanOrEqual(JSON.stringify(kept).length);
    }
    expect(encodeRowErrors({ errors: ERRORS, omitted: OMITTED }).length).toBeLessThan(
      JSON.stringify(ERRORS).length / 5,
    );
  });

  it('are read as earlier programs wrote them: a JSON array of those that were kept', () => {
    const bytes = Buffer.from(JSON.stringify(ERRORS));
    expect(decodeRowErrors(bytes)).toEqual({ errors: ERRORS, omitted: [] });
  });

  it('are refused where they are something else', () => {
    expect(() => decodeRowErrors(Buffer.from('{}'))).toThrow();
    expect(() => decodeRowErrors(Buffer.from('[{"row":0}]'))).toThrow();
  });
});
