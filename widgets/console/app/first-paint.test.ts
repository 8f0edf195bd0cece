import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../../testing/in-browser.ts';

/** Holds back what a page asks for until it is released. */
async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

describeInBrowser('the console on a slow network', ({ open }) => {
  it('shows the shape of a page before its script is there, and keeps its elements', async () => {
    const { page } = await open();
    const sendScripts = await hold(page, /\.js$/);
    const sendData = await hold(page, '**/v1/**');
    await page.goto('/keys', { waitUntil: 'commit' });
    const shape = page.locator('#app > .skeleton');
    await shape.getByText('Loading').waitFor({ state: 'attached' });
    const early = await shape.evaluateHandle((element) => ({ element, html: element.outerHTML }));
    const session = page.waitForRequest('**/v1/console/session');
    sendScripts();
    await session;
    expect(await shape.evaluate((now, { element }) => now === element, early)).toBe(true);
    expect(await shape.evaluate((element) => element.outerHTML)).toBe((await early.jsonValue()).html);
    sendData();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });

  it('loads the code of the page while it reads the session', async () => {
    const { page } = await open();
    const sendData = await hold(page, '**/v1/**');
    const code = page.waitForRequest(/assets\/audit-.*\.js$/);
    await page.goto('/audit');
    await code;
    sendData();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  });
});
