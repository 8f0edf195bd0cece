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

/** The place and the ground of each part of the shape. */
async function looks(page: Page) {
  return await page.locator('.skeleton .bone').evaluateAll((bones) =>
    bones.map((bone) => {
      const { x, y, width, height } = bone.getBoundingClientRect();
      return { box: { x, y, width, height }, ground: getComputedStyle(bone).background };
    }),
  );
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

  it.each([1280, 390])(
    'paints the shape before its style sheet, which moves nothing, %i px wide',
    async (width) => {
      const { page } = await open({ viewport: { width, height: 800 } });
      const sendScripts = await hold(page, /\.js$/);
      const sendStyles = await hold(page, /\.css$/);
      await page.goto('/keys', { waitUntil: 'commit' });
      await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0);
      const early = await looks(page);
      expect(early.map(({ box }) => box.height)).toEqual([24.5, 240]);
      sendStyles();
      await page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href?.endsWith('.css')));
      expect(await looks(page)).toEqual(early);
      sendScripts();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    },
  );

  it('asks for its fonts in the head, since Chromium holds the first paint for those alone', async () => {
    const { page } = await open();
    await page.goto('/keys');
    expect(await page.locator('head > link[rel=preload][as=font]').count()).toBe(2);
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
