import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from './partition.ts';

describe('partitionOf', () => {
  // From Apache Kafka, clients/src/test/java/org/apache/kafka/common/utils/UtilsTest.java, testMurmur2.
  it.each([
    ['21', -973932308, 4],
    ['foobar', -790332482, 6],
    ['a-little-bit-long-string', -985981536, 0],
    ['a-little-bit-longer-string', -1486304829, 3],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971, 5],
    ['abc', 479470107, 3],
  ])('hashes %s as Kafka does, and puts it into the same of eight partitions', (key, hash, partition) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
    expect(partitionOf(key, 8)).toBe(partition);
  });

  it('takes a key without bytes', () => {
    expect(partitionOf('', 3)).toBeGreaterThanOrEqual(0);
  });
});
