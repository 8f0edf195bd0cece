import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { WIDGET_LOOKS } from '../../testing/hosts/widget-looks.ts';
import { expectNoAxeViolations } from '../../testing/in-browser.ts';
import { cardOn, choose, ImportCustomer, mounting, stepOf } from '../import-customer.fixture.ts';

const FIELDS = [
  {
    key: 'day',
    type: 'date',
    required: true,
    label: 'Booking date',
    aliases: ['Buchungstag', 'Trade date', 'Date'],
  },
  {
    key: 'settled',
    type: 'date',
    required: false,
    format: 'MM/DD/YYYY',
    aliases: ['Settle date', 'Created at'],
  },
  { key: 'amount', type: 'decimal', required: false, scale: 2, aliases: ['Betrag', 'Total'] },
  { key: 'balance', type: 'decimal', required: false, aliases: ['Kontostand'] },
  { key: 'quantity', type: 'integer', required: false },
  { key: 'active', type: 'boolean', required: false, aliases: ['Aktiv', 'Accepts Marketing'] },
  { key: 'note', type: 'text', required: false, maxLength: 8, aliases: ['Description', 'Name'] },
];

/** As a bank of the United States writes it. */
const US_BANK = [
  'Date,Description,Amount,Balance',
  '"12/31/2025","TRANSFER","-$7,971.39","$2,100.00"',
  '"12/30/2025","DEPOSIT","$6,000.36","$10,071.39"',
  '"12/29/2025","DEPOSIT","$256.00","$4,071.03"',
  '',
].join('\n');

/** As a bank of Germany writes it, with a word for nothing. */
const GERMAN = [
  'Buchungstag;Betrag;Kontostand;Aktiv',
  '31.12.2025;1.234,56;2.000,00;ja',
  '5.1.2026;-12,00;k.A.;nein',
  '6.1.2026;8,50;1.996,50;ja',
  '',
].join('\n');

/** As a shop writes its orders. */
const ORDERS = [
  'Name,Booking date,Created at,Total,Accepts Marketing,Quantity',
  '#1001,2026-05-13,2026-05-13 11:01:13 +0200,699.00,yes,1',
  '#1002,2026-05-14,2026-05-14 09:30:00 +0200,"1,259.00",no,2',
  '',
].join('\n');

/** Days that are below 13, so that both orders fit. */
const BELOW_13 = ['Trade date,Amount', '01/02/2026,2.50', '02/03/2026,4.50', ''].join('\n');

