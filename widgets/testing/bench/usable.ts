import type { Page } from 'playwright-core';

/** The signs by which a page is known to be there. */
export interface Mark {
  /** The text of its heading; null: it has none. */
  readonly heading: string | null;
  /** The selector of its content, such as the first row of its table. */
  readonly content: string;
}

/** The additions to the measured page's global object. Times are in milliseconds on the clock of `performance.now()`. */
interface Watching {
  /** Sets `benchUsableAt` once heading and content are visible and painted, and the main thread is free for input. */
  benchWatch(mark: Mark): void;
  benchUsableAt: number | null;
  benchClickedAt: number;
}

/** The global object, in functions that run in the page. */
declare const window: typeof globalThis & Watching;

/** Watches for a mark in every document that the page opens from now on. */
export async function watchDocuments(page: Page, mark: Mark): Promise<void> {
  await page.addInitScript(defineWatch);
  await page.addInitScript((given) => window.benchWatch(given), mark);
}

/** Watches for a mark in the shown document from the next click on. */
export async function watchClick(page: Page, mark: Mark): Promise<void> {
  await page.evaluate(defineWatch);
  await page.evaluate((given) => {
    const start = ({ timeStamp }: Event) => {
      window.benchClickedAt = timeStamp;
      window.benchWatch(given);
    };
    addEventListener('click', start, { capture: true, once: true });
  }, mark);
}

/**
 * Resolves with the milliseconds from the beginning of the navigation until the document was usable.
 *
 * @throws {Error} if it is not within the time that playwright waits: the page is broken, not slow
 */
export async function usableAfterNavigation(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => window.benchUsableAt);
  return (await handle.jsonValue()) ?? Number.NaN;
}

/**
 * Resolves with the milliseconds from the click, at the time that the browser gave it, until the page was usable.
 *
 * @throws {Error} if it is not within the time that playwright waits
 */
export async function usableAfterClick(page: Page): Promise<number> {
  const usableAt = await usableAfterNavigation(page);
  return usableAt - (await page.evaluate(() => window.benchClickedAt));
}

/**
 * Runs in the page. It looks once in each frame. A message that is posted in a frame arrives after the frame was painted, as a task
 * of the main thread: input would be handled there too.
 */
function defineWatch(): void {
  window.benchUsableAt = null;
  window.benchWatch = ({ heading, content }) => {
    const isThere = () =>
      (heading === null || document.querySelector('h1')?.textContent === heading) &&
      document.querySelector(content)?.checkVisibility() === true;
    const look = () => {
      if (!isThere()) {
        requestAnimationFrame(look);
        return;
      }
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        window.benchUsableAt = performance.now();
      };
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  };
}
