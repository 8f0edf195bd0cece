import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';

describeInBrowser('what is shown once', ({ open, seeds }) => {
  /** Returns the secret of the key. */
  async function createKey(page: Page): Promise<string> {
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('checkout-eu');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    return (await page.locator('.secret code').textContent()) ?? '';
  }

  it('stays through links and Back, until the person has stored it', async () => {
    const { page } = await open();
    await page.goto('/members');
    const key = await createKey(page);
    const panel = page.getByRole('region', { name: 'Key “checkout-eu” created' });
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await panel.getByText(key).waitFor();
    await expectNoAxeViolations(page);
    await panel.getByRole('link', { name: 'Revoke it' }).click();
    await page.getByText('get 401 at once').waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await panel.getByText(key).waitFor();
    await panel.getByLabel('I have stored it').check();
    await panel.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(key);
  });

  it('asks before a reload, a sign-out and another organization lose it', async () => {
    const { page } = await open({ cookie: await seeds().signIn() });
    const key = await createKey(page);
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => void setTimeout(() => location.reload()));
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    const signOut = async () => {
      await page.getByRole('button', { name: /@/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    const question = page.getByRole('dialog', { name: 'This is not stored yet' });
    await expectNoAxeViolations(page);
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.getByText(key).waitFor();
    await signOut();
    await question.getByRole('button', { name: 'Continue without it' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  });
});
