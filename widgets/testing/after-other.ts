import type { Page } from 'playwright-core';

/**
 * Lets another person act, and then the one at the page. The page gets no answer to a read in between: it would show the change
 * before it could come too late.
 */
export async function afterOther(
  page: Page,
  other: () => Promise<unknown>,
  act: () => Promise<void>,
): Promise<void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/**', async (route) => {
    if (route.request().method() === 'GET') await held.promise;
    await route.continue();
  });
  await other();
  await act();
  held.resolve();
}
