import { expect, it } from 'vitest';
import { describeInBrowser } from '../../../testing/in-browser.ts';

/** A button that opens a dialog: its page, its name, and the name of the dialog. */
interface Opening {
  readonly path: string;
  readonly button: string | RegExp;
  readonly dialog: string | RegExp;
}

describeInBrowser('a dialog', ({ open, seeds }) => {
  it('is closed by Back, which stays on the page, and leaves no step behind', async () => {
    const { workspaceId } = await seeds().workspace('opened');
    await seeds().invitation('member');
    await seeds().signIn();
    const openings: readonly Opening[] = [
      { path: '/settings', button: 'End session', dialog: 'End session' },
      { path: '/settings', button: 'Leave…', dialog: /^Leave / },
      { path: '/members', button: /^Revoke the invitation/, dialog: 'Revoke the invitation' },
      { path: '/ops', button: 'activate', dialog: 'Partitions of activate' },
      { path: '/ops', button: 'Shortcuts', dialog: 'Shortcuts' },
      { path: `/agent-workspaces/${workspaceId}`, button: 'Revoke Agent', dialog: 'Revoke Agent' },
    ];
    const { page } = await open();
    for (const { path, button, dialog: name } of openings) {
      await page.goto('/audit');
      await page.goto(path);
      const opener = page.getByRole('button', { name: button }).first();
      const dialog = page.getByRole('dialog', { name });
      await opener.press('Enter');
      await dialog.waitFor();
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe(path);
      await opener.press('Space');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => history.state?.opened)).toBeUndefined();
      await page.goBack();
      await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    }
  });

  it('is closed by Back also before the next frame', async () => {
    const { page } = await open();
    await page.goto('/ops');
    const opener = page.getByRole('button', { name: 'Shortcuts' }).first();
    await opener.evaluate(async (button: HTMLElement) => {
      button.click();
      await Promise.resolve();
      history.back();
    });
    await expect.poll(() => page.evaluate(() => history.state?.opened)).toBeUndefined();
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached', timeout: 10_000 });
  });

  it('is closed by Back also after a reload with the dialog open, which forgets it', async () => {
    const { page } = await open();
    await page.goto('/ops');
    const opener = page.getByRole('button', { name: 'Shortcuts' });
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    await opener.press('Enter');
    await dialog.waitFor();
    await page.reload();
    await opener.press('Enter');
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
  });
});

describeInBrowser('the menu and the palette of a phone', ({ open }) => {
  const layers = [
    { button: 'Menu', open: 'navigation', name: 'Menu' },
    { button: 'Search or run a command', open: 'dialog', name: 'Search or run a command' },
  ] as const;

  it.each(layers)(
    '$button is closed by Back, which stays on the page',
    async ({ button, open: role, name }) => {
      const { page } = await open({ viewport: { width: 390, height: 844 } });
      await page.goto('/audit');
      await page.goto('/settings');
      const opener = page.getByRole('button', { name: button, exact: true });
      const layer = page.getByRole(role, { name, exact: true });
      await opener.press('Enter');
      await layer.waitFor();
      await page.goBack();
      await layer.waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/settings');
      await opener.press('Enter');
      await layer.waitFor();
      if (role === 'dialog') await page.keyboard.press('Escape');
      else await opener.press('Space');
      await layer.waitFor({ state: 'detached' });
      // The browser takes the step back of the layer a moment later, and would merge another one into it.
      await expect.poll(() => page.evaluate(() => history.state?.opened)).toBeUndefined();
      await page.goBack();
      await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    },
  );

  it.each(layers)(
    '$button leaves no step behind where it leads to a page',
    async ({ button, open: role, name }) => {
      const { page } = await open({ viewport: { width: 390, height: 844 } });
      await page.goto('/settings');
      await page.getByRole('button', { name: button, exact: true }).click();
      const layer = page.getByRole(role, { name, exact: true });
      if (role === 'dialog') await page.getByRole('combobox').fill('members');
      await layer.getByRole(role === 'dialog' ? 'option' : 'link', { name: /^Members/ }).click();
      await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
      await layer.waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      expect(await layer.count()).toBe(0);
    },
  );
});
