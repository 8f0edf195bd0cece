import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused } from '../../../testing/keyboard.ts';
import { EMAIL } from '../../../testing/seeds.ts';

async function isInView(shown: Locator): Promise<boolean> {
  return await shown.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

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

  it('comes into view with the focus, and leaves the focus on the row of what was made', async () => {
    const { workspaceId } = await seeds().workspace('below-the-fold');
    const { page } = await open({ viewport: { width: 1280, height: 500 } });
    // The step back that closes the dialog leads to the place where it was opened, and a busy browser takes it late.
    await page.addInitScript(() => {
      const back = history.back.bind(history);
      history.back = () => setTimeout(back, 300);
    });
    await page.goto(`/agent-workspaces/${workspaceId}`);
    await page.getByRole('button', { name: 'Rotate Agent' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate Agent' });
    await dialog.getByRole('button', { name: 'Rotate credential' }).click();
    const panel = page.getByRole('region', { name: 'Secret of “Agent”' });
    const heading = panel.getByRole('heading');
    await expect.poll(() => isFocused(heading)).toBe(true);
    await expect.poll(() => isInView(panel.getByRole('button', { name: 'Copy credential' }))).toBe(true);
    await page.getByRole('status').filter({ hasText: 'Secret of “Agent”' }).waitFor({ state: 'attached' });
    await panel.getByLabel('I have stored it').check();
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => isFocused(page.getByRole('row', { name: /^Agent/ }))).toBe(true);
  });

  it.each([
    [
      'a button',
      async (page: Page, at: string) => {
        await page.goto(at);
        await page.getByRole('button', { name: 'Create key' }).click();
      },
    ],
    [
      'the palette',
      async (page: Page, at: string) => {
        await page.goto(at);
        await page.getByRole('button', { name: /^Search or run/ }).waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Name, id or action' }).fill('create key');
        await page.getByRole('option', { name: /Create .*key/, selected: true }).waitFor();
        await page.keyboard.press('Enter');
      },
    ],
    ['an address', async (page: Page, at: string) => void (await page.goto(`${at}?do=create`))],
  ])(
    'has the focus and is announced after %s has opened the form, and Tab leads to Copy',
    async (_by, open_) => {
      const { page } = await open();
      await open_(page, '/keys');
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill('focused');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const panel = page.getByRole('region', { name: 'Key “focused” created' });
      await expect.poll(() => isFocused(panel.getByRole('heading'))).toBe(true);
      await page
        .getByRole('status')
        .filter({ hasText: 'Key “focused” created. Shown once.' })
        .waitFor({ state: 'attached' });
      await page.keyboard.press('Tab');
      expect(await isFocused(panel.getByRole('button', { name: 'Copy key' }))).toBe(true);
    },
  );

  it('is replaced by a later secret of the same thing, and by no other', async () => {
    const { workspaceId } = await seeds().workspace('rotated-at-once');
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}`);
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'Create credential' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create credential' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Create credential' }).click();
      const secret = page.getByRole('region', { name: `Secret of “${name}”` }).locator('.secret code');
      return (await secret.textContent()) ?? '';
    };
    const worker = await create('worker');
    const former = await create('backend');
    await page.getByRole('button', { name: 'Rotate backend' }).click();
    await page
      .getByRole('dialog', { name: 'Rotate backend' })
      .getByRole('button', { name: 'Rotate credential' })
      .click();
    await page.getByText(former).waitFor({ state: 'detached' });
    const backend = page.getByRole('region', { name: 'Secret of “backend”' });
    expect(await backend.count()).toBe(1);
    await backend.getByLabel('I have stored it').check();
    await backend.getByRole('button', { name: 'Close' }).click();
    await backend.waitFor({ state: 'detached' });
    await page.getByText(worker).waitFor();
  });

  it('stays on the page of a claim, which asks before it is left', async () => {
    const { page } = await open();
    const key = await createKey(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Name, id or action' }).fill('claim a workspace');
    await page.getByRole('option', { name: 'Claim a workspace', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Claim link').waitFor();
    await page.getByText(key).waitFor();
    await expectNoAxeViolations(page);
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => void setTimeout(() => location.reload()));
    await (await asked).dismiss();
    await page.getByText(key).waitFor();
  });

  it('asks in the tab that signs out, and goes with it', async () => {
    const { context, page } = await open({ cookie: await seeds().signIn() });
    const key = await createKey(page);
    let questions = 0;
    page.on('dialog', async (dialog) => {
      questions += 1;
      await dialog.dismiss();
    });
    const other = await context.newPage();
    await other.goto('/members');
    await other.getByRole('button', { name: EMAIL, exact: true }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    const question = other.getByRole('dialog', { name: 'You have not saved this yet' });
    await question.getByText('Key “checkout-eu” created, in another tab').waitFor();
    await expectNoAxeViolations(other);
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.getByText(key).waitFor();
    await other.getByRole('button', { name: EMAIL, exact: true }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await question.getByRole('button', { name: 'Continue without it' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(questions).toBe(0);
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
    const question = page.getByRole('dialog', { name: 'You have not saved this yet' });
    await expectNoAxeViolations(page);
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.getByText(key).waitFor();
    await signOut();
    await question.getByRole('button', { name: 'Continue without it' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  });
});
