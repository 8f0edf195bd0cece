import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused, Keyboard } from '../../../testing/keyboard.ts';
import { scrolledSideways } from '../../../testing/sideways.ts';
import { HEADERS, testRows, validateFile } from './imports.fixture.ts';

const HEIGHT = 844;

const rowsHeading = (page: Page) => page.getByRole('heading', { name: 'Rows', exact: true });
const mappingHeading = (page: Page) => page.getByRole('heading', { name: 'Mapping', exact: true });
const top = async (page: Page, name: string) =>
  (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? Number.NaN;

describeInBrowser('an import that needs a correction', ({ open, seeds }) => {
  const openWrong = async (width: number) => {
    const workspace = await seeds().workspace();
    const rows = testRows(40, 10);
    rows[4] = ['us5', '1.0', '', ''];
    const { importId } = await validateFile(seeds(), workspace, { name: 'Events', headers: HEADERS, rows });
    const { page } = await open({ viewport: { width, height: HEIGHT } });
    const address = `/agent-workspaces/${workspace.workspaceId}/imports/${importId}`;
    await page.goto(address);
    await page.getByRole('heading', { name: '5 errors in 5 rows' }).waitFor();
    return { page, address };
  };

  it.each([320, 390])(
    'says in the first window of %i pixels what is wrong and how it is corrected',
    async (width) => {
      const { page } = await openWrong(width);
      const upload = await page.getByRole('link', { name: 'Upload a corrected file' }).boundingBox();
      expect((upload?.y ?? HEIGHT) + (upload?.height ?? 0)).toBeLessThan(HEIGHT);
      await page.getByRole('gridcell', { name: '4,6' }).first().waitFor();
      const places = [];
      for (const name of ['5 errors in 5 rows', 'Rows', 'Mapping', 'Approval', 'Danger'])
        places.push(await top(page, name));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      await expectNoAxeViolations(page);
    },
  );

  it.each([320, 390])(
    'shows its mapping, and its form, without sideways scrolling, %i pixels wide',
    async (width) => {
      const { page } = await openWrong(width);
      const mapping = page.getByRole('region', { name: 'Mapping table' });
      await mapping.getByRole('row', { name: /Mag.*magnitude.*4/ }).waitFor();
      expect(await scrolledSideways(page)).not.toContain('Mapping table');
      await page.getByRole('button', { name: 'edit the mapping' }).click();
      const form = page.getByRole('region', { name: 'Mapping form' });
      await form.getByLabel('place').selectOption('Comment');
      expect(await scrolledSideways(page)).not.toContain('Mapping form');
      expect(await scrolledSideways(page)).not.toContain('the page');
      await expectNoAxeViolations(page);
      await page.goBack();
      await form.waitFor({ state: 'detached' });
      await mapping.waitFor();
    },
  );

  it('leads from a group of errors to its rows, and from the errors to the mapping', async () => {
    const { page } = await openWrong(390);
    await page.getByRole('link', { name: 'place required 1' }).click();
    await page.getByRole('link', { name: 'Show every column and code' }).waitFor();
    await expect.poll(() => isFocused(rowsHeading(page))).toBe(true);
    expect(await top(page, 'Rows')).toBeLessThan(HEIGHT / 2);
    await page.goBack();
    await expect.poll(() => top(page, '5 errors in 5 rows')).toBeGreaterThan(0);
    const keyboard = new Keyboard(page);
    await page.getByRole('heading', { level: 1 }).focus();
    await keyboard.press(page.getByRole('button', { name: 'edit the mapping' }));
    await page.getByRole('region', { name: 'Mapping form' }).waitFor();
    await expect.poll(() => isFocused(mappingHeading(page))).toBe(true);
  });

  it('keeps the place on the page where the rows of a group are in sight', async () => {
    const { page } = await openWrong(1_280);
    await page.setViewportSize({ width: 1_280, height: 1_200 });
    const group = page.getByRole('link', { name: 'place required 1' });
    await group.click();
    await page.getByRole('link', { name: 'Show every column and code' }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await isFocused(group)).toBe(true);
  });
});
