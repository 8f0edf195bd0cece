import { expect, it } from 'vitest';
import { describeInBrowser } from '../../testing/in-browser.ts';
import { newSchema } from '../pages/imports/imports.fixture.ts';

/** Removes the interfaces that browsers keep from pages on plain HTTP, but for those of this machine. */
function withoutSecureContext(): void {
  for (const name of ['randomUUID', 'subtle'])
    Object.defineProperty(Crypto.prototype, name, { value: undefined });
  Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
}

describeInBrowser('the console on plain HTTP in a local network', ({ open, seeds }) => {
  it('makes keys, invitations and credentials, and says what needs HTTPS', async () => {
    const workspace = await seeds().workspace();
    await newSchema(workspace, 'Events');
    const { page } = await open();
    await page.addInitScript(withoutSecureContext);
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('lan');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('region', { name: 'Key “lan” created' }).waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await expect.poll(() => page.locator('.secret').count()).toBe(2);
    const own = `/agent-workspaces/${workspace.workspaceId}`;
    page.on('dialog', (asked) => void asked.accept());
    await page.goto(own);
    await page.getByRole('button', { name: 'Rotate Agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate credential' }).click();
    await page.getByRole('region', { name: 'Secret of “Agent”' }).waitFor();
    await page.goto(`${own}/imports/upload`);
    await page.getByText('Browsers compute the digest of a file over HTTPS only').waitFor();
  });
});
