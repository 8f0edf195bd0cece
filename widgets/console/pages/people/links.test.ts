import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { EMAIL, PASSWORD } from '../../../testing/seeds.ts';

const NEW_PASSWORD = 'a longer horse battery staple';

/** Opens a link and waits for its page. The code must have left the address by then. */
async function openLink(page: Page, link: string, title: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
}

const alert = (page: Page) => page.getByRole('alert');
const password = (page: Page, label = 'Password') => page.getByLabel(label, { exact: true });

describeInBrowser('the links that the service hands out', ({ open, opened, seeds }) => {
  const invite = async () => {
    const json = { role: 'member' };
    const made = await seeds().client.send<{ url: string }>('POST', '/v1/console/invitations', 201, {
      cookie: seeds().cookie,
      json,
    });
    return made.url;
  };

  it('open the set-up, which says that its link was used', async () => {
    const { page } = await open({ cookie: null });
    await openLink(page, opened().service.setUpLink, 'Set up');
    await expectNoAxeViolations(page);
    await page.getByLabel('Organization').fill('Second');
    await page.getByLabel('E-mail').fill('second@northwind.example');
    await password(page).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set up' }).click();
    await alert(page).getByText('This link was used').waitFor();
    expect(await page.getByLabel('Organization').inputValue()).toBe('Second');
  });

  it.each([
    ['/set-up', 'Set up'],
    ['/reset', 'New password'],
    ['/invitation', 'Join an organization'],
  ])('open %s, which says that a code is missing', async (path, title) => {
    const { page } = await open({ cookie: null });
    await openLink(page, path, title);
    await page.getByText('This page opens from a link').waitFor();
    await expectNoAxeViolations(page);
  });

  it('open an invitation for a new person, once', async () => {
    const { page } = await open({ cookie: null });
    const link = await invite();
    await openLink(page, link, 'Join an organization');
    await expectNoAxeViolations(page);
    await page.getByLabel('E-mail').fill('grace@northwind.example');
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();

    const { page: late } = await open({ cookie: null });
    await openLink(late, link, 'Join an organization');
    await late.getByLabel('E-mail').fill('late@northwind.example');
    await password(late).fill(PASSWORD);
    await late.getByRole('button', { name: 'Join', exact: true }).click();
    await alert(late).getByText('This invitation works no more').waitFor();
    await expectNoAxeViolations(late);
  });

  it('open an invitation for the person who is signed in, and say that the person belongs there', async () => {
    const { page } = await open();
    await openLink(page, await invite(), 'Join an organization');
    await page.getByRole('button', { name: `Join as ${EMAIL}` }).click();
    await alert(page).getByText('You did not join').waitFor();
  });

  it('say the same about an invitation for a wrong password as for an unknown address', async () => {
    const { page } = await open({ cookie: null });
    await openLink(page, await invite(), 'Join an organization');
    await page.getByLabel('E-mail').fill(EMAIL);
    await password(page).fill('not the password of ada');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await alert(page).getByText('E-mail and password do not match').waitFor();
  });

  it('open the page for a new password, which works once', async () => {
    const email = 'forgetful@northwind.example';
    await seeds().join('member', email);
    const { page: members } = await open();
    await members.goto('/members');
    await members.getByRole('button', { name: `Actions for ${email}` }).click();
    await members.getByRole('menuitem', { name: 'Make a reset link' }).click();
    const link = (await members.locator('.secret code').textContent()) ?? '';
    await expectNoAxeViolations(members);

    const { page } = await open({ cookie: null });
    await openLink(page, link, 'New password');
    await expectNoAxeViolations(page);
    await password(page, 'New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Password set' }).waitFor();
    await page.goto(link);
    await password(page, 'New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await alert(page).getByText('This link works no more').waitFor();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await password(page).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  });
});
