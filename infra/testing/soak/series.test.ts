import { expect, it } from 'vitest';
import { judge, readProcesses, type Sample } from './series.ts';

/** Samples whose values follow from their number and the acknowledged requests. */
const samples = (values: (number: number) => Sample['values'], perSample = 100): Sample[] =>
  Array.from({ length: 30 }, (_, number) => ({ acknowledged: number * perSample, values: values(number) }));

const failed = (all: readonly Sample[]) =>
  judge(all)
    .filter(({ holds }) => !holds)
    .map(({ series }) => series);

it('accepts what stays, and a store that grows with its requests', () => {
  const steady = samples((number) => ({
    memory: 200 + (number % 3),
    'file descriptors': 50,
    threads: 20,
    'store and log': number,
    'write-ahead log': 16,
    blobs: number / 2,
  }));
  expect(failed(steady)).toEqual([]);
});

it.each([
  ['memory', (number: number) => ({ memory: 100 + 10 * number })],
  ['file descriptors', (number: number) => ({ 'file descriptors': 20 + 10 * number })],
  ['threads', (number: number) => ({ threads: 10 + number })],
  ['store and log', (number: number) => ({ 'store and log': number ** 2 })],
  ['write-ahead log', (number: number) => ({ 'write-ahead log': 5 * number })],
  ['blobs', (number: number) => ({ blobs: number ** 2 })],
] as const)('finds %s that grows beyond its bound', (series, values) => {
  expect(failed(samples(values))).toEqual([series]);
});

it('refuses to compare the thirds of a few samples', () => {
  expect(() => judge(samples(() => ({ memory: 1 })).slice(0, 5))).toThrow('comparing thirds of 5 samples');
});

it('reads this process, and no process that has ended', () => {
  expect(readProcesses([process.pid])).toEqual({
    memory: expect.toSatisfy((value: number) => value > 10),
    'file descriptors': expect.toSatisfy((value: number) => value > 3),
    threads: expect.toSatisfy((value: number) => value > 1),
  });
  expect(readProcesses([process.pid, null])).toBeNull();
});
