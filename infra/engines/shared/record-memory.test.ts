import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../topics/ports/log.ts';
import {
  GUARANTEED_BYTES_A_PARTITION,
  RecordMemory,
  type RecordShare,
  recordBytes,
} from './record-memory.ts';

const MIB = 1_024 * 1_024;
const MOST = 64 * MIB;

/** The bytes of a record of `kib` KiB. */
const record = (kib = 1): number => 256 + 1_024 * kib;

const sharesOf = (memory: RecordMemory, count: number): RecordShare[] =>
  Array.from({ length: count }, () => memory.share());

/** Reads like a partition with a long backlog: until it is full, or no memory is free. Returns the bytes taken. */
function read(share: RecordShare, each = record()): number {
  let taken = 0;
  while (!share.isFull() && share.take(each)) taken += 1;
  return taken * each;
}

/** Takes records while memory is free, even beyond `isFull`. */
function takeAll(share: RecordShare): void {
  for (let taken = 0; share.take(record()); taken += 1) {
    if (taken * record() > 2 * MOST) expect.fail('took twice the memory that exists');
  }
}

interface Partition {
  readonly share: RecordShare;
  readonly taken: number[];
}

/** Takes one record and gives the first `done` ones back. Only a share that holds records may refuse. */
function changeAndCheck({ share, taken }: Partition, kib: number, done: number): void {
  const next = record(kib);
  if (share.take(next)) taken.push(next);
  else expect(taken).not.toEqual([]);
  for (const each of taken.splice(0, done)) share.giveBack(each);
  if (taken.length === 0) expect([share.isLow(), share.isFull()]).toEqual([true, false]);
}

describe('RecordMemory', () => {
  it('stays within 256 MiB for a process, whatever number of partitions has a backlog', () => {
    const memory = new RecordMemory();
    const shares = sharesOf(memory, 200);
    // Records of a fetch that is under way may arrive after the partition has become full.
    for (const share of shares) for (let count = 0; count < 4_000 && share.take(record()); ) count += 1;
    expect(memory.held).toBeGreaterThan(256 * MIB);
    expect(memory.held).toBeLessThanOrEqual(256 * MIB + shares.length * GUARANTEED_BYTES_A_PARTITION);
  });

  it('lets a single partition fill its whole buffer', () => {
    const memory = new RecordMemory();
    expect(read(memory.share())).toBeGreaterThan(47 * MIB);
  });

  it('leaves memory to each partition beside greedy ones, and its reserved part once the budget is used up', () => {
    const memory = new RecordMemory(MOST);
    const [greedy, second, third] = sharesOf(memory, 3) as [RecordShare, RecordShare, RecordShare];
    expect(read(greedy)).toBeGreaterThan(31 * MIB);
    expect(read(second)).toBeGreaterThan(15 * MIB);
    takeAll(greedy);
    const sure = read(third);
    expect(sure).toBeGreaterThan(0.9 * GUARANTEED_BYTES_A_PARTITION);
    expect(sure).toBeLessThanOrEqual(GUARANTEED_BYTES_A_PARTITION);
  });

  it('converges to equal shares when every partition has a backlog', () => {
    const memory = new RecordMemory(MOST);
    const shares = sharesOf(memory, 10).map((share) => ({ share, taken: [] as number[] }));
    const fill = ({ share, taken }: Partition) => {
      while (!share.isFull() && share.take(record())) taken.push(record());
    };
    for (let round = 0; round < 200; round += 1) {
      for (const each of shares) {
        for (const done of each.taken.splice(0, 400)) each.share.giveBack(done);
        if (each.share.isLow()) fill(each);
      }
    }
    const sizes = shares.map(({ taken }) => taken.length);
    expect(Math.min(...sizes)).toBeGreaterThan(Math.max(...sizes) / 4);
  });

  it('takes one record of any size into an empty share', () => {
    const memory = new RecordMemory(MOST);
    const [greedy, other] = sharesOf(memory, 2) as [RecordShare, RecordShare];
    takeAll(greedy);
    expect(other.take(record(8_000))).toBe(true);
    expect(other.isFull()).toBe(true);
    expect(other.take(record())).toBe(false);
    other.giveBack(record(8_000));
    expect(other.isLow()).toBe(true);
    expect(other.take(record())).toBe(true);
  });

  it('counts what was taken and not given back, stays within its bound, and lets each empty partition read', () => {
    const step = fc.record({
      partition: fc.nat({ max: 9 }),
      kib: fc.integer({ min: 0, max: 3_000 }),
      done: fc.nat({ max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const memory = new RecordMemory(8 * MIB);
        const partitions = sharesOf(memory, 10).map((share) => ({ share, taken: [] as number[] }));
        for (const { partition, kib, done } of steps) changeAndCheck(partitions[partition]!, kib, done);
        const held = partitions.flatMap(({ taken }) => taken).reduce((sum, size) => sum + size, 0);
        expect(memory.held).toBe(held);
        expect(held).toBeLessThanOrEqual(8 * MIB + 10 * 3 * MIB);
        for (const { share } of partitions) share.giveAllBack();
        expect(memory.held).toBe(0);
      }),
    );
  });
});

const RECORDS = 20_000;
const MEASUREMENTS = 3;

/** Returns the growth of the heap for each of many records read from the same bytes, as a consumer reads them. */
function heapBytesOf(key: Buffer, value: Buffer): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const read = (offset: number): LogRecord => ({
    topic: 'imports',
    generation: 1,
    partition: 0,
    offset,
    key: key.toString('utf8'),
    value: value.toString('utf8'),
    appendedAt: 1_700_000_000_000 + offset,
  });
  const grown = Array.from({ length: MEASUREMENTS }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    const records = Array.from({ length: RECORDS }, (_, offset) => read(offset));
    collect();
    return (process.memoryUsage().heapUsed - before) / records.length;
  });
  // What else this process gives back meanwhile makes a measurement smaller, never larger.
  return Math.max(...grown);
}

describe('recordBytes', () => {
  it.each([
    ['a short text', '{}'],
    ['a text of ASCII', 'x'.repeat(600)],
    ['a text with one character that takes two bytes', `${'x'.repeat(600)}\u20ac`],
    ['a text of characters that take two bytes', '\u20ac'.repeat(600)],
  ])('counts at least the memory that %s takes, and at most 128 bytes more', (_, value) => {
    const encoded = { key: Buffer.from('installation-of-28-letters'), value: Buffer.from(value) };
    const texts = { key: encoded.key.toString(), value };
    const counted = recordBytes(texts, encoded.key.length + encoded.value.length);
    const taken = heapBytesOf(encoded.key, encoded.value);
    expect(counted).toBeGreaterThan(taken);
    expect(counted).toBeLessThan(taken + 128);
  });

  it('counts two bytes for each character if the encoded length is unknown', () => {
    const texts = { key: 'key', value: 'x'.repeat(1_000) };
    expect(recordBytes(texts) - recordBytes(texts, 1_003)).toBe(1_003);
  });
});
