import { expect, it } from 'vitest';
import { holdAnswer } from '../../../testing/held-answer.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { openWithClock, readAgainUntil } from '../../../testing/page-clock.ts';
import { EMAIL } from '../../../testing/seeds.ts';

describeInBrowser('the page of members', ({ open, seeds }) => {
  it('creates an invitation by keyboard alone, shows its link once, and revokes it', async () => {
    const { page } = await open();
    await page.goto('/members');
    const invite = page.getByRole('button', { name: 'Invite a person' });
    await invite.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Role').selectOption('admin');
    await page.getByLabel('For whom').fill('Grace, design');
    await page.getByRole('button', { name: 'Create invitation' }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Invitation for Grace, design created' });
    await panel.getByText('/invitation#svc_invite_').waitFor();
    await expectNoAxeViolations(page);
    const close = panel.getByRole('button', { name: 'Close' });
    await page.keyboard.press('Escape');
    expect([await panel.isVisible(), await close.isDisabled()]).toEqual([true, true]);
    await panel.getByLabel('I have sent it to the person').check();
    await close.click();
    await panel.waitFor({ state: 'detached' });
    const table = page.getByRole('region', { name: 'Invitations table' });
    await table
      .getByRole('row', { name: 'Grace, design Admin' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    const question = page.getByRole('dialog', { name: 'Revoke the invitation of Grace, design' });
    await expectNoAxeViolations(page);
    await question.getByRole('button', { name: 'Revoke invitation' }).click();
    await page.getByText('Invitation revoked').waitFor();
    await table.waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Open invitations');
  });

  it('shows who joins, changes a role with an undo, and keeps the last owner', async () => {
    const email = 'grace@northwind.example';
    const { page } = await open();
    await openWithClock(page, '/members');
    await page.getByRole('row', { name: EMAIL }).waitFor();
    await seeds().join('member', email);
    const row = page.getByRole('row', { name: email });
    await readAgainUntil(page, row);
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Make admin' }).click();
    await page.getByText(`${email} is admin now`).waitFor();
    await row.getByRole('cell', { name: 'Admin', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('cell', { name: 'Member', exact: true }).waitFor();

    // The question gives the focus back to the button of the menu that it came from.
    const actions = page.getByRole('button', { name: `Actions for ${email}` });
    await actions.press('Enter');
    // The menu takes the focus in the frame after the one in which it is seen.
    const menu = page.getByRole('menu');
    await expect.poll(() => menu.evaluate((each) => each.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: `Remove ${email}` });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => actions.evaluate((each) => each === document.activeElement)).toBe(true);

    await page.getByRole('button', { name: `Actions for ${EMAIL}` }).click();
    await page.getByRole('menuitem', { name: 'Make member' }).click();
    await page.getByRole('alert').getByText('keeps at least one owner').waitFor();
    await expectNoAxeViolations(page);
  });

  it('removes a person after saying what stops, and says so in the open page of that person', async () => {
    const email = 'mallory@northwind.example';
    const cookie = await seeds().join('admin', email);
    const { page: theirs } = await open({ cookie });
    await theirs.goto('/members');
    await theirs.getByRole('row', { name: email }).waitFor();
    const { page } = await open();
    await page.goto('/members');
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: `Remove ${email}` });
    await dialog.getByText('Stops at once').waitFor();
    await expectNoAxeViolations(page);
    const answer = await holdAnswer(page, '**/v1/console/members/*');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Removing' }).waitFor();
    answer.release();
    await page.getByRole('row', { name: email }).waitFor({ state: 'detached' });
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await theirs.getByRole('button', { name: 'Invite a person' }).click();
    await theirs.getByRole('button', { name: 'Create invitation' }).click();
    await theirs.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  });

  it('shows a member what only others may do, and follows a role that changes while it is open', async () => {
    const email = 'henry@northwind.example';
    const cookie = await seeds().join('admin', email);
    const { page } = await open({ cookie });
    await page.goto('/members');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await seeds().setRole(email, 'member');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.getByText('Owners and admins invite people').waitFor();
    const invite = page.getByRole('button', { name: 'Invite a person' });
    expect(await invite.getAttribute('aria-disabled')).toBe('true');
    await page.goto('/audit');
    await page.getByText('Owners and admins read the audit log').waitFor();
    await expectNoAxeViolations(page);
  });

  it('has no sideways scrolling at 320 pixels, where a bar has the places', async () => {
    const { page } = await open({ viewport: { width: 320, height: 640 } });
    await page.goto('/members');
    await page.getByRole('row', { name: EMAIL }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect((await page.locator('header.top').boundingBox())?.height).toBeLessThan(64);
    const own = page.getByRole('rowheader', { name: EMAIL });
    expect(await own.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
    // The address breaks before its domain, and not in a word.
    const lines = await own.evaluate((cell) => {
      const domain = [...cell.childNodes].find(({ textContent }) => textContent?.startsWith('@'));
      const range = document.createRange();
      range.selectNodeContents(domain ?? cell);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expectNoAxeViolations(page);
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Menu' }).waitFor({ state: 'detached' });
  });
});
