import { expect, it } from 'vitest';
import { holdAnswer } from '../../../testing/held-answer.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused } from '../../../testing/keyboard.ts';
import { EMAIL, PASSWORD } from '../../../testing/seeds.ts';

/** An entry shows up a moment after its change. */
const RECORDED = { timeout: 45_000 };
const NEW_PASSWORD = 'a longer horse battery staple';

describeInBrowser('the settings of a person', ({ open, seeds }) => {
  it('end another session, and no other than that', async () => {
    await seeds().signIn();
    const { page } = await open();
    await page.goto('/settings');
    const rows = page.getByRole('region', { name: 'Sessions table' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    // The seeds sign in without a browser.
    await rows.filter({ hasText: 'Another browser' }).first().waitFor();
    const before = await rows.count();
    await page.getByRole('button', { name: 'End session' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'End session' });
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'End session' }).click();
    await page.getByText('Session ended').waitFor();
    await expect.poll(() => rows.count()).toBe(before - 1);
    await rows.first().getByText('This browser').waitFor();
    await expectNoAxeViolations(page);
  });

  it('name a session by the browser and the system that opened it', async () => {
    const { page } = await open();
    await page.goto('/settings');
    await page.getByText('This browser').waitFor();
    const signIn = (body: string) =>
      fetch('/v1/console/sign-in', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    await page.evaluate(signIn, JSON.stringify({ email: EMAIL, password: PASSWORD }));
    await page.reload();
    await page.getByRole('rowheader', { name: /^Chrome on \w+ This browser$/ }).waitFor();
  });

  it('stay readable where the sessions cannot be read, and read them again on request', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    await page.route('**/v1/console/sessions', (route) => route.abort());
    await page.goto('/settings');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await page.unroute('**/v1/console/sessions');
    await again.click();
    await page.getByText('This browser').waitFor();
  });

  it('change the password only with the current one', async () => {
    const cookie = await seeds().join('member', 'grace@northwind.example');
    const { page } = await open({ cookie });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is wrong').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    // In place of the wrong one.
    await page.keyboard.type(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
  });

  it('change the e-mail', async () => {
    const cookie = await seeds().join('member', 'before@northwind.example');
    const { page } = await open({ cookie });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByLabel('New e-mail').fill('after@northwind.example');
    await page.getByRole('region', { name: 'E-mail' }).getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByText('The password is wrong').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'after@northwind.example' }).waitFor();
    await expect.poll(() => seeds().auditedActions(), RECORDED).toContain('people.change-email');
  });

  it('do not let the last owner leave or be erased', async () => {
    const { page } = await open();
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Leave…' }).click();
    const dialog = page.getByRole('dialog');
    const answer = await holdAnswer(page, '**/v1/console/memberships/*');
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByRole('button', { name: 'Leaving' }).waitFor();
    answer.release();
    await dialog.getByRole('alert').getByText('You are the last owner').waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    const confirmation = page.locator('form.confirm');
    await expect.poll(() => isFocused(confirmation.getByLabel('Password'))).toBe(true);
    await page.keyboard.type('not the password');
    await confirmation.getByLabel('Type your e-mail address').fill(EMAIL);
    await confirmation.getByRole('button', { name: 'Erase my account' }).click();
    await confirmation.getByRole('alert').getByText('The password is wrong').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await confirmation.getByRole('alert').getByText('You are the last owner of an organization').waitFor();
  });

  it('erase a person who types the own address, and show nothing after that', async () => {
    const email = 'leaver@northwind.example';
    const cookie = await seeds().join('member', email);
    const { page } = await open({ cookie });
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Erase…' }).click();
    const confirmation = page.locator('form.confirm');
    const erase = confirmation.getByRole('button', { name: 'Erase my account' });
    await confirmation.getByLabel('Password').fill(PASSWORD);
    await confirmation.getByLabel('Type your e-mail address').fill('leaver@northwind');
    expect(await erase.isDisabled()).toBe(true);
    await confirmation.getByLabel('Type your e-mail address').fill(email);
    await expectNoAxeViolations(page);
    await erase.click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText(email).count()).toBe(0);
    await expect.poll(() => seeds().auditedActions(), RECORDED).toContain('organizations.erase-member');
  });
});
