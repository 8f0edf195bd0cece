import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../testing/in-browser.ts';
import { isFocused, Keyboard } from '../testing/keyboard.ts';
import { PASSWORD } from '../testing/seeds.ts';

const NEW_PASSWORD = 'a longer horse battery staple';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Confirms that a secret is stored, and closes its panel. Returns the secret. */
async function takeSecret(page: Page, keyboard: Keyboard): Promise<string> {
  const secret = (await page.locator('.secret code').textContent()) ?? '';
  await keyboard.press(page.locator('.once').getByRole('checkbox'), 'Space');
  await keyboard.press(button(page, 'Close'));
  await page.locator('.secret').waitFor({ state: 'detached' });
  return secret;
}

describeInBrowser('by keyboard alone, a person', ({ open, seeds }) => {
  it('invites another, who joins, is made member, and gets a reset link that sets a password', async () => {
    const email = 'grace@northwind.example';
    const { page } = await open();
    const keyboard = new Keyboard(page);
    await keyboard.open('/members');
    await keyboard.press(button(page, 'Invite a person'));
    await keyboard.choose(page.getByLabel('Role'), 'Admin');
    await keyboard.press(button(page, 'Create invitation'));
    const invitation = await takeSecret(page, keyboard);

    const { page: theirs } = await open({ cookie: null });
    const others = new Keyboard(theirs);
    await others.open(invitation);
    await others.type(theirs.getByLabel('E-mail'), email);
    await others.type(theirs.getByLabel('Password', { exact: true }), PASSWORD);
    await theirs.keyboard.press('Enter');
    await title(theirs, 'Workspaces').waitFor();

    await keyboard.open('/members');
    const actions = button(page, `Actions for ${email}`);
    await keyboard.chooseInMenu(actions, 'Make member');
    await page.getByRole('row', { name: email }).getByRole('cell', { name: 'Member', exact: true }).waitFor();
    await keyboard.chooseInMenu(actions, 'Make a reset link');
    const reset = await takeSecret(page, keyboard);
    await others.open(reset);
    await others.type(theirs.getByLabel('New password', { exact: true }), NEW_PASSWORD);
    await theirs.keyboard.press('Enter');
    await others.press(theirs.getByRole('link', { name: 'Sign in' }));
    await others.type(theirs.getByLabel('E-mail'), email);
    await others.type(theirs.getByLabel('Password', { exact: true }), NEW_PASSWORD);
    await theirs.keyboard.press('Enter');
    await title(theirs, 'Workspaces').waitFor();

    await keyboard.chooseInMenu(actions, 'Remove');
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
    await page.getByRole('row', { name: email }).waitFor({ state: 'detached' });
  });

  it('creates, rotates and revokes a credential', async () => {
    const { workspaceId } = await seeds().workspace('credentials-by-keyboard');
    const { page } = await open();
    const keyboard = new Keyboard(page);
    const works = async (secret: string) => {
      const headers = { Authorization: `Bearer ${secret}` };
      return (await fetch(new URL('/v1/agent/workspace', page.url()), { headers })).status;
    };
    await keyboard.open(`/agent-workspaces/${workspaceId}`);
    await keyboard.press(button(page, 'Create credential'));
    await keyboard.type(page.getByRole('dialog').getByLabel('Name'), 'backend');
    await page.keyboard.press('Enter');
    const first = await takeSecret(page, keyboard);
    await keyboard.press(button(page, /^Rotate backend,/));
    await keyboard.choose(page.getByRole('dialog').getByLabel('Overlap'), 'None');
    await keyboard.press(button(page, 'Rotate credential'));
    const second = await takeSecret(page, keyboard);
    expect([await works(first), await works(second)]).toEqual([401, 200]);
    const revoke = button(page, /^Revoke backend,/);
    await keyboard.press(revoke);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => isFocused(revoke)).toBe(true);
    await page.keyboard.press('Enter');
    await keyboard.press(button(page, 'Revoke credential'));
    await page.getByRole('rowheader', { name: 'backend' }).waitFor({ state: 'detached' });
    expect(await works(second)).toBe(401);
  });

  it('erases a subject of a checklist by its digest', async () => {
    const workspace = await seeds().workspace('checklist-by-keyboard');
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspace.workspaceId);
    const { checklistId, backend } = await seeds().checklist(workspace, 2);
    const { page } = await open();
    const keyboard = new Keyboard(page);
    await keyboard.open(`/agent-workspaces/${workspace.workspaceId}/checklists/${checklistId}`);
    await keyboard.press(button(page, 'Erase…'));
    await keyboard.press(button(page, 'Digest'));
    const digest = backend.digestOf('user-0');
    await keyboard.type(page.getByLabel('Digest of the subject'), digest);
    await keyboard.type(page.getByLabel(`Type ${digest.slice(0, 8)}`), digest.slice(0, 8));
    await page.keyboard.press('Enter');
    await page.getByText('The subject is erased').waitFor();
  });

  it('filters the audit log, opens an entry and exports it', async () => {
    await seeds().workspace('audited');
    await expect.poll(() => seeds().auditedActions()).toContain('workspaces.attach');
    const { page } = await open();
    const keyboard = new Keyboard(page);
    await keyboard.open('/audit');
    await keyboard.choose(page.getByLabel('What'), 'Attach workspace');
    await expect.poll(() => new URL(page.url()).searchParams.get('what')).toBe('workspaces.attach');
    const row = page.locator('tbody tr[tabindex="0"]', { hasText: 'Attach workspace' });
    await keyboard.press(row);
    await page.locator('.entry').getByText('workspaces.attach').waitFor();
    await keyboard.reach(button(page, 'Export CSV'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(await readFile(await download.path(), 'utf8')).toContain('workspaces.attach');
    await keyboard.press(button(page, 'Clear filters'));
    await expect.poll(() => new URL(page.url()).search).not.toContain('what');
  });

  it('changes the own password, ends another session, and erases the own account', async () => {
    const email = 'settings@northwind.example';
    const cookie = await seeds().join('member', email);
    await seeds().client.exchange('POST', '/v1/console/sign-in', 200, {
      json: { email, password: PASSWORD },
    });
    const { page } = await open({ cookie });
    const keyboard = new Keyboard(page);
    await keyboard.open('/settings');
    await keyboard.press(button(page, 'End session'));
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'End session' }));
    await page.getByText('Session ended').waitFor();
    await keyboard.press(button(page, 'Change password…'));
    await keyboard.type(page.getByLabel('Current password'), PASSWORD);
    await keyboard.type(page.getByLabel('New password', { exact: true }), NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed').waitFor();
    await keyboard.press(button(page, 'Erase…'));
    const confirmation = page.locator('form.confirm');
    await keyboard.type(confirmation.getByLabel('Password'), NEW_PASSWORD);
    await keyboard.type(confirmation.getByLabel('Type your e-mail address'), email);
    await page.keyboard.press('Enter');
    await title(page, 'Sign in').waitFor();
  });

  it('changes the own e-mail, and signs in with the new one', async () => {
    const email = 'after@northwind.example';
    const { page } = await open({ cookie: await seeds().join('member', 'before@northwind.example') });
    const keyboard = new Keyboard(page);
    await keyboard.open('/settings');
    await keyboard.press(button(page, 'Change e-mail…'));
    const form = page.getByRole('region', { name: 'E-mail' });
    await keyboard.type(form.getByLabel('New e-mail'), email);
    await keyboard.type(form.getByLabel('Password'), 'not the password');
    await page.keyboard.press('Enter');
    await form.getByText('The password is wrong').waitFor();
    expect(await form.getByLabel('New e-mail').inputValue()).toBe(email);
    await keyboard.type(form.getByLabel('Password'), PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('E-mail changed').waitFor();
    await keyboard.chooseInMenu(button(page, email), 'Sign out');
    await title(page, 'Sign in').waitFor();
    await keyboard.type(page.getByLabel('E-mail'), email);
    await keyboard.type(page.getByLabel('Password'), PASSWORD);
    await page.keyboard.press('Enter');
    await title(page, 'Workspaces').waitFor();
  });
});