describeWidget('how the columns of a file are written', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage(), FIELDS);
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();
  const written = (page: Page, column: string) => cardOn(page).getByLabel(`Written as, ${column}`);
  const row = (page: Page, column: string) =>
    cardOn(page).getByRole('row', { name: new RegExp(`^${column}`) });
  const check = (page: Page) => cardOn(page).getByRole('button', { name: /^Check/ });

  async function atColumns(page: Page, content: string, html = ''): Promise<void> {
    await page.goto(customer.publish(mounting({ html, style: 'html { color-scheme: light dark }' })));
    stage().ingest.forget();
    await choose(page, content);
    await expect
      .poll(
        async () =>
          (await stepOf(page)) === 'Columns' ||
          (await page.getByRole('button', { name: 'Use the corrected file' }).count()) > 0,
      )
      .toBe(true);
    if ((await stepOf(page)) !== 'Columns') await press(page, 'Use the corrected file');
    await expect.poll(() => stepOf(page)).toBe('Columns');
  }

  /** The rows as the person looks at them before the approval. */
  async function rowsOf(page: Page): Promise<string[]> {
    await press(page, 'Look at the rows');
    const table = cardOn(page).getByRole('region', { name: 'Rows' });
    await table.waitFor();
    const all = await table.getByRole('row').all();
    const texts = await Promise.all(
      all.map(async (each) => (await each.getByRole('cell').allTextContents()).join('|')),
    );
    return texts.slice(1);
  }

  it('is ready chosen where one reading alone fits, and is sent once with what was changed', async () => {
    const { page } = await open();
    const reserving = page.waitForRequest((request) => /browser\/imports$/.test(request.url()));
    await atColumns(page, US_BANK);
    await row(page, 'Date').getByText('2025-12-31, 2025-12-30, 2025-12-29').waitFor();
    await row(page, 'Amount').getByText('-7971.39, 6000.36, 256.00').waitFor();
    await row(page, 'Amount').getByText('3 of 3 fit').waitFor();
    await expectNoAxeViolations(page);
    expect(stage().ingest.passed(/imports$|uploads/)).toEqual([]);
    await press(page, 'Check 3 rows');
    await cardOn(page).getByText('3 rows are valid.').waitFor();
    expect((await reserving).postDataJSON().changes).toEqual([
      { kind: 'dates', column: 'day', cells: 3 },
      { kind: 'numbers', column: 'amount', cells: 3 },
      { kind: 'numbers', column: 'balance', cells: 3 },
    ]);
    expect(stage().ingest.passed(/imports$/)).toHaveLength(1);
    expect(stage().ingest.passed(/uploads/)).toHaveLength(1);
    expect(await rowsOf(page)).toEqual([
      '1|2025-12-31||-7971.39|2100.00|||TRANSFER',
      '2|2025-12-30||6000.36|10071.39|||DEPOSIT',
      '3|2025-12-29||256.00|4071.03|||DEPOSIT',
    ]);
    await press(page, /^Approve/);
    await cardOn(page).getByText('3 rows are approved').waitFor();
  });

  it('lets the person tick each word for nothing', async () => {
    const { page } = await open();
    await atColumns(page, GERMAN);
    await row(page, 'Kontostand').getByText('2000.00?').waitFor();
    await cardOn(page).getByRole('checkbox', { name: '“k.A.” is empty' }).check();
    await row(page, 'Kontostand').getByText('2 of 2 fit').waitFor();
    await expectNoAxeViolations(page);
    await press(page, 'Check 3 rows');
    await cardOn(page).getByText('3 rows are valid.').waitFor();
    expect(await rowsOf(page)).toEqual([
      '1|2025-12-31||1234.56|2000.00||true|',
      '2|2026-01-05||-12.00|||false|',
      '3|2026-01-06||8.50|1996.50||true|',
    ]);
  });

  it('asks where a reading loses something, and where both orders of a date fit', async () => {
    const { page } = await open();
    await atColumns(page, ORDERS);
    await cardOn(page).getByText('Choose how this column is written: Created at').waitFor();
    expect(await check(page).isDisabled()).toBe(true);
    await row(page, 'Created at').getByText('The time is left out.').waitFor();
    await written(page, 'Created at').selectOption({ label: 'Year, month, day; without the time' });
    await row(page, 'Created at').getByText('05/13/2026, 05/14/2026').waitFor();
    await row(page, 'Created at').getByText('May 13, 2026').waitFor();
    await press(page, 'Check 2 rows');
    await cardOn(page).getByText('2 rows are valid.').waitFor();
    expect(await rowsOf(page)).toEqual([
      '1|2026-05-13|2026-05-13|699.00||1|true|#1001',
      '2|2026-05-14|2026-05-14|1259.00||2|false|#1002',
    ]);
  });

  it('takes a choice by keyboard, and keeps it on the way back from the check', async () => {
    const { page } = await open();
    await atColumns(page, BELOW_13);
    await row(page, 'Trade date').getByText('February 1, 2026 or January 2, 2026?').waitFor();
    await expectNoAxeViolations(page);
    expect(await check(page).isDisabled()).toBe(true);
    await written(page, 'Trade date').focus();
    await page.keyboard.press('ArrowDown');
    await row(page, 'Trade date').getByText('2026-02-01').waitFor();
    await written(page, 'Trade date').evaluate((select) => {
      const { activeElement } = select.getRootNode() as ShadowRoot;
      if (activeElement !== select) throw new Error('the select has lost the focus');
    });
    await press(page, 'Check 2 rows');
    await cardOn(page).getByText('2 rows are valid.').waitFor();
    expect(await rowsOf(page)).toEqual(['1|2026-02-01||2.50||||', '2|2026-03-02||4.50||||']);
  });

  describe('without the parts that know values', () => {
    it('is left to the service', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 404|Failed to load/);
      await page.route(/\/downloads\/svcimport-check-/, (route) => route.fulfill({ status: 404, body: '' }));
      await atColumns(page, BELOW_13);
      expect(stage().ingest.passed(/uploads/)).toHaveLength(1);
      expect(await written(page, 'Trade date').count()).toBe(0);
    });
  });

  it.each(WIDGET_LOOKS)('has nothing that axe finds: %s', async (_name, options, html) => {
    const { page } = await open(options);
    await atColumns(page, GERMAN, html);
    await row(page, 'Kontostand').getByText('2000.00?').waitFor();
    await expectNoAxeViolations(page);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWide).toBe(false);
  });
});
