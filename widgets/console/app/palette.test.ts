import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';

describeInBrowser('the palette', ({ open, seeds }) => {
  it('goes to a resource by name or pasted id, and does what waits, by keyboard alone', async () => {
    const workspace = await seeds().workspace('seismic-catalogue');
    const { importId } = await seeds().import(workspace);
    const { page } = await open();
    await page.goto('/agent-workspaces');
    await page.getByRole('link', { name: 'seismic-catalogue' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Name, id or action' });
    await field.waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.type('earth');
    await page.getByRole('option', { name: /, import Ready/ }).waitFor();
    await expectNoAxeViolations(page);
    expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/^Approve [\d,]+ rows/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`/imports/${importId}`);

    await page.keyboard.press('Control+k');
    await field.fill(workspace.workspaceId);
    await page.getByRole('option', { name: 'seismic-catalogue, workspace' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/agent-workspaces/${workspace.workspaceId}`);

    await page.keyboard.press('Control+k');
    await field.fill('no such thing');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('opens on a narrow page by its button, and gives the focus back', async () => {
    const { page } = await open({ viewport: { width: 320, height: 700 } });
    await page.goto('/agent-workspaces');
    const button = page.getByRole('button', { name: 'Find or do' });
    await button.click();
    await page.getByRole('combobox', { name: 'Name, id or action' }).fill('members');
    await page.getByRole('option', { name: 'Members' }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
