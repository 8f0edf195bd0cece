import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { expectNoAxeViolations } from '../testing/in-browser.ts';
import { cardOn, choose, HEADER, ImportCustomer, mounting, stepOf } from './import-customer.fixture.ts';

/** Values without a letter, with one behind, and with one before what turns. */
const VALUES = ['4;60', '-118.66x', '(1.5)-'];
const FILE = `${HEADER}\n${VALUES.map((value, row) => `us${row},2026-08-01,${value},"Banda Sea"`).join('\n')}\n`;

/** Returns the characters of each text that has one of the values, from left to right as they are drawn. */
const DRAWN = `(() => {
  const walker = document.createTreeWalker(document.querySelector('svc-widget').shadowRoot, NodeFilter.SHOW_TEXT);
  const drawn = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!${JSON.stringify(VALUES)}.includes(text.data)) continue;
    const at = (offset) => {
      const range = document.createRange();
      range.setStart(text, offset);
      range.setEnd(text, offset + 1);
      return range.getBoundingClientRect().left;
    };
    drawn.push([...text.data].map((character, offset) => [at(offset), character]).sort(([a], [b]) => a - b).map(([, character]) => character).join(''));
  }
  return drawn;
})()`;

describeWidget('values of a file on a page from right to left', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  const opened = async (style = ''): Promise<Page> => {
    const { page } = await open({ viewport: { width: 1_000, height: 900 } });
    await page.goto(customer.publish(mounting({ html: 'dir="rtl"', style })));
    return page;
  };

  it('are drawn as they are in samples, errors and rows', async () => {
    const page = await opened();
    await choose(page, FILE);
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await page.evaluate(DRAWN)).toEqual(VALUES);
    const samples = await cardOn(page).locator('th small').nth(2).locator('bdi').allTextContents();
    expect(samples).toEqual(VALUES);
    await cardOn(page).locator('select').nth(2).selectOption('magnitude');
    await cardOn(page)
      .getByRole('button', { name: /^Check/ })
      .click();
    await cardOn(page).getByText('3 of 3 rows cannot be read.').waitFor();
    expect(await page.evaluate(DRAWN)).toEqual(VALUES);
    await cardOn(page).getByRole('button', { name: 'Look at the rows' }).click();
    await cardOn(page).getByRole('region', { name: 'Rows', exact: true }).waitFor();
    expect(await page.evaluate(DRAWN)).toEqual([...VALUES, ...VALUES]);
    await expectNoAxeViolations(page);
  });

  it('are drawn as they are where a file is corrected', async () => {
    const page = await opened();
    await cardOn(page).getByLabel('Show the file before it is sent').check();
    await choose(page, FILE);
    await cardOn(page).getByText('events.csv needs no change').waitFor();
    expect(await page.evaluate(DRAWN)).toEqual(VALUES);
  });

  it('are in the kinds of files that pickers of phones offer', async () => {
    const page = await opened();
    const input = page.locator('#here input[type=file]');
    await input.waitFor({ state: 'attached' });
    const kinds = (await input.getAttribute('accept'))?.split(',');
    expect(kinds).toEqual(
      expect.arrayContaining([
        'text/comma-separated-values',
        'application/vnd.ms-excel',
        '.txt',
        '.tsv',
        'text/plain',
      ]),
    );
  });
});
