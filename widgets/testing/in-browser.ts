import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { axeViolations } from './accessibility.ts';
import { findChromium, NO_CHROMIUM } from './chromium.ts';
import { OpenConsole, type OpenConsoleOptions, type Visit, type VisitOptions } from './open-console.ts';
import type { Seeds } from './seeds.ts';
import { TestBrowser } from './test-browser.ts';

/** The service of a file, and pages in a browser. */
interface Opened<Options> {
  visit(options?: Options): Promise<Visit>;
  close(): Promise<void>;
}

/** Only to be called in a test or a hook. */
export interface OpenedUnderTest<Used, Options> {
  opened(): Used;
  /** Opens a separate context that ends with the test. A fault in its pages fails the test. */
  open(options?: Options): Promise<Visit>;
}

/** The service and the browser of a test. */
export interface ConsoleUnderTest extends OpenedUnderTest<OpenConsole, VisitOptions> {
  /** Fills the service. */
  seeds(): Seeds;
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
  describeOpened(
    name,
    (browser) => OpenConsole.start(options, browser),
    (underTest) => define({ ...underTest, seeds: () => underTest.opened().seeds }),
  );
}

/** Like {@link describeInBrowser}, with another service, which `start` starts. */
export function describeOpened<Used extends Opened<Options>, Options = BrowserContextOptions>(
  name: string,
  start: (browser: TestBrowser) => Promise<Used>,
  define: (underTest: OpenedUnderTest<Used, Options>) => void,
): void {
  const isLeftOut = findChromium() === null && process.env['CI'] === undefined;
  if (isLeftOut) process.stdout.write(`Left out: ${name}. ${NO_CHROMIUM}\n`);
  describe.skipIf(isLeftOut)(name, () => {
    let used: Used | null = null;
    const opened = (): Used => {
      if (used === null) throw new Error('using the service before it was opened');
      return used;
    };
    beforeAll(async () => {
      if (!isLeftOut) used = await start(await TestBrowser.shared());
    });
    afterAll(async () => {
      await used?.close();
    });
    define({
      opened,
      async open(options) {
        const visit = await opened().visit(options);
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
