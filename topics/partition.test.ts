import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from './partition.ts';

describe('partitionOf', () => {
  // From Apache Kafka, clients/src/test/java/org/apache/kafka/common/utils/UtilsTest.java, testMurmur2.
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as Kafka does', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
  });

  it('stays within the number of partitions, also for negative hashes', () => {
    expect(partitionOf('21', 8)).toBe((-973932308 & 0x7fffffff) % 8);
    expect(partitionOf('', 3)).toBeGreaterThanOrEqual(0);
  });
});
