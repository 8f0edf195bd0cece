import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { cardOn, choose, earthquakes, ImportCustomer, mounting, stepOf } from './import-customer.fixture.ts';

describeWidget('leaving a page with an import', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  /** Returns whether the browser asks before the page is left. */
  const asks = (page: Page) =>
    page.evaluate(() => {
      const event = new Event('beforeunload', { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    });
  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();

  it('asks between the upload and the end', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    expect(await asks(page)).toBe(false);
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await asks(page)).toBe(true);
    const question = page.waitForEvent('dialog');
    // A reload that is asked of the browser would wait for a page that never comes.
    const reloading = page.evaluate(() => location.reload());
    const dialog = await question;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reloading;
    await press(page, /^Check/);
    await press(page, 'Approve 3 rows');
    await cardOn(page).getByText('3 rows are approved').waitFor();
    expect(await asks(page)).toBe(false);
  });

  it('takes the same file for the same import again, after a reload in the same session stopped the upload', async () => {
    const { page } = await open();
    const session = JSON.stringify(await customer.mint());
    const script = `SvcImport.mount({ ...${session}, host: document.getElementById('here') })`;
    const reserved: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/browser/imports'))
        reserved.push(request.postDataJSON().idempotencyKey);
    });
    const stopped = Promise.withResolvers<void>();
    await page.route(/\/v1\/import\/uploads\//, async (route) => {
      if (reserved.length > 1 || route.request().method() !== 'PUT') return await route.fallback();
      stopped.resolve();
    });
    await page.goto(customer.publish({ ...mounting(), script }));
    await choose(page, earthquakes(5));
    await stopped.promise;
    expect(await asks(page)).toBe(true);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await choose(page, earthquakes(5));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(reserved).toEqual([reserved[0], reserved[0]]);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  it('asks for nothing after the import was cancelled or the widget is gone', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await press(page, 'Cancel import');
    await cardOn(page).getByText('The import was cancelled.').waitFor();
    expect(await asks(page)).toBe(false);
    await choose(page, earthquakes(4));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await asks(page)).toBe(true);
    await page.evaluate(() => Reflect.get(globalThis, 'mounted').destroy());
    expect(await asks(page)).toBe(false);
  });

  it('asks for nothing where the page wants none', async () => {
    const { page } = await open();
    const session = JSON.stringify(await customer.mint());
    const script = `SvcImport.mount({ ...${session}, host: document.getElementById('here'), confirmLeave: false })`;
    await page.goto(customer.publish({ ...mounting(), script }));
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await asks(page)).toBe(false);
  });
});
