import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused } from '../../../testing/keyboard.ts';
import { HEADERS, testRows, validateFile } from './imports.fixture.ts';

const MARKUP = '<img src=x onerror="document.title=1">';

const grid = (page: Page) => page.getByRole('grid', { name: 'Rows table' });
/** The number of the selected row. */
const selectedRow = (page: Page) => page.locator('tr[aria-selected="true"] td').first();

describeInBrowser('the imports of a workspace', ({ open, seeds }) => {
  it('have their filters also while there is none', async () => {
    const { workspaceId } = await seeds().workspace('no-imports-yet');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}/imports`);
    await page.getByText('Waiting for the first import').waitFor();
    await page.getByRole('group', { name: 'State' }).getByRole('link', { name: 'All 0' }).waitFor();
    await expectNoAxeViolations(page);
  });

  it('are listed with their states, narrowed by schema and state in the address', async () => {
    const workspace = await seeds().workspace();
    await validateFile(seeds(), workspace, { name: MARKUP, headers: HEADERS, rows: testRows(20, 5) });
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports`);
    await page.getByRole('cell', { name: 'Needs correction' }).waitFor();
    await page.getByRole('cell', { name: MARKUP }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: `${MARKUP}.csv` }).waitFor();
    const states = page.getByRole('group', { name: 'State' });
    expect(await states.getByRole('link').allTextContents()).toEqual(['All 1', 'Needs correction 1']);
    await states.getByRole('link', { name: 'Needs correction 1' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('needs_correction');
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports?state=ready`);
    await page.getByText('No imports match.').waitFor();
    await page.reload();
    await page.getByText('No imports match.').waitFor();
    await page.goBack();
    await page.getByRole('cell', { name: 'Needs correction' }).waitFor();
  });

  it('keep their filters, and show what is known, while a narrower list is read', async () => {
    const workspace = await seeds().workspace();
    for (const name of ['First', 'Second']) {
      await validateFile(seeds(), workspace, { name, headers: HEADERS, rows: testRows(20, 5) });
    }
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports`);
    await page.getByRole('link', { name: 'Second.csv' }).waitFor();
    await page.route(/\/imports\?/, () => new Promise(() => undefined));
    await page.getByRole('link', { name: 'Needs correction 2' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('needs_correction');
    await page.getByRole('link', { name: 'Second.csv' }).waitFor();
    const schema = page.getByLabel('Schema');
    await schema.focus();
    await schema.selectOption('First');
    await expect.poll(() => new URL(page.url()).searchParams.has('schema')).toBe(true);
    await page.getByRole('link', { name: 'Second.csv' }).waitFor({ state: 'detached' });
    expect(await isFocused(schema)).toBe(true);
  });

  it('show their wrong rows by group, explain the selected one, and are moved through by keyboard', async () => {
    const workspace = await seeds().workspace();
    const rows = testRows(300, 30);
    rows[59] = ['', '4,6', 'Two faults', ''];
    const { importId } = await validateFile(seeds(), workspace, { name: 'Events', headers: HEADERS, rows });
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByRole('heading', { name: '11 errors in 10 rows' }).waitFor();
    await page.getByRole('link', { name: 'magnitude not a decimal 10' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('code')).toBe('not_decimal');
    await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('11');
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await selectedRow(page).textContent()).toBe('60');
    const detail = page.locator('tr.detail');
    await detail.getByText('Required.').waitFor();
    await detail.getByText('Not a decimal.').waitFor();
    expect(await page.locator('td.current').textContent()).toContain('4,6');
    await page.getByRole('gridcell', { name: 'magnitude: not a decimal, 1 more' }).waitFor();
    await page.keyboard.press('n');
    expect(await page.locator('td.current').textContent()).toContain('empty, required');
    await page.keyboard.press('n');
    expect(await selectedRow(page).textContent()).toBe('90');
    await expectNoAxeViolations(page);
    await expect.poll(() => new URL(page.url()).searchParams.get('row')).toBe('90');
    await page.reload();
    await expect.poll(() => selectedRow(page).textContent()).toBe('90');
  });

  it('bring the wrong cell into view, and its column beside the number of the row', async () => {
    const workspace = await seeds().workspace();
    const rows = testRows(20);
    rows[9] = ['us10', '1.0', '', ''];
    const { importId } = await validateFile(seeds(), workspace, { name: 'Events', headers: HEADERS, rows });
    const { page } = await open({ viewport: { width: 320, height: 800 } });
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=all`);
    const first = page.locator('tr[data-index="0"]').getByRole('gridcell');
    await expect.poll(() => first.allTextContents()).toEqual(['1', 'us1', '1', 'Place 1', '']);
    await grid(page).focus();
    await page.keyboard.press('n');
    await page.locator('td.current', { hasText: 'empty, required' }).waitFor();
    await expect.poll(() => page.locator('td.current').evaluate(isWhollyShown)).toBe(true);
    await page.getByRole('link', { name: 'Invalid 1' }).click();
    const [wrong, reason] = [['10', 'empty, required'], 'place: required'];
    await expect.poll(() => first.allTextContents()).toEqual([...wrong, 'us10', reason]);
    await page.getByRole('button', { name: 'Columns 3 of 3' }).click();
    await page.getByLabel('event').uncheck();
    await expect.poll(() => first.allTextContents()).toEqual([...wrong, '1.0', reason]);
    await page.reload();
    await page.getByRole('button', { name: 'Columns 2 of 3' }).click();
    // The bar at the top lies over what is scrolled under it.
    await page.evaluate(() => scrollTo(0, 0));
    await expectNoAxeViolations(page);
  });

  it.each([320, 390])(
    'are listed with their state and what comes next in a window of %i pixels',
    async (width) => {
      const workspace = await seeds().workspace();
      const rows = testRows(20);
      rows[9] = ['us10', '1.0', '', ''];
      await validateFile(seeds(), workspace, { name: 'Wrong events', headers: HEADERS, rows });
      await validateFile(seeds(), workspace, { name: 'Right events', headers: HEADERS, rows: testRows(20) });
      const { page } = await open({ viewport: { width, height: 800 } });
      await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports`);
      const table = page.getByRole('region', { name: 'Imports table' });
      await table.getByRole('row').filter({ hasText: 'Correct 1 row of 20' }).waitFor();
      await table.getByRole('row').filter({ hasText: 'Approve 20 rows' }).waitFor();
      expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      await expectNoAxeViolations(page);
    },
  );

  it('find a row by its number and a value by its text, which no address names', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(700, 400) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByLabel('Find in rows').fill('650');
    await page.keyboard.press('Enter');
    await expect.poll(() => selectedRow(page).textContent()).toBe('650');
    await page.getByLabel('Find in rows').fill('place 69');
    await page.keyboard.press('Enter');
    await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('12');
    expect(await page.locator('tr[data-index="0"]').textContent()).toContain('Place 69');
    expect([...addresses, page.url()].filter((each) => /place|Place/.test(each))).toEqual([]);
    await page.getByLabel('Find in rows').fill('');
    await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('701');
    await grid(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Escape');
    // From the top of the page, which a low window shows without its rows.
    await page.setViewportSize({ width: 1_280, height: 500 });
    await page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
      scrollTo(0, 0);
    });
    await page.keyboard.press('n');
    await expect.poll(() => selectedRow(page).textContent()).toBe('400');
    await expect.poll(() => page.locator('.why').evaluate(isInWindow)).toBe(true);
  });

  it('show markup, formulas, controls and bidi characters of every value as text', async () => {
    const workspace = await seeds().workspace();
    const long = `${'x'.repeat(16_000)}end`;
    const { importId } = await validateFile(seeds(), workspace, {
      name: `Events ${MARKUP} \u202E`,
      headers: [MARKUP, '=1+1', '\u202Eevil', '<b>Comment</b>'],
      rows: [
        [MARKUP, '4,6', '\u202Eecalp\u202C \u0007 bell', ''],
        ['=HYPERLINK("x")', '1.5', long, ''],
        ['مرحبا', '1.5', 'a\nb', '</td>'],
      ],
    });
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=all`);
    await page.getByRole('gridcell', { name: MARKUP }).waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    for (const shown of [
      '‹U+202E›ecalp‹U+202C› ‹U+0007› bell',
      '=HYPERLINK("x")',
      'a‹LF›b',
      '‹U+202E›evil',
    ]) {
      expect(text).toContain(shown);
    }
    for (const hidden of ['\u202C', '\u202E', '\u0007']) expect(text).not.toContain(hidden);
    expect(await page.locator('main img, main b:has-text("Comment")').count()).toBe(0);
    expect(await page.title()).toBe(`Events ${MARKUP} ‹U+202E›.csv · svc`);
    expect(text).not.toContain('xend');
    await page.getByRole('gridcell', { name: '=HYPERLINK' }).click();
    await page.getByRole('button', { name: 'Read all 16,003 characters' }).click();
    const dialog = page.getByRole('dialog', { name: 'place, row 2' });
    expect(await dialog.textContent()).toContain('xend');
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit mapping' }).click();
    await expectNoAxeViolations(page);
    expect(await page.locator('main img').count()).toBe(0);
  });
});

/** Runs in the page. True if the window shows the whole height of an element. */
function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/** Runs in the page. True if the scroller of a cell shows its whole width, beside the reason. */
function isWhollyShown(cell: Element): boolean {
  const window = cell.closest('.rows.window');
  const reason = window?.querySelector('.why-col');
  if (!window || !reason) return false;
  const { left, right } = cell.getBoundingClientRect();
  return left >= window.getBoundingClientRect().left && right <= reason.getBoundingClientRect().left;
}
