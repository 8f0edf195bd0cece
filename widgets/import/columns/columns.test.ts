import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { expectNoAxeViolations } from '../../testing/in-browser.ts';
import { cardOn, choose, ImportCustomer, stepOf } from '../import-customer.fixture.ts';

const FIELDS = [
  { key: 'email', type: 'text', required: true, maxLength: 80 },
  {
    key: 'booked',
    type: 'date',
    required: true,
    format: 'DD.MM.YYYY',
    label: 'Booking date',
    description: 'The day on which the bank booked it.',
    aliases: ['Buchungstag', '記帳日'],
    example: '31.01.2026',
  },
  { key: 'total', type: 'decimal', required: false, precision: 10, scale: 2 },
  { key: 'amount', type: 'decimal', required: false },
  { key: 'open', type: 'boolean', required: false },
];

/** As a bank has it: a title above the header, and semicolons. */
const STATEMENT = [
  'Statement of November',
  'E-mail Address;Buchungstag;Total Amount;Open',
  'ada@example.com;05.11.2026;12.50;true',
  'bob@example.com;06.11.2026;7;false',
  'eve@example.com;2026-11-07;8;false',
  '',
].join('\n');

describeWidget('the Columns step of the import widget', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage(), FIELDS);
    customer.delegates = true;
  });

  const select = (page: Page, column: string) => cardOn(page).getByLabel(`Goes to, ${column}`);
  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();

  async function atColumns(page: Page, content: string): Promise<void> {
    await page.goto(customer.publish());
    await choose(page, content);
    await press(page, 'Leave out');
    await press(page, 'Use the corrected file');
    await expect.poll(() => stepOf(page)).toBe('Columns');
  }

  it('suggests fields by their names in any language, and asks where two fit', async () => {
    const { page } = await open();
    await atColumns(page, STATEMENT);
    expect(await select(page, 'E-mail Address').inputValue()).toBe('email');
    expect(await select(page, 'Buchungstag').inputValue()).toBe('booked');
    expect(await select(page, 'Total Amount').inputValue()).toBe('');
    expect(await select(page, 'Open').inputValue()).toBe('open');
  });

  it('shows the label, the type, the rules and the description of a chosen field', async () => {
    const { page } = await open();
    await atColumns(page, STATEMENT);
    const booked = select(page, 'Buchungstag');
    expect(await booked.locator('option:checked').textContent()).toBe('Booking date, required');
    const row = cardOn(page).getByRole('row', { name: /^Buchungstag/ });
    await row.getByText('Date as DD.MM.YYYY, required, for example 31.01.2026').waitFor();
    await row.getByText('The day on which the bank booked it.').waitFor();
    const described = await booked.evaluate(
      (element) =>
        (element.getRootNode() as ShadowRoot).getElementById(element.getAttribute('aria-describedby') ?? '')
          ?.textContent,
    );
    expect(described).toContain('Date as DD.MM.YYYY');
    await select(page, 'Total Amount').selectOption('total');
    await cardOn(page).getByText('Number, at most 10 digits, at most 2 decimal places').waitFor();
    await booked.selectOption('');
    await row.getByText('Date as').waitFor({ state: 'detached' });
    await cardOn(page).getByText('Choose a column for: Booking date').waitFor();
    await expectNoAxeViolations(page);
  });

  it('sends the changes with the file, and shows them before the approval', async () => {
    const { page } = await open();
    const reserving = page.waitForRequest((request) => /browser\/imports$/.test(request.url()));
    await atColumns(page, STATEMENT.replace('2026-11-07', '17.11.2026'));
    await press(page, /^Check/);
    expect((await reserving).postDataJSON().changes).toEqual([
      { kind: 'separator' },
      { kind: 'titles', lines: 1 },
    ]);
    await cardOn(page).getByText('3 rows are valid.').waitFor();
    const changes = cardOn(page).getByRole('list').filter({ hasText: 'Commas' });
    expect(await changes.getByRole('listitem').allTextContents()).toEqual([
      'Commas were written between fields',
      'Lines above the header were removed (1 line)',
    ]);
    await expectNoAxeViolations(page);
    await press(page, /^Approve/);
    await cardOn(page).getByText('3 rows are approved').waitFor();
  });

  describe('without the module that knows fields', () => {
    it('lets the person choose each field by its name', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 404|Failed to load/);
      await page.route(/\/downloads\/svcimport-columns-/, (route) =>
        route.fulfill({ status: 404, body: '' }),
      );
      await atColumns(page, STATEMENT.replace('2026-11-07', '17.11.2026'));
      expect(await select(page, 'Buchungstag').inputValue()).toBe('');
      await select(page, 'Buchungstag').selectOption({ label: 'Booking date, required' });
      await select(page, 'E-mail Address').selectOption('email');
      await press(page, /^Check/);
      await press(page, /^Approve/);
      await cardOn(page).getByText('3 rows are approved').waitFor();
    });
  });
});
