import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { axeViolations } from './accessibility.ts';
import { findChromium, NO_CHROMIUM } from './chromium.ts';
import { OpenConsole, type OpenConsoleOptions, type Visit, type VisitOptions } from './open-console.ts';
import type { Seeds } from './seeds.ts';

/** The service and the browser of a test. */
export interface ConsoleUnderTest {
  /** Fills the service. Only to be called in a test or a hook. */
  seeds(): Seeds;
  /** The service that was started for this file's tests, and its browser. */
  opened(): OpenConsole;
  /** Opens a separate context that ends with the test. A fault in its pages fails the test. */
  open(options?: VisitOptions): Promise<Visit>;
}

/**
 * Describes tests that open the console in Chromium, on a separate service. On a machine without Chromium they are left
 * out, with one line that says so; in CI they fail.
 */
export function describeInBrowser(
  name: string,
  define: (underTest: ConsoleUnderTest) => void,
  options: OpenConsoleOptions = {},
): void {
  const isMissing = findChromium() === null;
  if (isMissing && process.env['CI'] === undefined) {
    process.stdout.write(`Left out: ${name}. ${NO_CHROMIUM}\n`);
    describe.skip(name, () => define(UNOPENED));
    return;
  }
  describe(name, () => {
    let opened: OpenConsole | null = null;
    const running = (): OpenConsole => {
      if (opened === null) throw new Error('using the console before it was opened');
      return opened;
    };
    beforeAll(async () => {
      opened = await OpenConsole.start(options);
    });
    afterAll(async () => {
      await opened?.close();
    });
    define({
      opened: running,
      seeds: () => running().seeds,
      async open(options) {
        const visit = await running().visit(options);
        onTestFinished(async () => {
          await visit.context.close();
          expect(visit.faults.found).toEqual([]);
        });
        return visit;
      },
    });
  });
}

/** Asserts that axe finds nothing against WCAG 2.2 AA on the page as it is now. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
}

/** Tests that are left out are described all the same, and never run. */
const UNOPENED: ConsoleUnderTest = {
  opened: missing,
  seeds: missing,
  open: async () => missing(),
};

function missing(): never {
  throw new Error(NO_CHROMIUM);
}
