import { expect, it } from 'vitest';
import type { FailedTest, Tally } from '../config/tally-reporter.ts';
import { REPEATED_TESTS_MAX, withSecondLook } from './second-look.ts';

const A: FailedTest = { file: 'a.test.ts', test: 'does one thing' };
const B: FailedTest = { file: 'b.test.ts', test: 'does another' };

/** Tallies in the order in which runs come to them, and which file each run was of. */
function runs(...tallies: readonly (readonly FailedTest[] | null)[]) {
  const files: (string | undefined)[] = [];
  const run = async (file?: string): Promise<Tally | null> => {
    const failures = tallies[files.push(file) - 1] ?? null;
    return failures === null ? null : { passed: 10, skipped: 0, failures };
  };
  return { run, files };
}

const look = (run: (file?: string) => Promise<Tally | null>) => withSecondLook(run, REPEATED_TESTS_MAX);

it('repeats nothing where all tests pass', async () => {
  const { run, files } = runs([]);
  expect(await look(run)).toEqual({ passed: 10, failures: [], repeated: [] });
  expect(files).toEqual([undefined]);
});

it('counts what passes when repeated, and names it', async () => {
  const { run, files } = runs([A, B], [A], [], []);
  expect(await look(run)).toEqual({ passed: 12, failures: [], repeated: [A, B] });
  expect(files).toEqual([undefined, A.file, A.file, B.file]);
});

it('counts what fails three times as failed', async () => {
  const { run, files } = runs([A, B], [A], [A], []);
  expect(await look(run)).toEqual({ passed: 11, failures: [A], repeated: [B] });
  expect(files).toHaveLength(4);
});

it('repeats nothing where more has failed than a gate repeats', async () => {
  const failures = Array.from({ length: REPEATED_TESTS_MAX + 1 }, () => A);
  const { run, files } = runs(failures);
  expect(await look(run)).toEqual({ passed: 10, failures, repeated: [] });
  expect(files).toHaveLength(1);
});

it('repeats nothing where an error belongs to no file', async () => {
  const failures = [A, { file: '', test: '' }];
  const { run, files } = runs(failures);
  expect(await look(run)).toEqual({ passed: 10, failures, repeated: [] });
  expect(files).toHaveLength(1);
});

it('counts a run without a tally, the first or a repeated one, as failed', async () => {
  const ended = { file: '', test: 'the run ended without a tally' };
  expect(await look(runs(null).run)).toEqual({ passed: 0, failures: [ended], repeated: [] });
  expect(await look(runs([A], null, null).run)).toEqual({ passed: 10, failures: [A], repeated: [] });
});
