import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../../testing/in-browser.ts';
import { PASSWORD } from '../../../../testing/seeds.ts';
import { newSchema } from '../imports.fixture.ts';

/** As a spreadsheet of another country saves it: in its encoding, with semicolons. */
const SPREADSHEET = {
  name: 'beben.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('Event;Magnitude;Place\r\nus1;4.6;K\u00f6ln\r\nus2;5.1;M\u00fcnchen\r\n', 'latin1'),
};

const card = (page: Page) => page.locator('.import-steps');
const step = (page: Page) => card(page).locator('[aria-current="step"]').textContent();
const press = (page: Page, name: string) => card(page).getByRole('button', { name }).click();
/** The file that the page asks for when a key is pressed. */
async function chooseByKey(page: Page): Promise<void> {
  await card(page).locator('input[type="file"]').focus();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
  await chooser.setFiles(SPREADSHEET);
}

describeInBrowser('the upload of a file', ({ open, seeds }) => {
  it('leads from the empty list over the corrected file to the review of its rows', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events');
    const imports = `/agent-workspaces/${workspace.workspaceId}/imports`;
    const { page } = await open();
    await page.goto(imports);
    await page.getByText('No import yet').waitFor();
    await page.getByRole('link', { name: 'Upload a file' }).click();
    await card(page).getByText('UTF-8, at most 1 MiB and 1,000 rows').waitFor();
    await expectNoAxeViolations(page);
    await chooseByKey(page);
    await card(page).getByRole('checkbox', { name: 'Write it as UTF-8', exact: false }).waitFor();
    await expectNoAxeViolations(page);
    await card(page).getByRole('button', { name: 'Upload the corrected file' }).dblclick();
    await expect.poll(() => step(page)).toBe('Columns');
    await expectNoAxeViolations(page);
    await press(page, 'Check 2 rows');
    await page.getByRole('heading', { name: 'beben.csv' }).waitFor();
    await page.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${imports}/[0-9a-f-]{36}$`));
    await page.getByText('Uploaded by a person').waitFor();
    await page.getByRole('gridcell', { name: 'M\u00fcnchen' }).waitFor();
    await page.goBack();
    await card(page).getByText('Drop a CSV file').waitFor();
    await page.goto(imports);
    await page.getByRole('group', { name: 'State' }).getByRole('link', { name: 'Ready 1' }).waitFor();
    expect(await seeds().auditedActions()).toEqual(expect.arrayContaining(['imports.reserve-import']));
  });

  it('leaves a file that is not mapped yet in the list, to be continued there', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'First');
    const { schemaId } = await newSchema(workspace, 'Second');
    const imports = `/agent-workspaces/${workspace.workspaceId}/imports`;
    const { page } = await open();
    await page.goto(`${imports}/upload?schema=${schemaId}`);
    await page.getByRole('heading', { name: 'Import into Second' }).waitFor();
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await press(page, 'Upload the corrected file');
    await expect.poll(() => step(page)).toBe('Columns');
    await page.goto(imports);
    await page.getByRole('link', { name: 'beben.csv' }).click();
    await page.getByRole('button', { name: 'Validate' }).waitFor();
    await page.getByText('None yet, 3 source columns').waitFor();
  });

  it('keeps the chosen file and the choices while the person looks at another page', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/upload`);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    const separator = card(page).getByRole('checkbox', { name: 'Write commas', exact: false });
    await separator.uncheck();
    await card(page).locator('.fixes:not([aria-busy])').waitFor();
    await page.getByRole('link', { name: 'Fields of the schema' }).click();
    await page.getByRole('heading', { name: 'Events' }).first().waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      'beben',
    );
    await page.goBack();
    expect(await separator.isChecked()).toBe(false);
    await separator.check();
    await press(page, 'Upload the corrected file');
    await expect.poll(() => step(page)).toBe('Columns');
    await press(page, 'Check 2 rows');
    await page.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
    await page.goBack();
    await card(page).getByText('Drop a CSV file').waitFor();
  });

  it('asks for another session in place, and sends the file after that', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events');
    const { page, context } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/upload`);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await card(page).getByRole('button', { name: 'Upload the corrected file' }).waitFor();
    await context.clearCookies();
    await press(page, 'Upload the corrected file');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => step(page)).toBe('Columns');
  });

  it('is for owners and admins', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events');
    const cookie = await seeds().join('member', 'uploads@example.com');
    const { page } = await open({ cookie });
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports`);
    await page.getByText('No import yet').waitFor();
    expect(await page.getByRole('link', { name: 'Upload a file' }).count()).toBe(0);
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/upload`);
    await page.getByText('Owners and admins upload them').waitFor();
  });

  it('says what is missing where there is no schema', async () => {
    const { workspaceId } = await seeds().workspace();
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}/imports/upload`);
    await page.getByText('No schema yet').waitFor();
    await expectNoAxeViolations(page);
  });
});
