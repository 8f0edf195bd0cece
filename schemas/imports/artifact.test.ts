import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packArtifact, unpackArtifact } from './artifact.ts';

const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.constant(null));
const rows = fc.array(fc.option(fc.array(cell, { maxLength: 5 })), { maxLength: 100 });

describe('a packed artifact', () => {
  it('gives its JSON back, and never has more bytes', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const json = new TextEncoder().encode(JSON.stringify(values));
        const packed = packArtifact(json);
        expect(packed.length).toBeLessThanOrEqual(json.length);
        expect(unpackArtifact(packed).equals(json)).toBe(true);
      }),
    );
  });

  it('is a fraction of its JSON where rows are alike', () => {
    const alike = Array.from({ length: 100 }, (_, row) => [`customer-${row}`, 'Berlin', '2026-01-01', true]);
    const json = new TextEncoder().encode(JSON.stringify(alike));
    expect(packArtifact(json).length).toBeLessThan(json.length / 4);
  });

  it('may be plain, as it is if packing saves nothing', () => {
    expect(unpackArtifact(Buffer.from('[["a"],null]')).toString()).toBe('[["a"],null]');
  });

  it('is refused when it is damaged or grows beyond all bounds', () => {
    const packed = packArtifact(new TextEncoder().encode(JSON.stringify(['x'.repeat(10_000)])));
    expect(() => unpackArtifact(packed.subarray(0, packed.length - 4))).toThrow();
    const bomb = packArtifact(new Uint8Array(16 * 1024 * 1024));
    expect(() => unpackArtifact(bomb)).toThrow(/larger than/);
  });
});
