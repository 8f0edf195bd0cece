import type { FailedTest, Tally } from '../config/tally-reporter.ts';

/** Further runs of a file with a failed test, each with new processes, data folders and browsers. */
const REPEATS_MAX = 2;
/** Tests that a gate repeats; with more of them the change is at fault, or the machine. */
export const REPEATED_TESTS_MAX = 5;

const NO_TALLY: FailedTest = { file: '', test: 'the run ended without a tally' };

/** The count of one step's tests. */
export interface Verdict {
  readonly passed: number;
  /** The tests that failed each time. */
  readonly failures: readonly FailedTest[];
  /** The tests that failed at first. They count as passed: each is a fault to be found. */
  readonly repeated: readonly FailedTest[];
}

/**
 * Runs tests; runs each file with a failed test again by itself, until it passes or has failed three times. Nothing is repeated
 * where more tests have failed than a gate repeats, or where an error belongs to no file.
 *
 * @param run runs all tests of a step, or one file of it; null: it ended without a tally
 * @param repeatsLeft tests that may still be repeated in this gate
 */
export async function withSecondLook(
  run: (file?: string) => Promise<Tally | null>,
  repeatsLeft: number,
): Promise<Verdict> {
  const first = await run();
  if (first === null) return { passed: 0, failures: [NO_TALLY], repeated: [] };
  const { passed, failures } = first;
  const files = [...new Set(failures.map(({ file }) => file))];
  if (failures.length > repeatsLeft || files.includes('')) {
    return { passed, failures, repeated: [] };
  }
  const steady = new Set<string>();
  for (const file of files) if (await passesAgain(() => run(file))) steady.add(file);
  const repeated = failures.filter(({ file }) => steady.has(file));
  const failed = failures.filter(({ file }) => !steady.has(file));
  return { passed: passed + repeated.length, failures: failed, repeated };
}

async function passesAgain(run: () => Promise<Tally | null>): Promise<boolean> {
  for (let repeat = 0; repeat < REPEATS_MAX; repeat += 1) {
    const tally = await run();
    if (tally !== null && tally.failures.length === 0 && tally.passed > 0) return true;
  }
  return false;
}
