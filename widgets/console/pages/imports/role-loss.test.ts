import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { HEADERS, testRows, validateFile } from './imports.fixture.ts';

/** Values and headers of the file. */
const PRIVATE = ['Place 1', 'private comment', 'us1', 'Mag'];

describeInBrowser('an admin whose page shows private rows', ({ open, seeds }) => {
  /** Opens the rows of an import. */
  const openRows = async (page: Page) => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(300, 7) };
    const { importId } = await validateFile(seeds(), workspace, file);
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=all`);
    await page.getByRole('gridcell', { name: 'Place 1', exact: true }).waitFor();
    await page.getByRole('cell', { name: 'Mag', exact: true }).waitFor();
  };

  const expectNothingPrivate = async (page: Page) => {
    await page.getByRole('alert').getByText('Your role was changed while this page was open.').waitFor();
    await page.getByText('Rows, columns and the mapping are private.').waitFor();
    await page.getByText('Owners and admins approve. You are a member.').waitFor();
    const content = await page.content();
    expect(PRIVATE.filter((secret) => content.includes(secret))).toEqual([]);
    expect(await page.getByRole('grid').count()).toBe(0);
    await expectNoAxeViolations(page);
  };

  it('loses them with the first refusal after the role is lost, and reads why', async () => {
    const email = 'ira@northwind.example';
    const { page } = await open({ cookie: await seeds().join('admin', email) });
    await openRows(page);
    await seeds().setRole(email, 'member');
    await page.getByRole('grid', { name: 'Rows table' }).focus();
    await page.keyboard.press('End');
    await expectNothingPrivate(page);
    await page.getByRole('link', { name: 'Keys' }).first().click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(await page.getByText('Your role was changed').count()).toBe(0);
  });

  it('loses them within a minute without touching the page', async () => {
    const email = 'ivo@northwind.example';
    const { page } = await open({ cookie: await seeds().join('admin', email) });
    await page.clock.install();
    await openRows(page);
    await seeds().setRole(email, 'member');
    await page.clock.fastForward('01:01');
    await expectNothingPrivate(page);
  });
});
