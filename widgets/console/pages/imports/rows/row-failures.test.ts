import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../../testing/in-browser.ts';
import { HEADERS, testRows, validateFile } from '../imports.fixture.ts';

const ROWS = '**/imports/*/rows?*';

describeInBrowser('rows of an import that cannot be read', ({ open, seeds }) => {
  it.each([
    ['all', 'Place 1'],
    ['invalid', 'Place 7'],
  ])('leave no shape of %s rows below the error, and come on request', async (shown, first) => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(40, 7) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    await page.route(ROWS, (route) => route.abort());
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=${shown}`);
    await page.getByText('The rows could not be read').waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    expect(await page.getByText('Rows already loaded are still shown').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.unroute(ROWS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('gridcell', { name: first, exact: true }).waitFor();
  });

  it('stay readable where they were loaded, and say which are not', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(400) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=all`);
    await page.getByRole('gridcell', { name: 'Place 1', exact: true }).waitFor();
    await page.route(ROWS, (route) => route.abort());
    const grid = page.getByRole('grid', { name: 'Rows table' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByText('Rows already loaded are still shown').waitFor();
    await page.getByText('Place 400 is not loaded').waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    await expectNoAxeViolations(page);
    await page.unroute(ROWS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('gridcell', { name: 'Place 400', exact: true }).waitFor();
  });
});
