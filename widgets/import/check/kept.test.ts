import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { cardOn, choose, ImportCustomer, mounting, stepOf } from '../import-customer.fixture.ts';

const FIELDS = [
  { key: 'day', type: 'date', required: true },
  { key: 'amount', type: 'decimal', required: false },
];

const FILE = ['day,amount', '01/02/2026,1.50', '03/04/2026,2a', '05/06/2026,3.50', ''].join('\n');

/** All that the browser keeps for the page: its characters, as far as they are text. */
const KEPT = `(async () => {
  const all = JSON.stringify({ ...sessionStorage, ...localStorage });
  const names = (await indexedDB.databases()).map(({ name }) => name);
  if (!names.includes('svcimport')) return { entries: 0, text: all };
  const open = indexedDB.open('svcimport', 1);
  await new Promise((resolve) => { open.onsuccess = resolve; });
  const reading = open.result.transaction('kept').objectStore('kept').getAll();
  await new Promise((resolve) => { reading.onsuccess = resolve; });
  open.result.close();
  const bytes = reading.result.flat().map(({ bytes }) => new TextDecoder('latin1').decode(bytes));
  return { entries: reading.result.length, text: all + bytes.join('') };
})()`;

interface Kept {
  readonly entries: number;
  readonly text: string;
}

describeWidget('a file that was not sent', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage(), FIELDS);
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();
  const written = (page: Page, column: string) => cardOn(page).getByLabel(`Written as, ${column}`);
  const kept = (page: Page): Promise<Kept> => page.evaluate(KEPT);
  const mount = (more: string) =>
    mounting({
      script: `fetch('/api/import-session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
        .then((answer) => answer.json())
        .then((session) => SvcImport.mount({ ...session, host: document.getElementById('here')${more} }));`,
    });

  it('survives a reload with all that was done, unreadable, and is gone at the end', async () => {
    const { page } = await open();
    await page.goto(customer.publish());
    await choose(page, FILE);
    await written(page, 'day').selectOption({ label: 'Day, month, year' });
    await written(page, 'amount').selectOption({ label: '1,234.56' });
    await press(page, 'Check 3 rows');
    const grid = cardOn(page).getByRole('grid', { name: 'Rows to correct' });
    await grid.getByRole('gridcell', { name: '2a' }).click();
    await page.keyboard.type('2.25');
    await page.keyboard.press('Enter');
    await cardOn(page).getByText('3 of 3 rows fit.').waitFor();
    await expect.poll(async () => (await kept(page)).entries).toBe(2);
    expect((await kept(page)).text).not.toMatch(/\d\/2026|amount/);
    await page.reload();
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await expect
      .poll(() => written(page, 'day').locator('option:checked').textContent())
      .toBe('Day, month, year');
    await press(page, 'Check 3 rows');
    await cardOn(page).getByText('3 of 3 rows fit.').waitFor();
    await press(page, '1 row corrected here');
    await grid.getByRole('gridcell', { name: '2.25' }).waitFor();
    await press(page, 'Send 3 rows');
    await press(page, /^Approve/);
    await cardOn(page).getByText('3 rows are approved').waitFor();
    await expect.poll(async () => await kept(page)).toEqual({ entries: 0, text: '{}' });
  });

  it('is read by no other tab, and gone where the page wants none', async () => {
    const { page, context } = await open();
    const address = customer.publish();
    await page.goto(address);
    await choose(page, FILE);
    await expect.poll(async () => (await kept(page)).entries).toBe(2);
    const other = await context.newPage();
    await other.goto(address);
    await cardOn(other).getByText('Drop a CSV file').waitFor();
    await page.goto(customer.publish(mount(', keepFile: false')));
    await cardOn(page).getByText('Drop a CSV file').waitFor();
    await choose(page, FILE);
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await page.reload();
    await cardOn(page).getByText('Drop a CSV file').waitFor();
  });
});
