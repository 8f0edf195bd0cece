import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../chromium.ts';
import type { Visit } from '../open-console.ts';
import { WidgetStage } from './widget-stage.ts';

/** The stage of a file's tests. */
export interface WidgetUnderTest {
  /** Only to be called in a test or a hook. */
  stage(): WidgetStage;
  /** Opens a separate context that ends with the test. A fault in its pages fails the test. */
  open(options?: BrowserContextOptions): Promise<Visit>;
}

/**
 * Describes tests that open pages of customers in Chromium, on a separate service. On a machine without Chromium they are
 * left out, with one line that says so; in CI they fail.
 */
export function describeWidget(name: string, define: (underTest: WidgetUnderTest) => void): void {
  const isMissing = findChromium() === null;
  if (isMissing && process.env['CI'] === undefined)
    process.stdout.write(`Left out: ${name}. ${NO_CHROMIUM}\n`);
  const isLeftOut = isMissing && process.env['CI'] === undefined;
  describe.skipIf(isLeftOut)(name, () => {
    let started: WidgetStage | null = null;
    const stage = (): WidgetStage => {
      if (started === null) throw new Error('using the stage before it was started');
      return started;
    };
    beforeAll(async () => {
      if (!isLeftOut) started = await WidgetStage.start();
    });
    afterAll(async () => {
      await started?.close();
    });
    define({
      stage,
      async open(options) {
        const visit = await stage().open(options);
        onTestFinished(async () => {
          await visit.context.close();
          expect(visit.faults.found).toEqual([]);
        });
        return visit;
      },
    });
  });
}
