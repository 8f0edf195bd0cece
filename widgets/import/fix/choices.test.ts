import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../../testing/hosts/describe-widget.ts';
import { expectNoAxeViolations } from '../../testing/in-browser.ts';
import { cardOn, choose, HEADER, ImportCustomer, mounting } from '../import-customer.fixture.ts';
import { holdNextTasks, holdTasks, releaseTasks } from './hold-tasks.fixture.ts';

describeWidget('the choices about a file in the import widget', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  const box = (page: Page, name: string | RegExp) => cardOn(page).getByRole('checkbox', { name });
  const rowsAfter = (page: Page) =>
    cardOn(page).getByRole('region', { name: 'As it is read' }).getByRole('row').allTextContents();

  /** Opens a page and chooses a file that the person wants to see. */
  async function openedWith(page: Page, content: string, host = mounting()): Promise<void> {
    await page.goto(customer.publish(host));
    await box(page, 'Show the file before it is sent').check();
    await choose(page, content);
    await cardOn(page).getByRole('region', { name: 'In the file' }).waitFor();
  }

  it('keeps every choice about single lines, also two before the next look and those that are not listed', async () => {
    const { page } = await open();
    await page.addInitScript(holdTasks);
    const rows = ['us1,2026-08-01,4.6,Chile', 'us2,2026-08-01,4.6,Peru', HEADER];
    await openedWith(page, `${HEADER}\n${`${rows.join('\n')}\n`.repeat(149)}`);
    await cardOn(page).getByText('The first 100 of 149 rows are listed.').waitFor();
    await cardOn(page).locator('[name=notes-make]').click();
    await cardOn(page).getByText('Rows: 298').waitFor();
    await holdNextTasks(page);
    await box(page, /^4: /).uncheck();
    await box(page, /^7: /).uncheck();
    await releaseTasks(page);
    await cardOn(page).getByText('Rows: 300').waitFor();
    expect(await box(page, /^4: /).isChecked()).toBe(false);
    expect(await box(page, /^7: /).isChecked()).toBe(false);
    expect(await cardOn(page).getByRole('checkbox', { checked: true }).count()).toBe(98);
    const lines = cardOn(page).getByLabel('Lines to drop');
    await lines.fill('2-3, 448');
    await page.keyboard.press('Enter');
    await cardOn(page).getByText('Rows: 298').waitFor();
    expect(await lines.inputValue()).toBe('2-3, 448');
    await expectNoAxeViolations(page);
  });

  it('reads a file with the separator that the person chooses', async () => {
    const { page } = await open();
    await openedWith(page, 'name,lat;lon\nAda,1;2\nBob,3;4\n');
    await cardOn(page).getByRole('combobox', { name: 'Separator' }).selectOption('a semicolon');
    await expect.poll(() => rowsAfter(page)).toEqual(['1name,latlon', '2Ada,12', '3Bob,34']);
    await box(page, 'Write commas between fields').click();
    await expect.poll(() => rowsAfter(page)).toEqual(['1namelat;lon', '2Ada1;2', '3Bob3;4']);
    const other = cardOn(page).getByLabel('Another separator');
    await other.fill('a');
    await page.keyboard.press('Enter');
    const refusal = () => other.evaluate((field: HTMLInputElement) => field.validationMessage);
    expect(await refusal()).toBe('A letter, a digit or a quote cannot separate fields.');
    await other.fill(' ');
    await page.keyboard.press('Enter');
    await cardOn(page).getByText('Read as UTF-8 with ␣ between fields').waitFor();
  });

  it('imports the table that the person chooses from a file of several', async () => {
    const { page } = await open();
    await openedWith(page, 'id,name,amount\n1,Ada,2\n2,Bob,3\n\nday,count\n2026-03-01,4\n2026-03-02,5\n');
    const part = cardOn(page).getByRole('combobox', { name: 'Part' });
    expect(await part.getAttribute('translate')).toBe('no');
    await part.selectOption('5–7: day, count');
    await expect.poll(() => rowsAfter(page)).toEqual(['5daycount', '62026-03-014', '72026-03-025']);
    await cardOn(page).locator('[name=tables-keep]').click();
    await expect.poll(() => rowsAfter(page)).toContain('1idnameamount');
  });

  it('sends no corrected file that is larger than the plan allows, and takes another one', async () => {
    const { page } = await open();
    const file = `${HEADER.replaceAll(',', ';')}\n${'us1;2026-08-01;4,6;Chile, north\n'.repeat(100)}`;
    const { script } = mounting();
    const smaller = { script: script?.replace('...session,', `...session, maxBytes: ${file.length},`) ?? '' };
    stage().ingest.forget();
    await openedWith(page, file, mounting(smaller));
    const refusal = cardOn(page).getByRole('status').filter({ hasText: 'The service refuses this file.' });
    await expect
      .poll(() => refusal.textContent())
      .toMatch(/events\.csv is 3\.\d KiB\. At most 3\.\d KiB are allowed\./);
    expect(await cardOn(page).getByRole('button', { name: 'Use the corrected file' }).isDisabled()).toBe(
      true,
    );
    expect(stage().ingest.passed(/browser\/imports$/)).toEqual([]);
    await cardOn(page).getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, `${HEADER}\nus1,2026-08-01,4.6,Chile\n`);
    await cardOn(page).getByLabel('Goes to, Mag').waitFor();
  });
});
