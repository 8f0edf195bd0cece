import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';

/** The files of pages: every script but the main one. */
const PAGE_SCRIPT = /\/assets\/(?!index-)[\w-]+\.js$/;
/** The same of styles. */
const PAGE_STYLES = /\/assets\/(?!index-)[\w-]+\.css$/;

/** True if all styles of the document have arrived. */
const hasEveryStyle = () =>
  [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(
    ({ sheet }) => sheet !== null,
  );

/** The page of an address that leads nowhere is a 404. */
const NOWHERE = /status of 404 \(Not Found\) \(\S+\/nowhere\)/;

describeInBrowser('the code of a page', ({ open }) => {
  it('that an update of the service has removed is replaced by loading the console again', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 404/);
    faults.allow(NOWHERE);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    let documents = 0;
    // The old tab asks for files that are gone, until it has asked for the page of the new version.
    await page.route(PAGE_SCRIPT, (route) =>
      documents < 1 ? route.fulfill({ status: 404, body: '{}' }) : route.fallback(),
    );
    await page.route('**/*', async (route) => {
      const request = route.request();
      if (request.isNavigationRequest()) documents += 1;
      if (new URL(request.url()).pathname !== '/' || documents > 0) return await route.fallback();
      const answer = await route.fetch();
      const newer = (await answer.text()).replace(/index-[\w-]+\.js/, 'index-newer.js');
      return await route.fulfill({ response: answer, body: newer });
    });
    await page.getByRole('link', { name: 'Workspaces' }).first().click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect(documents).toBe(1);
  });

  it('that cannot be had while the service is away arrives once the service answers, without a click', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    faults.allow(NOWHERE);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('The service cannot be reached').waitFor();
    expect(await page.getByText('This page could not be loaded').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    // The bar and the page ask separately.
    await expect.poll(() => page.getByText('The service cannot be reached').count()).toBe(0);
    expect(documents).toBe(0);
  });

  it('that does not arrive is shown as a notice in the frame, from which it can be loaded again', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    faults.allow(NOWHERE);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    await page.route(PAGE_SCRIPT, (route) => route.abort());
    await page.getByRole('link', { name: 'Workspaces' }).first().click();
    await page.getByText('This page could not be loaded').waitFor();
    await expectNoAxeViolations(page);
    await page.unroute(PAGE_SCRIPT);
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect(documents).toBe(0);
  });

  it('arrives with its styles, which the bundler asks for once', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    faults.allow(NOWHERE);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    let asked = 0;
    await page.route(PAGE_STYLES, (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.fallback();
    });
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    expect(asked).toBe(2);
    expect(await page.evaluate(hasEveryStyle)).toBe(true);
  });

  it('whose styles do not arrive is shown as a notice, and can be loaded again', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    faults.allow(NOWHERE);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await page.route(PAGE_STYLES, (route) => route.abort());
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.unroute(PAGE_STYLES);
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    expect(await page.evaluate(hasEveryStyle)).toBe(true);
  });

  it('that did not arrive once is loaded by the next visit, and once the network is back', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    faults.allow(NOWHERE);
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    const missing = page.getByText('This page could not be loaded');
    const place = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    await page.route(PAGE_SCRIPT, (route) => route.abort());
    await place('Audit');
    await missing.waitFor();
    await place('Members');
    await missing.waitFor();
    await page.unroute(PAGE_SCRIPT);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await place('Audit');
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  });
});
