import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { WIDGET_LOOKS } from '../testing/hosts/widget-looks.ts';
import { expectNoAxeViolations } from '../testing/in-browser.ts';
import {
  cardOn,
  choose,
  earthquakes,
  HEADER,
  ImportCustomer,
  mounting,
  stepOf,
} from './import-customer.fixture.ts';

describeWidget('the import widget', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();
  const targets = (page: Page) =>
    page.locator('#here select').evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).value));

  /** Opens a page and brings a file to the choice of its columns. */
  async function sent(content: string, page: Page, accepting: string | null = null): Promise<void> {
    await page.goto(customer.publish());
    await choose(page, content);
    if (accepting !== null) {
      await press(page, 'Leave out');
      await press(page, accepting);
    }
    await expect.poll(() => stepOf(page)).toBe('Columns');
  }

  describe('on a page with the documented policy', () => {
    it('takes a file from the choice to the approval', async () => {
      customer.delegates = true;
      const { page } = await open();
      await page.goto(customer.publish());
      await cardOn(page).getByText('UTF-8, at most 1 MiB and 1,000 rows').waitFor();
      await expectNoAxeViolations(page);
      await choose(page, earthquakes(130));
      await expect.poll(() => stepOf(page)).toBe('Columns');
      expect(await targets(page)).toEqual(['event', 'date', '', 'place']);
      await expectNoAxeViolations(page);
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      await press(page, 'Check 130 rows');
      await cardOn(page).getByText('130 rows are valid. Blank lines left out: 0.').waitFor();
      await expectNoAxeViolations(page);
      await press(page, 'Look at the rows');
      const rows = cardOn(page).getByRole('region', { name: 'Rows' });
      await rows.getByRole('row', { name: /^1 us0 2026-08-01 4\.6 Banda Sea, 0$/ }).waitFor();
      expect(await rows.locator('table').getAttribute('aria-rowcount')).toBe('101');
      await cardOn(page).getByText('The first 100 of 130 rows are listed.').waitFor();
      await expectNoAxeViolations(page);
      await press(page, 'Look at the rows');
      await rows.waitFor({ state: 'detached' });
      await press(page, 'Approve 130 rows');
      await cardOn(page).getByText('130 rows are approved').waitFor();
      await expectNoAxeViolations(page);
      expect(await page.evaluate(() => document.cookie + Object.keys(localStorage).join())).toBe('');
      const names = await page.evaluate(() => Object.keys(globalThis).filter((name) => /svc/i.test(name)));
      expect(names).toEqual(['SvcImport']);
    });

    it('counts one row as one', async () => {
      customer.delegates = true;
      const { page } = await open();
      await sent(earthquakes(1), page);
      await press(page, 'Check 1 row');
      await cardOn(page).getByText('1 row is valid. Blank lines left out: 0.').waitFor();
      await press(page, 'Approve 1 row');
      await cardOn(page).getByText('1 row is approved').waitFor();
    });

    it('says who approves if the user may not', async () => {
      customer.delegates = false;
      const { page } = await open();
      await sent(earthquakes(3), page);
      await press(page, /^Check/);
      await cardOn(page).getByText('Your team approves this.').waitFor();
      expect(await cardOn(page).getByRole('button').allTextContents()).toEqual(['Import another file']);
      customer.delegates = true;
    });

    it('checks no row before each required field has a column', async () => {
      const { page } = await open();
      await sent(earthquakes(3), page);
      await cardOn(page).getByLabel('Goes to, Place name').selectOption('event');
      expect(await targets(page)).toEqual(['', 'date', '', 'event']);
      await cardOn(page).getByLabel('Goes to, Place name').selectOption('');
      const check = cardOn(page).getByRole('button', { name: /^Check/ });
      expect(await check.isDisabled()).toBe(true);
      await cardOn(page).getByText('Choose a column for: event').waitFor();
      await expectNoAxeViolations(page);
    });

    it('shows wrong rows with filters, gives them back for a spreadsheet, and takes a corrected file', async () => {
      const { page } = await open({ acceptDownloads: true });
      await sent(earthquakes(300, 250).replace('us7,2026-08-01', '=cmd(),2 August 2026'), page);
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      await press(page, /^Check/);
      await cardOn(page).getByText('250 of 300 rows cannot be read.').waitFor();
      await expectNoAxeViolations(page);
      const table = cardOn(page).getByRole('region', { name: 'Errors' });
      expect(await table.locator('table').getAttribute('aria-rowcount')).toBe('252');
      expect(await table.getByRole('row').count()).toBeLessThan(60);
      await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await table.getByRole('row', { name: /^251 250 / }).waitFor();
      await cardOn(page).getByLabel('Show').selectOption({ label: 'date: Text too long (1)' });
      await table.getByText('2 August 2026').waitFor();
      await table.getByText('Text too long. Allowed: at most 10 characters').waitFor();
      expect(await table.locator('table').getAttribute('aria-rowcount')).toBe('2');
      await press(page, 'Look at the rows');
      const row = cardOn(page).getByRole('region', { name: 'Rows' }).getByRole('row').nth(1);
      await row.waitFor();
      expect(await row.getByRole('cell').allTextContents()).toEqual([
        '8',
        '=cmd()',
        '2 August 2026',
        '4;60',
        'Banda Sea, 7',
      ]);
      expect(await row.locator('.wrong').allTextContents()).toEqual(['2 August 2026', '4;60']);
      const downloading = page.waitForEvent('download');
      await press(page, 'Download 250 rows');
      const text = readFileSync(await (await downloading).path(), 'utf8');
      expect(text.split('\r\n')[0]).toBe(`\ufeffsvc_row,svc_line,svc_errors,${HEADER}`);
      expect(text).toContain(",'=cmd(),2 August 2026,4;60,");
      expect(text.trimEnd().split('\r\n')).toHaveLength(251);
      await press(page, 'Choose a corrected file');
      await choose(page, earthquakes(300));
      await expect.poll(() => stepOf(page)).toBe('Columns');
      // The mapping of this schema is remembered.
      expect(await targets(page)).toEqual(['event', 'date', 'magnitude', 'place']);
    });

    it('takes its file of rejected rows back once the wrong cells are corrected', async () => {
      const { page } = await open({ acceptDownloads: true });
      await sent(`${HEADER}\nus1,1 August 2026,-4.6,Chile\n`, page);
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      await press(page, /^Check/);
      const downloading = page.waitForEvent('download');
      await press(page, 'Download 1 row');
      const text = readFileSync(await (await downloading).path(), 'utf8');
      await press(page, 'Choose a corrected file');
      await choose(page, text.replace('1 August 2026', '2026-08-01').replace('-4.6', '4.6'));
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      await press(page, /^Check/);
      await cardOn(page).getByRole('button', { name: 'Approve 1 row' }).waitFor();
    });

    it('checks again with other columns', async () => {
      const { page } = await open();
      await sent(earthquakes(5, 5), page);
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      await press(page, /^Check/);
      await press(page, 'Change the columns');
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('');
      await press(page, /^Check/);
      await cardOn(page).getByRole('button', { name: 'Approve 5 rows' }).waitFor();
    });

    it('leads back to the file without losing a choice, and sends the same file once', async () => {
      const { page } = await open();
      await sent(`Report of August,,,\n${earthquakes(5)}`, page, 'Use the corrected file');
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      stage().ingest.forget();
      await press(page, 'Back');
      const titles = cardOn(page).getByRole('button', { name: 'Leave out' });
      await titles.waitFor();
      expect(await titles.getAttribute('aria-pressed')).toBe('true');
      await press(page, 'Use the corrected file');
      await expect.poll(() => stepOf(page)).toBe('Columns');
      expect(await targets(page)).toEqual(['event', 'date', 'magnitude', 'place']);
      expect(stage().ingest.passed(/browser\/imports$|cancel$/)).toEqual([]);
    });

    it('sends another file in the place of the one that the user went back from', async () => {
      const { page } = await open();
      await sent(earthquakes(5), page);
      stage().ingest.forget();
      await press(page, 'Back');
      await cardOn(page).getByText('events.csv needs no change').waitFor();
      await press(page, 'Choose another file');
      await choose(page, earthquakes(6));
      await cardOn(page).getByRole('button', { name: 'Check 6 rows' }).waitFor();
      expect(stage().ingest.passed(/browser\/imports$/)).toHaveLength(1);
      expect(
        stage()
          .ingest.passed(/cancel$/)
          .map(({ status }) => status),
      ).toEqual([200]);
    });

    it('takes a double click for one click', async () => {
      const { page } = await open();
      await sent(earthquakes(3), page);
      stage().ingest.forget();
      await cardOn(page)
        .getByRole('button', { name: /^Check/ })
        .dblclick();
      await cardOn(page).getByRole('button', { name: 'Approve 3 rows' }).dblclick();
      await cardOn(page).getByText('3 rows are approved').waitFor();
      for (const path of [/mapping$/, /validate$/, /approve$/]) {
        expect(stage().ingest.passed(path)).toHaveLength(1);
      }
    });

    it('continues with the import of its session when it is mounted again', async () => {
      const { page } = await open();
      const session = JSON.stringify(await customer.mint());
      const mount = `SvcImport.mount({ ...${session}, host: document.getElementById('here') })`;
      await page.goto(customer.publish({ script: `${mount}.destroy(); globalThis.mounted = ${mount};` }));
      await choose(page, earthquakes(4));
      await expect.poll(() => stepOf(page)).toBe('Columns');
      await page.reload();
      await expect.poll(() => stepOf(page)).toBe('Columns');
      await press(page, 'Cancel import');
      await cardOn(page).getByText('The import was cancelled.').waitFor();
      await page.evaluate(() => Reflect.get(globalThis, 'mounted').destroy());
      expect(await page.locator('#here').evaluate((element) => element.childNodes.length)).toBe(0);
    });

    it('can be used by keyboard alone', async () => {
      const { page } = await open();
      await sent(earthquakes(2), page);
      const focused = () =>
        page.evaluate(
          () => document.querySelector('#here svc-widget')?.shadowRoot?.activeElement?.textContent ?? '',
        );
      expect(await focused()).toBe('Import a file');
      for (let stop = 0; stop < 5; stop += 1) await page.keyboard.press('Tab');
      expect(await focused()).toBe('Check 2 rows');
      await page.keyboard.press('Enter');
      await cardOn(page).getByRole('button', { name: 'Approve 2 rows' }).waitFor();
      expect(await focused()).toBe('Import a file');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await cardOn(page).getByText('2 rows are approved').waitFor();
    });

    it.each(WIDGET_LOOKS)('has nothing that axe finds: %s', async (_name, options, html) => {
      const { page } = await open(options);
      await page.goto(customer.publish(mounting({ html, style: 'html { color-scheme: light dark }' })));
      await choose(page, earthquakes(20, 10));
      await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
      await expectNoAxeViolations(page);
      await press(page, /^Check/);
      await cardOn(page).getByText('10 of 20 rows cannot be read.').waitFor();
      await expectNoAxeViolations(page);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
      ).toBe(true);
    });
  });

  describe('a file that is no UTF-8 CSV', () => {
    it.each([
      ['a spreadsheet', Buffer.from('504b0304140000', 'hex'), 'is a spreadsheet or an archive'],
      ['damaged UTF-8', Buffer.concat([Buffer.from('name\nMünchen\n'), Buffer.of(0xff)]), 'is not UTF-8'],
      ['nothing', Buffer.alloc(0), 'is empty'],
      ['too much', Buffer.alloc(1_048_577, 'a'), 'At most 1 MiB are allowed'],
    ])('is refused before it is sent: %s', async (_name, bytes, reason) => {
      const { page } = await open();
      await page.goto(customer.publish());
      await cardOn(page).getByText('Drop a CSV file').waitFor();
      stage().ingest.forget();
      await choose(page, bytes);
      await cardOn(page).getByRole('alert').getByText(reason).waitFor();
      expect(stage().ingest.passed(/imports/)).toEqual([]);
    });

    it('is refused by the service with its line if the widget could not look at it', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 404|Failed to load|integrity/);
      await page.route(/\/svcimport-fix-/, (route) => route.fulfill({ status: 404, body: '' }));
      await page.goto(customer.publish());
      await choose(page, earthquakes(1_001));
      await expect.poll(() => stepOf(page)).toBe('Columns');
      await press(page, /^Check/);
      await cardOn(page).getByText('Line 1,002. The file has more data rows than the plan allows.').waitFor();
    });
  });

  describe('among hostile pages', () => {
    it('shows nothing to another origin that has a session of this one', async () => {
      const { page, faults } = await open();
      faults.allow(/asked another origin: https:\/\/stranger|blocked by CORS policy|net::ERR_FAILED/);
      await page.goto(stage().stranger.publish({ scripts: [customer.script], ...mounting() }));
      await cardOn(page).getByText('Importing is not possible right now').waitFor();
    });

    it('leaves the page alone when it is called wrongly', async () => {
      const { page, faults } = await open();
      faults.allow(/SvcImport.mount needs a host/);
      await page.goto(
        customer.publish({
          script: `for (const options of [undefined, {}, { host: document.body }]) SvcImport.mount(options).destroy(); document.title = 'continued';`,
        }),
      );
      expect(await page.title()).toBe('continued');
    });
  });
});
