import { describe, expect, it } from 'vitest';
import { readTraceparent, traceIdOf, traceparentSchema } from './traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('readTraceparent', () => {
  it('returns a header of version 00 as it is', () => {
    for (const flags of ['00', '01']) {
      const header = `00-${TRACE}-${PARENT}-${flags}`;
      expect(readTraceparent(header)).toBe(header);
      expect(traceparentSchema.parse(header)).toBe(header);
    }
    expect(traceIdOf(`00-${TRACE}-${PARENT}-01`)).toBe(TRACE);
  });

  it('reads a later version as version 00, and of its flags only the sampled one', () => {
    expect(readTraceparent(`cc-${TRACE}-${PARENT}-ff-what-comes-later`)).toBe(`00-${TRACE}-${PARENT}-01`);
    expect(readTraceparent(`00-${TRACE}-${PARENT}-02`)).toBe(`00-${TRACE}-${PARENT}-00`);
  });

  it.each([
    '',
    'repeated',
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01\n`,
  ])('returns null for %j', (header) => {
    expect(readTraceparent(header)).toBeNull();
    expect(traceparentSchema.safeParse(header).success).toBe(false);
  });
});
