import type { Page } from 'playwright-core';

/** Returns the names of what has to be scrolled sideways to be read: tables, and the page itself. */
export async function scrolledSideways(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const tables = [...document.querySelectorAll('section.table')].filter((each) => each.checkVisibility());
    return [document.documentElement, ...tables]
      .filter((each) => each.scrollWidth > each.clientWidth)
      .map((each) => each.getAttribute('aria-label') ?? 'the page');
  });
}
