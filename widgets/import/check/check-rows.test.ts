import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { WIDGET_LOOKS } from '../../testing/hosts/widget-looks.ts';
import { expectNoAxeViolations } from '../../testing/in-browser.ts';
import { cardOn, choose, ImportCustomer, mounting, stepOf } from '../import-customer.fixture.ts';

const FIELDS = [
  { key: 'id', type: 'integer', required: true },
  { key: 'day', type: 'date', required: true },
  { key: 'amount', type: 'decimal', required: false, scale: 2 },
  { key: 'currency', type: 'text', required: false, maxLength: 3 },
];

/** A file of which some rows have other cells. */
function fileOf(count: number, wrong: Readonly<Record<number, string>>): string {
  const rows = Array.from({ length: count }, (_, at) => wrong[at + 1] ?? `${at + 1},2026-01-20,1.50,EUR`);
  return ['id,day,amount,currency', ...rows, ''].join('\n');
}

const WRONG = {
  3: '3,2026-01-20,k.A.,EUR',
  5: '5,2026-01-20,k.A.,Euro',
  6: '6,2026-01-20,k.A.,EUR',
  9: '9,2026-13-20,1.50,EUR',
};

describeWidget('the rows of a file that break a rule', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage(), FIELDS);
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();
  const grid = (page: Page): Locator => cardOn(page).getByRole('grid', { name: 'Rows to correct' });
  const cell = (page: Page, text: string) => grid(page).getByRole('gridcell', { name: text, exact: true });
  const focused = (page: Page) =>
    page.evaluate(() => {
      const active = document.querySelector('#here svc-widget')?.shadowRoot?.activeElement;
      return active instanceof HTMLInputElement ? `[${active.value}]` : active?.textContent;
    });

  /** Brings a file to the list of rows that break a rule: what no reading reads stays as the file has it. */
  async function atRows(page: Page, content: string, html = ''): Promise<void> {
    await page.goto(customer.publish(mounting({ html, style: 'html { color-scheme: light dark }' })));
    stage().ingest.forget();
    await choose(page, content);
    await expect.poll(() => stepOf(page)).toBe('Columns');
    const check = cardOn(page).getByRole('button', { name: /^Check/ });
    await cardOn(page).getByText('Reading the column').first().waitFor({ state: 'detached' });
    for (const column of ['day', 'amount']) {
      const select = cardOn(page).getByLabel(`Written as, ${column}`);
      if ((await select.inputValue()) === '') await select.selectOption({ index: 1 });
    }
    await check.click();
    await grid(page).waitFor();
  }

  it('are corrected where they stand before anything is sent, and charged once', async () => {
    const { page } = await open();
    const reserving = page.waitForRequest((request) => /browser\/imports$/.test(request.url()));
    reserving.catch(() => undefined);
    await atRows(page, fileOf(12, WRONG));
    await cardOn(page).getByText('8 of 12 rows fit. Nothing has been sent yet.').waitFor();
    await expectNoAxeViolations(page);
    expect(
      await cardOn(page).getByRole('group', { name: 'Show' }).getByRole('button').allTextContents(),
    ).toEqual([
      '4 rows with errors',
      'amount: Not a number (3)',
      'day: Not a date (1)',
      'currency: Text too long (1)',
    ]);
    expect(stage().ingest.passed(/imports$|uploads/)).toEqual([]);
    await cell(page, 'Euro').click();
    await page.keyboard.type('EUR');
    await page.keyboard.press('Enter');
    await cell(page, 'k.A.').first().click();
    await press(page, 'Make all 3 empty');
    await cardOn(page).getByText('11 of 12 rows fit.').waitFor();
    await press(page, 'day: Not a date (1)');
    await cell(page, '2026-13-20').click();
    await page.keyboard.type('2026-12-20');
    await page.keyboard.press('Tab');
    await cardOn(page).getByText('12 of 12 rows fit.').waitFor();
    await press(page, '4 rows corrected here');
    await expectNoAxeViolations(page);
    await press(page, 'Send 12 rows');
    await cardOn(page).getByText('12 rows are valid.').waitFor();
    expect((await reserving).postDataJSON().changes).toEqual([
      { kind: 'edited', column: 'day', cells: 1 },
      { kind: 'replaced', column: 'amount', cells: 3 },
      { kind: 'edited', column: 'currency', cells: 1 },
    ]);
    expect(stage().ingest.passed(/imports$/)).toHaveLength(1);
    await press(page, /^Approve/);
    await cardOn(page).getByText('12 rows are approved').waitFor();
  });

  it('are left out in one press, one wrong of 2,000 as well', async () => {
    const { page } = await open();
    await atRows(page, fileOf(900, { 834: '834,2026-01-20,12a,EUR' }));
    await grid(page).getByRole('rowheader', { name: '835' }).waitFor();
    await press(page, 'Leave out 1 row, send 899');
    await cardOn(page).getByText('899 rows are valid.').waitFor();
    await cardOn(page).getByText('Rows were removed (1 row)').waitFor();
    expect(stage().ingest.passed(/imports$/)).toHaveLength(1);
  });

  it('are worked on by keyboard as in a spreadsheet, and undone step by step', async () => {
    const { page } = await open();
    await atRows(page, fileOf(12, WRONG));
    await cell(page, 'k.A.').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Euro');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('[Euro]');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Euro');
    await page.keyboard.type('USD');
    await page.keyboard.press('Tab');
    await cell(page, 'USD').waitFor();
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe('5');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Delete');
    expect(await focused(page)).toBe('[]');
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('k.A.');
    await page.keyboard.press('ArrowUp');
    await press(page, 'Write “7” in the 2 other cells too');
    await cardOn(page).getByText('11 of 12 rows fit.').waitFor();
    await press(page, 'Undo');
    await cardOn(page).getByText('9 of 12 rows fit.').waitFor();
    await press(page, 'Undo');
    await cell(page, 'k.A.').nth(2).waitFor();
    await press(page, 'Undo');
    await cell(page, 'Euro').waitFor();
    expect(await cardOn(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('take a replacement in a column, and are given back for a spreadsheet', async () => {
    const { page } = await open({ acceptDownloads: true });
    await atRows(page, fileOf(12, WRONG));
    const downloading = page.waitForEvent('download');
    await press(page, 'Download 4 rows');
    const text = readFileSync(await (await downloading).path(), 'utf8');
    expect(text.split('\r\n').slice(1, 3)).toEqual([
      '3,4,amount: Not a number,3,2026-01-20,k.A.,EUR',
      '5,6,amount: Not a number; currency: Text too long,5,2026-01-20,k.A.,Euro',
    ]);
    await press(page, 'Replace in a column');
    await cardOn(page).getByRole('combobox', { name: 'Column' }).selectOption({ label: 'amount' });
    await cardOn(page).getByRole('textbox', { name: 'Value', exact: true }).fill('k.A.');
    await cardOn(page).getByLabel('Replace with').fill('0');
    await expectNoAxeViolations(page);
    await press(page, 'Replace all');
    await cardOn(page).getByText('3 cells were changed.').first().waitFor();
    await press(page, 'Change the columns');
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await press(page, /^Check/);
    await cardOn(page).getByText('10 of 12 rows fit.').waitFor();
  });

  describe('that the service alone refuses', () => {
    it('come back to the same list with their cells', async () => {
      const { page } = await open();
      const refusal = {
        row: 2,
        line: 3,
        column: 'currency',
        source: 'currency',
        value: 'EUR',
        code: 'too_long',
        message: '',
      };
      const headers = { 'access-control-allow-origin': stage().site.origin };
      await page.addInitScript(() => {
        const { fetch } = globalThis;
        globalThis.fetch = async (input, init) => {
          const answer = await fetch(input, init);
          if (!/imports\/[0-9a-f-]{36}$/.test(String(input)) || Reflect.get(globalThis, 'accepts'))
            return answer;
          const status = await answer.json();
          if (status.status !== 'ready') return Response.json(status);
          return Response.json({ ...status, status: 'needs_correction' });
        };
      });
      await page.route(/\/errors\?/, (route) =>
        route.fulfill({ json: { errors: [refusal], total: 1, nextCursor: null }, headers }),
      );
      await page.goto(customer.publish());
      await choose(page, fileOf(5, {}));
      await press(page, /^Check/);
      await cardOn(page).getByText('4 of 5 rows fit.').waitFor();
      await page.evaluate(() => Reflect.set(globalThis, 'accepts', true));
      await press(page, 'currency: Text too long (1)');
      await cell(page, 'EUR').click();
      await page.keyboard.type('E');
      await page.keyboard.press('Enter');
      await press(page, 'Send 5 rows');
      await cardOn(page).getByText('5 rows are valid.').waitFor();
    });
  });

  it.each(WIDGET_LOOKS)('have nothing that axe finds: %s', async (_name, options, html) => {
    const { page } = await open(options);
    await atRows(page, fileOf(30, WRONG), html);
    await expectNoAxeViolations(page);
    await cell(page, 'Euro').click();
    await expectNoAxeViolations(page);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWide).toBe(false);
  });
});
