import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { RecordMemory } from '../shared/record-memory.ts';
import { RecordBuffer } from './record-buffer.ts';

const record = (offset: number, characters = 1): LogRecord => ({
  topic: 'imports',
  generation: 1,
  partition: 0,
  offset,
  key: 'key',
  value: 'x'.repeat(characters),
  appendedAt: 0,
});

const records = (from: number, count: number, characters?: number) =>
  Array.from({ length: count }, (_, index) => record(from + index, characters));

const opened = (deliveryMax: number, memory = new RecordMemory()) =>
  new RecordBuffer(deliveryMax, memory.share());

/** Buffers records until one is refused. Returns how many were taken. */
function fill(buffer: RecordBuffer, arriving: readonly LogRecord[]): number {
  const refused = arriving.findIndex((each) => !buffer.take(each, each.key.length + each.value.length));
  return refused === -1 ? arriving.length : refused;
}

describe('RecordBuffer', () => {
  it('delivers each record once and in order, whatever part of a delivery is done', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 })), { maxLength: 50 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 15 }), (pairs, deliveryMax) => {
        const buffer = opened(deliveryMax);
        let pushed = 0;
        let done = 0;
        for (const [arriving, handled] of pairs) {
          expect(fill(buffer, records(pushed, arriving))).toBe(arriving);
          pushed += arriving;
          const delivery = buffer.delivery().map(({ offset }) => offset);
          const expected = Array.from({ length: Math.min(deliveryMax, pushed - done) }, (_, n) => done + n);
          expect(delivery).toEqual(expected);
          done += Math.min(handled, delivery.length);
          buffer.doneBelow(done);
          expect(buffer.isEmpty()).toBe(done === pushed);
        }
      }),
    );
  });

  it.each([
    ['two deliveries, and low with less than one', 10_000, 20_000, 10_000],
    ['2,000 records where deliveries are small, and low with less than 1,000', 10, 2_000, 1_000],
  ])('is full with %s', (_, deliveryMax, full, low) => {
    const buffer = opened(deliveryMax);
    fill(buffer, records(0, full - 1));
    expect(buffer.isFull()).toBe(false);
    fill(buffer, records(full - 1, 1));
    expect(buffer.isFull()).toBe(true);
    buffer.doneBelow(full - low);
    expect(buffer.isLow()).toBe(false);
    buffer.doneBelow(full - low + 1);
    expect(buffer.isLow()).toBe(true);
  });

  it('bounds deliveries and the buffer by the size of values, but delivers each single record', () => {
    const large = 13 * 1024 * 1024;
    const buffer = opened(10);
    fill(buffer, [record(0, 2 * large), record(1, large), record(2, large), record(3)]);
    expect(buffer.isFull()).toBe(true);
    expect(buffer.delivery().map(({ offset }) => offset)).toEqual([0]);
    buffer.doneBelow(1);
    expect(buffer.delivery().map(({ offset }) => offset)).toEqual([1]);
    buffer.doneBelow(2);
    expect(buffer.delivery().map(({ offset }) => offset)).toEqual([2, 3]);
    buffer.doneBelow(3);
    expect(buffer.isFull()).toBe(false);
    expect(buffer.isLow()).toBe(true);
  });

  it('refuses records beyond the memory of the process, and frees done and dropped ones', () => {
    const memory = new RecordMemory(4 * 1024 * 1024);
    const [greedy, other] = [opened(10_000, memory), opened(10_000, memory)];
    const taken = fill(greedy, records(0, 5_000, 1_000));
    expect(taken).toBeGreaterThan(3_200);
    expect(taken).toBeLessThan(4_000);
    expect(greedy.delivery()).toHaveLength(taken);
    expect(greedy.isFull()).toBe(true);
    expect(fill(other, records(0, 300, 1_000))).toBe(300);
    expect(other.isFull()).toBe(false);
    greedy.doneBelow(1_000);
    expect(fill(greedy, records(taken, 5_000, 1_000))).toBeGreaterThan(600);
    greedy.clear();
    other.doneBelow(300);
    expect(memory.held).toBe(0);
  });
});
