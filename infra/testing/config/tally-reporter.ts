import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** A test that failed, or a file with an error outside of its tests. */
export interface FailedTest {
  /** Its path below the root of the repository; empty for an error that belongs to no file. */
  readonly file: string;
  readonly test: string;
}

/** The result of a run. */
export interface Tally {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly FailedTest[];
}

interface Options {
  readonly write?: (text: string) => void;
  /** The file that receives the tally as JSON. */
  readonly tallyFile?: string | undefined;
}

/** Exit code of a process that SIGTERM has ended. */
const EXIT_TERMINATED = 143;

/**
 * Ends a run with one line that people and machines read alike: `N passed, N failed`, and `, N skipped` if any were.
 * A file that could not be loaded, and an error outside of every test, count as one failure each. A run that SIGTERM ends
 * names the tests that were running.
 */
export class TallyReporter implements Reporter {
  readonly #write: (text: string) => void;
  readonly #tallyFile: string | undefined;
  readonly #running = new Set<TestCase>();

  constructor({ write = (text) => void process.stdout.write(text), tallyFile }: Options = {}) {
    this.#write = write;
    this.#tallyFile = tallyFile;
  }

  onInit(): void {
    process.once('SIGTERM', () => {
      for (const { module, fullName } of this.#running) {
        this.#write(`was running: ${module.relativeModuleId} > ${fullName}\n`);
      }
      process.exit(EXIT_TERMINATED);
    });
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.add(test);
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(test);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const states = modules.flatMap(({ children }) =>
      [...children.allTests()].map((test) => test.result().state),
    );
    const passed = states.filter((state) => state === 'passed').length;
    const skipped = states.filter((state) => state === 'skipped' || state === 'pending').length;
    const stray = unhandledErrors.map((error) => ({ file: originOf(error), test: '' }));
    const failures = [...stray, ...modules.flatMap(failuresOf)];
    const tally: Tally = { passed, skipped, failures };
    if (this.#tallyFile !== undefined) writeFileSync(this.#tallyFile, JSON.stringify(tally));
    const skips = skipped === 0 ? '' : `, ${skipped} skipped`;
    this.#write(`${passed} passed, ${failures.length} failed${skips}\n`);
  }
}

/** The tests of a file that failed, and the errors of the file and of its suites' hooks, which no test of it reports. */
function failuresOf(module: TestModule): FailedTest[] {
  const tests = [...module.children.allTests('failed')].map(({ fullName }) => fullName);
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(() => suite.fullName),
  );
  const errors = module.errors().map(() => '');
  return [...tests, ...suites, ...errors].map((test) => ({ file: module.relativeModuleId, test }));
}

/** The file whose tests ran when an error was thrown that no test awaited. */
function originOf(error: unknown): string {
  const path = error instanceof Object && 'VITEST_TEST_PATH' in error ? error.VITEST_TEST_PATH : null;
  return typeof path === 'string' ? relative(process.cwd(), path) : '';
}
