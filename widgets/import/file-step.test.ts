import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { cardOn, earthquakes, ImportCustomer, mounting, stepOf } from './import-customer.fixture.ts';

describeWidget('files that are dropped on the import widget', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  /** Drops files on an element of the widget. Returns true if the browser opens them in place of the page. */
  async function drop(page: Page, selector: string, contents: readonly string[]): Promise<boolean> {
    const target = page.locator(`#here ${selector}`);
    return await target.evaluate((element, texts) => {
      const dataTransfer = new DataTransfer();
      for (const [at, text] of texts.entries()) dataTransfer.items.add(new File([text], `${at}.csv`));
      const event = (name: string) =>
        new DragEvent(name, { dataTransfer, bubbles: true, composed: true, cancelable: true });
      element.dispatchEvent(event('dragover'));
      return element.dispatchEvent(event('drop'));
    }, contents);
  }

  it('take no page away if they are dropped beside the place for them', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    expect(await drop(page, 'header', [earthquakes(3)])).toBe(false);
    expect(await drop(page, '.drop', [earthquakes(3)])).toBe(false);
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await drop(page, 'table', [earthquakes(3)])).toBe(false);
  });

  it('are not taken or refused by a page that does so wherever they are dropped', async () => {
    const { page } = await open();
    const script = `globalThis.seen = [];
      for (const name of ['dragover', 'drop']) document.addEventListener(name, () => seen.push(name));`;
    await page.goto(customer.publish(mounting({}, script)));
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    await drop(page, '.drop', [earthquakes(3)]);
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'seen'))).toEqual([]);
  });

  it('are taken one at a time', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    stage().ingest.forget();
    await drop(page, '.drop', [earthquakes(3), earthquakes(2)]);
    await cardOn(page).getByRole('alert').getByText('Choose one file at a time.').waitFor();
    expect(stage().ingest.passed(/browser\/imports$/)).toEqual([]);
    await drop(page, '.drop', [earthquakes(3)]);
    await expect.poll(() => stepOf(page)).toBe('Columns');
  });
});
