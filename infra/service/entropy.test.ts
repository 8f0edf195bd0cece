import { expect, it } from 'vitest';
import { PooledEntropy } from './entropy.ts';

it('gives as many bytes as asked for, never the same ones, beyond any draw', () => {
  const entropy = new PooledEntropy();
  const seen = new Set<string>();
  for (let round = 0; round < 1_000; round += 1) {
    const bytes = entropy.bytes(18);
    expect(bytes).toHaveLength(18);
    seen.add(Buffer.from(bytes).toString('hex'));
  }
  expect(seen.size).toBe(1_000);
  expect(entropy.bytes(0)).toHaveLength(0);
  // The chance that 10,000 bytes lack one of the 256 values is negligible.
  expect(new Set(entropy.bytes(10_000)).size).toBe(256);
});

it('gives bytes that stay as they are', () => {
  const entropy = new PooledEntropy();
  const first = entropy.bytes(32);
  const copy = Buffer.from(first);
  for (let round = 0; round < 300; round += 1) entropy.bytes(32);
  expect(Buffer.from(first)).toEqual(copy);
});
