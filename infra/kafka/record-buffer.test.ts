import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../topics/ports/log.ts';
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

describe('the buffer of a partition', () => {
  it('delivers everything once and in order, however much of a delivery is done', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 })), { maxLength: 50 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 15 }), (pairs, deliveryMax) => {
        const buffer = new RecordBuffer(deliveryMax);
        let pushed = 0;
        let done = 0;
        for (const [arriving, handled] of pairs) {
          buffer.push(records(pushed, arriving));
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
    const buffer = new RecordBuffer(deliveryMax);
    buffer.push(records(0, full - 1));
    expect(buffer.isFull()).toBe(false);
    buffer.push(records(full - 1, 1));
    expect(buffer.isFull()).toBe(true);
    buffer.doneBelow(full - low);
    expect(buffer.isLow()).toBe(false);
    buffer.doneBelow(full - low + 1);
    expect(buffer.isLow()).toBe(true);
  });

  it('bounds a delivery and itself by the size of the values, but delivers every single record', () => {
    const large = 9 * 1024 * 1024;
    const buffer = new RecordBuffer(10);
    buffer.push([record(0, 2 * large), record(1, large), record(2, large), record(3)]);
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
});
