import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { HEADERS, testMapping, testRows, uploadFile, validateFile } from './imports.fixture.ts';

/** The state in the head of the page. */
const badge = (page: Page, word: string) => page.locator('.head .badge', { hasText: word });
const grid = (page: Page) => page.getByRole('grid', { name: 'Rows table' });

describeInBrowser('decisions about imports', ({ open, seeds }) => {
  it('are mapped, validated and approved by a person', async () => {
    const workspace = await seeds().workspace();
    const { importId } = await uploadFile(workspace, {
      name: 'Events',
      headers: HEADERS,
      rows: testRows(120),
    });
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByLabel('event').waitFor();
    expect(await page.getByLabel('event').inputValue()).toBe('Event');
    await page.getByRole('button', { name: 'Save revision 1' }).click();
    await page.getByText('Required: choose a column.').waitFor();
    await page.getByLabel('magnitude').hover();
    await page.getByLabel('magnitude').selectOption('Mag');
    await page.getByRole('button', { name: 'Save revision 1' }).click();
    await page.getByText('Revision 1, 3 of 4 source columns used').waitFor();
    await page.getByRole('button', { name: 'Validate', exact: true }).click();
    await badge(page, 'Ready').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Approve 120 rows' }).click();
    await badge(page, 'Approved').waitFor();
    await page.getByText('Waits for your backend', { exact: true }).first().waitFor();
    await page.getByText('Approved with the rows. Upload the file again to map it otherwise.').waitFor();
    expect(await page.getByRole('button', { name: 'Edit mapping' }).count()).toBe(0);
  });

  it('can be approved with a few keys from the top of the page', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(10) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByRole('button', { name: 'Approve 10 rows' }).waitFor();
    for (const key of ['Tab', 'Enter', 'Tab', 'Enter', 'Tab', 'Tab']) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approve 10 rows');
  });

  it('are not approved as another validation than the one that is shown', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(10) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByRole('button', { name: 'Approve 10 rows' }).waitFor();
    const shown = await page.locator('.digest code').textContent();
    const others = testMapping([HEADERS[3] ?? '', HEADERS[1] ?? '', HEADERS[2] ?? ''], 2);
    await workspace.agent.map(importId, others);
    await seeds().validate(workspace.agent, importId);
    await page.getByRole('button', { name: 'Approve 10 rows' }).click();
    await page.getByText('Nothing was approved: the import has changed').waitFor();
    await page.getByText('Its mapping was revision 1 and is revision 2.').waitFor();
    await page.getByText('Another source for event.').waitFor();
    const { validationDigest } = await workspace.agent.binding(importId);
    expect(validationDigest).not.toBe(shown);
    await expect.poll(() => page.locator('.digest code').textContent()).toBe(validationDigest);
    await page.getByRole('button', { name: 'Approve 10 rows' }).click();
    await badge(page, 'Approved').waitFor();
  });

  it('keep what was chosen when another mapping came first', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(10) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByRole('button', { name: 'Edit mapping' }).click();
    await page.getByLabel('place').selectOption('Comment');
    await workspace.agent.map(importId, testMapping(['Place', 'Mag', 'Event'], 2));
    await page.getByRole('button', { name: 'Save revision 2' }).click();
    await page.getByText('Not saved: the import has changed meanwhile').waitFor();
    expect(await page.getByLabel('place').inputValue()).toBe('Comment');
    await page.getByRole('button', { name: 'Save revision 3' }).click();
    await page.getByText('Revision 3, 3 of 4 source columns used').waitFor();
  });

  it('are cancelled and erased after their id was typed, and stay so for the back button', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(10) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open();
    const address = `/agent-workspaces/${workspace.workspaceId}/imports/${importId}`;
    await page.goto(address);
    await page.getByRole('button', { name: 'Cancel import…' }).click();
    const confirm = page.getByRole('button', { name: 'Cancel import', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/^Type/).fill(importId.slice(0, 8));
    await confirm.click();
    await badge(page, 'Cancelled').waitFor();
    await page.getByText('This import was cancelled').waitFor();
    expect(await grid(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByLabel(/^Type/).fill(importId.slice(0, 8));
    await page.getByRole('button', { name: 'Erase import', exact: true }).click();
    await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'This import was erased' }).waitFor();
    await expectNoAxeViolations(page);
  });
});
