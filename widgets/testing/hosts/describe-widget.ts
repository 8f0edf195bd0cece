import type { BrowserContextOptions } from 'playwright-core';
import { describeOpened, type OpenedUnderTest } from '../in-browser.ts';
import { WidgetStage } from './widget-stage.ts';

/** The stage of a file's tests. */
export interface WidgetUnderTest extends Pick<OpenedUnderTest<WidgetStage, BrowserContextOptions>, 'open'> {
  /** Only to be called in a test or a hook. */
  stage(): WidgetStage;
}

/** Describes tests that open pages of customers in Chromium, on a separate service, like `describeInBrowser`. */
export function describeWidget(name: string, define: (underTest: WidgetUnderTest) => void): void {
  describeOpened(
    name,
    (browser) => WidgetStage.start({}, browser),
    ({ opened, open }) => define({ stage: opened, open }),
  );
}
