import { expect, it } from 'vitest';
import { epochMsSchema, pointInTimeSchema } from './time.ts';

it('takes each time that the wire may carry as one that a document may hold', () => {
  for (const text of ['0058-07-27T11:53:21.388180Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']) {
    expect(epochMsSchema.safeParse(pointInTimeSchema.parse(text)).success).toBe(true);
  }
});
