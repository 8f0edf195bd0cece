import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { expectNoAxeViolations } from '../testing/in-browser.ts';
import { cardOn, choose, earthquakes, ImportCustomer, mounting, stepOf } from './import-customer.fixture.ts';

/** One look at an import, without its parts. */
const STATUS = /\/v1\/import\/browser\/imports\/[^/]+$/;

describeWidget('the import widget on pages of customers', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();

  it('asks for nothing while the page is hidden, nor after the page has removed it', async () => {
    const { page } = await open();
    await page.clock.install();
    await page.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { get: () => Reflect.get(globalThis, 'away') ?? false });
    });
    await page.goto(customer.publish());
    const answering = page.waitForResponse((answer) => STATUS.test(answer.url()));
    await choose(page, earthquakes(3));
    const status = await (await answering).json();
    let looks = 0;
    const validating = { ...status, status: 'validating', progress: { done: 1, total: 3 } };
    const headers = { 'access-control-allow-origin': stage().site.origin };
    await page.route(/\/validate$/, (route) => route.fulfill({ json: validating, headers }));
    await press(page, /^Check/);
    await page.route(STATUS, (route) => {
      looks += 1;
      return route.fulfill({ json: validating, headers });
    });
    const lookAgain = async (after: number): Promise<void> => {
      await expect
        .poll(
          async () => {
            await page.clock.runFor(1_000);
            return looks;
          },
          { timeout: 90_000 },
        )
        .toBeGreaterThan(after);
    };
    await cardOn(page).getByText('1 of 3 parts checked').waitFor();
    await lookAgain(1);
    const rest = async (): Promise<number> => {
      // A look that is under way ends.
      await page.clock.runFor(2_000);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      const before = looks;
      await page.clock.runFor(60_000);
      return looks - before;
    };
    await page.evaluate(() => Reflect.set(globalThis, 'away', true));
    expect(await rest()).toBe(0);
    await page.evaluate(() => Reflect.set(globalThis, 'away', false));
    await lookAgain(looks);
    await page.evaluate(() => document.getElementById('here')?.remove());
    expect(await rest()).toBe(0);
  });

  it('keeps its looks under style sheets that reset or hide everything', async () => {
    const looks = async (style: string) => {
      const { page } = await open({ viewport: { width: 700, height: 600 } });
      await page.goto(customer.publish(mounting({ style })));
      await cardOn(page).getByText('Drop a CSV file').waitFor();
      return (await cardOn(page).screenshot()).toString('base64');
    };
    const plain = await looks('main { font: 16px/1.5 sans-serif; color-scheme: light; width: 600px }');
    const hostile = await looks(
      `* { all: unset !important; display: inline !important; opacity: 0 !important; transform: rotate(9deg) !important }
       section, li, button, input, label { background: red !important; content: "x" !important }
       head, script { display: none !important }
       body { display: block !important; padding: 8px !important; opacity: 1 !important; transform: none !important }
       html { opacity: 1 !important; transform: none !important }
       main { font: 16px/1.5 sans-serif !important; color-scheme: light !important; display: block !important; width: 600px !important; opacity: 1 !important; transform: none !important }`,
    );
    expect(hostile).toBe(plain);
  });

  it('shows labels of the page in place of its English', async () => {
    const { page } = await open();
    const labels = JSON.stringify({
      title: 'Datei einlesen',
      drop: 'Datei hierher ziehen',
      unknown: 'x',
      row: 7,
    });
    const session = JSON.stringify(await customer.mint());
    const script = `SvcImport.mount({ ...${session}, host: document.getElementById('here'), labels: ${labels} })`;
    await page.goto(customer.publish({ script }));
    await page.getByRole('group', { name: 'Datei einlesen' }).getByText('Datei hierher ziehen').waitFor();
  });

  describe('has nothing that axe finds at any step', () => {
    it.each([
      ['dark', { colorScheme: 'dark' }, ''],
      ['right to left', {}, 'dir="rtl"'],
      ['forced colours', { forcedColors: 'active' }, ''],
      ['a small screen', { viewport: { width: 320, height: 640 } }, ''],
    ] as const)('%s', async (_name, options, html) => {
      customer.delegates = true;
      const { page } = await open(options);
      await page.goto(customer.publish(mounting({ html, style: 'html { color-scheme: light dark }' })));
      await cardOn(page).getByText('Drop a CSV file').waitFor();
      await expectNoAxeViolations(page);
      await choose(page, Buffer.from('504b0304140000', 'hex'), 'events.xlsx');
      await cardOn(page).getByRole('alert').waitFor();
      await expectNoAxeViolations(page);
      await choose(page, earthquakes(5));
      await expect.poll(() => stepOf(page)).toBe('Columns');
      await press(page, /^Check/);
      await cardOn(page).getByRole('button', { name: 'Approve 5 rows' }).waitFor();
      await expectNoAxeViolations(page);
      await press(page, 'Approve 5 rows');
      await cardOn(page).getByText('5 rows are approved').waitFor();
      await expectNoAxeViolations(page);
    });
  });
});
