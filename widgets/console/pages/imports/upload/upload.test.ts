import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../../testing/in-browser.ts';
import { PASSWORD } from '../../../../testing/seeds.ts';
import { newSchema, TEXTS } from '../imports.fixture.ts';

/** As a spreadsheet of another country saves it: in its encoding, with semicolons. */
const SPREADSHEET = {
  name: 'beben.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    '\ufeffEvent;Magnitude;Place\r\nus1;4.6;K\u00f6ln\r\nus2;5.1;M\u00fcnchen\r\n',
    'utf16le',
  ),
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
    await card(page).getByRole('button', { name: 'Use the corrected file' }).dblclick();
    await expect.poll(() => step(page)).toBe('Columns');
    await expectNoAxeViolations(page);
    await press(page, 'Check 2 rows');
    await page.getByRole('heading', { name: 'beben.csv' }).waitFor();
    await page.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${imports}/[0-9a-f-]{36}$`));
    await page.getByText('Uploaded by a person').waitFor();
    const changes = page.locator('.sender-changes');
    await changes.getByText('The sender says:').waitFor();
    expect(await changes.getByRole('listitem').allTextContents()).toEqual([
      'The file was written as UTF-8',
      'Commas were written between fields',
    ]);
    await expectNoAxeViolations(page);
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
    const { schemaId } = await newSchema(workspace, 'Second', TEXTS);
    const imports = `/agent-workspaces/${workspace.workspaceId}/imports`;
    const { page } = await open();
    await page.goto(`${imports}/upload?schema=${schemaId}`);
    await page.getByRole('heading', { name: 'Import into Second' }).waitFor();
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await press(page, 'Use the corrected file');
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
    await press(page, 'Use the corrected file');
    await expect.poll(() => step(page)).toBe('Columns');
    await press(page, 'Check 2 rows');
    await page.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
    await page.goBack();
    await card(page).getByText('Drop a CSV file').waitFor();
  });

  it('asks for another session in place, and sends the file after that', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events', TEXTS);
    const { page, context } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/upload`);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await card(page).getByRole('button', { name: 'Use the corrected file' }).waitFor();
    await context.clearCookies();
    await press(page, 'Use the corrected file');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => step(page)).toBe('Columns');
  });

  it('asks before a reload while bytes are sent, and takes the same file for the same import again', async () => {
    const workspace = await seeds().workspace();
    const { schemaId } = await newSchema(workspace, 'Events', TEXTS);
    const imports = `/agent-workspaces/${workspace.workspaceId}/imports`;
    const { page } = await open();
    const reserved: string[] = [];
    const stopped = Promise.withResolvers<void>();
    await page.route('**/imports', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      const response = await route.fetch();
      reserved.push((await response.json()).importId);
      return await route.fulfill({ response });
    });
    await page.route('**/import/uploads/*', async (route) => {
      if (reserved.length > 1) return await route.fallback();
      stopped.resolve();
    });
    await page.goto(`${imports}/upload?schema=${schemaId}`);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await press(page, 'Use the corrected file');
    await stopped.promise;
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => void setTimeout(() => location.reload()));
    await (await asked).accept();
    await card(page).getByText('Drop a CSV file').waitFor();
    await page.goto(`${imports}/${reserved[0]}`);
    await page.getByText('The upload stopped before the whole file had arrived.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Choose the file again' }).click();
    await page.getByText('it continues the import that waits for it').waitFor();
    await expectNoAxeViolations(page);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await press(page, 'Use the corrected file');
    await expect.poll(() => step(page)).toBe('Columns');
    await press(page, 'Check 2 rows');
    await page.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
    expect(reserved).toEqual([reserved[0], reserved[0]]);
    expect(new URL(page.url()).pathname).toBe(`${imports}/${reserved[0]}`);
    expect(await page.evaluate(() => sessionStorage.getItem('svc-drafts') ?? '')).not.toContain('uploads/');
    // Nothing is on its way any more.
    await page.reload();
    await page.getByRole('button', { name: 'Approve 2 rows' }).waitFor();
  });

  it('makes another import of the file whose first one was cancelled', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events', TEXTS);
    const imports = `/agent-workspaces/${workspace.workspaceId}/imports`;
    const { page } = await open();
    const reserved: string[] = [];
    await page.route('**/imports', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      const response = await route.fetch();
      if (response.ok()) reserved.push((await response.json()).importId);
      return await route.fulfill({ response });
    });
    await page.route('**/import/uploads/*', (route) => (reserved.length > 1 ? route.fallback() : undefined));
    await page.goto(`${imports}/upload`);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await press(page, 'Use the corrected file');
    await expect.poll(() => reserved.length).toBe(1);
    const cancel = `/v1/console/workspaces/${workspace.workspaceId}/imports/${reserved[0]}/cancel`;
    await seeds().client.send('POST', cancel, 200, { cookie: seeds().cookie, json: {} });
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${imports}/upload`);
    await card(page).locator('input[type="file"]').setInputFiles(SPREADSHEET);
    await press(page, 'Use the corrected file');
    await expect.poll(() => step(page)).toBe('Columns');
    // The first one is found, and has ended.
    expect(reserved).toEqual([reserved[0], reserved[0], expect.not.stringMatching(reserved[0] ?? '')]);
  });

  it('brings values into the form of the schema, and corrects cells, before anything is sent', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events');
    const { page } = await open();
    const reserved: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/imports')) reserved.push(request.url());
    });
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/upload`);
    const text = 'Event,Magnitude,Place\nus1,"4,6",Köln\nus2,"5,1",Bonn\nus3,5b,Ulm\n';
    const file = { name: 'beben.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await card(page).locator('input[type="file"]').setInputFiles(file);
    await card(page).getByLabel('Written as, Magnitude').selectOption({ label: '1.234,56' });
    await expectNoAxeViolations(page);
    await press(page, 'Check 3 rows');
    await card(page).getByText('2 of 3 rows fit. Nothing has been sent yet.').waitFor();
    await expectNoAxeViolations(page);
    await card(page).getByRole('gridcell', { name: '5b' }).click();
    await page.keyboard.type('5.5');
    await page.keyboard.press('Enter');
    expect(reserved).toEqual([]);
    await press(page, 'Send 3 rows');
    await page.getByRole('button', { name: 'Approve 3 rows' }).waitFor();
    expect(reserved).toHaveLength(1);
    expect(await page.locator('.sender-changes').getByRole('listitem').allTextContents()).toEqual([
      'Numbers were written as digits with a decimal point (magnitude, 2 cells)',
      'Cells were corrected by hand (magnitude, 1 cell)',
    ]);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      'svcimport',
    );
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
