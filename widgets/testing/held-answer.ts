import type { Page } from 'playwright-core';

/** Holds back the changes that a page sends to an address until they are released. */
export async function holdAnswer(page: Page, address: string): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') await promise;
    await route.continue();
  });
  return { release: resolve };
}
