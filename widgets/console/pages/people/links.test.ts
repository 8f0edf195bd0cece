import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { ServiceProcess } from '../../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused } from '../../../testing/keyboard.ts';
import { ServiceClock } from '../../../testing/past/service-clock.ts';
import { EMAIL, ORGANIZATION, PASSWORD } from '../../../testing/seeds.ts';

const NEW_PASSWORD = 'a longer horse battery staple';
/** The title of the page of an open invitation. */
const JOIN = `Join ${ORGANIZATION}`;

/** Opens a link and waits for its page. The code must have left the address by then. */
async function openLink(page: Page, link: string, title: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe('');
}

const alert = (page: Page) => page.getByRole('alert');
const password = (page: Page, label = 'Password') => page.getByLabel(label, { exact: true });

describeInBrowser('the links that the service hands out', ({ open, opened, seeds }) => {
  it('open the set-up, which says at once that its link was used', async () => {
    const { page } = await open({ cookie: null });
    await openLink(page, opened().service.setUpLink, 'Set up');
    await page.getByText('This link was used').waitFor();
    expect(await page.getByLabel('Organization').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('work in a browser that stores nothing', async () => {
    const { context, page } = await open({ cookie: null });
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'sessionStorage', {
        get() {
          throw new DOMException('storage is blocked', 'SecurityError');
        },
      });
    });
    await openLink(page, '/invitation', 'Join an organization');
    // Pasted into the address bar of the open page, so that only the fragment changes.
    await openLink(page, await seeds().invitation('member'), JOIN);
    await page.getByLabel('E-mail').fill('no-storage@northwind.example');
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
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
    const link = await seeds().invitation('member');
    await openLink(page, link, JOIN);
    await page.getByText(`${EMAIL} invites you.`).waitFor();
    await page.getByText('Member: sees states and counts').waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('E-mail').fill('grace@northwind.example');
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();

    const { page: late } = await open({ cookie: null });
    await openLink(late, link, 'Join an organization');
    await alert(late).getByText('This invitation is no longer valid').waitFor();
    expect(await late.getByLabel('E-mail').count()).toBe(0);
    await expectNoAxeViolations(late);
  });

  it('open an invitation for the person who is signed in, and say that the person belongs there', async () => {
    const { page } = await open();
    await openLink(page, await seeds().invitation('member'), JOIN);
    await page.getByRole('button', { name: `Join as ${EMAIL}` }).click();
    await alert(page).getByText('You did not join').waitFor();
  });

  it('open an invitation, whose page says that the session has ended and lets the person join all the same', async () => {
    const cookie = await seeds().signIn();
    const { page } = await open({ cookie });
    await openLink(page, await seeds().invitation('member'), JOIN);
    const join = page.getByRole('button', { name: `Join as ${EMAIL}` });
    await join.waitFor();
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    await join.click();
    await alert(page).getByText('Your session has ended').waitFor();
    await page.getByLabel('E-mail').waitFor();
    await expectNoAxeViolations(page);
  });

  it('say the same about an invitation for a wrong password as for an unknown address', async () => {
    const { page } = await open({ cookie: null });
    await openLink(page, await seeds().invitation('member'), JOIN);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.reload();
    await password(page).fill('not the password of ada');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(EMAIL);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await alert(page).getByText('E-mail and password do not match').waitFor();
    await page.keyboard.type('typed again');
    expect(await password(page).inputValue()).toBe('typed again');
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
    await expect.poll(() => isFocused(password(page, 'New password'))).toBe(true);
    await expectNoAxeViolations(page);
    await password(page, 'New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Password set' }).waitFor();
    await page.goto(link);
    await password(page, 'New password').fill(NEW_PASSWORD);
    // Where the first press was, a button has just appeared again.
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Set password' }).click();
    await alert(page).getByText('This link is no longer valid').waitFor();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await password(page).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  });
});

const DAY_MS = 86_400_000;
/** After the end of the longest-lived link, an invitation. */
const LATE_MS = 8 * DAY_MS;

const clock = new ServiceClock(1);
afterAll(() => clock.dispose());

describeInBrowser(
  'links that are opened after their end',
  ({ open, seeds }) => {
    it('say that an invitation and a reset link are over and whom to ask, and keep what was typed', async () => {
      const email = 'late@northwind.example';
      const invitation = await seeds().invitation('member');
      await seeds().join('member', email);
      const reset = await seeds().resetLink(email);

      const { page } = await open({ cookie: null });
      await openLink(page, invitation, JOIN);
      await page.getByLabel('E-mail').fill('new@northwind.example');
      await password(page).fill(PASSWORD);
      await clock.set(-LATE_MS);
      await page.getByRole('button', { name: 'Join', exact: true }).click();
      await alert(page).getByText('This invitation is no longer valid').waitFor();
      await alert(page).getByText('Ask the person who sent it for another.').waitFor();
      expect(await page.getByLabel('E-mail').inputValue()).toBe('new@northwind.example');
      await expectNoAxeViolations(page);

      await openLink(page, reset, 'New password');
      await password(page, 'New password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Set password' }).click();
      await alert(page).getByText('This link is no longer valid').waitFor();
      await alert(page).getByText('Ask an owner of your organization for another.').waitFor();
      expect(await password(page, 'New password').inputValue()).toBe(NEW_PASSWORD);
      await expectNoAxeViolations(page);

      await page.goto('/sign-in');
      await page.getByLabel('E-mail').fill(email);
      await password(page).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    });
  },
  { environment: clock.environment, startService: ServiceProcess.start },
);
