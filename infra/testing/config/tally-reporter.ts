import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with one line that people and machines read alike: `N passed, N failed`, and `, N skipped` if any were.
 * A file that could not be loaded, and an error outside of every test, count as one failure each. A test that passed only
 * when it was repeated counts as passed, and is named before that line: it is a fault to be found.
 */
export class TallyReporter implements Reporter {
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.#write = write;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === 'pending' ? 'skipped' : state] += 1;
        if (test.diagnostic()?.flaky) this.#write(`passed only when repeated: ${test.fullName}\n`);
      }
      count.failed += failuresOutsideTests(module);
    }
    const skipped = count.skipped === 0 ? '' : `, ${count.skipped} skipped`;
    this.#write(`${count.passed} passed, ${count.failed} failed${skipped}\n`);
  }
}

/** Errors of a file or of a suite's hooks, which no test of it reports. */
function failuresOutsideTests(module: TestModule): number {
  let failures = module.errors().length;
  for (const suite of module.children.allSuites()) failures += suite.errors().length;
  return failures;
}
