import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { MailServer, type TakenMail } from '../../../../infra/testing/mail-server.fixture.ts';
import { describeInBrowser, describeOpened, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { OpenConsole, type VisitOptions } from '../../../testing/open-console.ts';
import { EMAIL } from '../../../testing/seeds.ts';

const NEXT = 'a password by a mailed link';

let server: MailServer;
afterAll(() => server?.close());

/** The link that a mail asks to open. */
const linkIn = ({ text }: TakenMail) => /https?:\S+#\S+/.exec(text)?.[0] ?? '';

describeOpened<OpenConsole, VisitOptions>(
  'a console that sends mail',
  async (browser) => {
    server = await MailServer.start();
    const environment = { SVC_SMTP_URL: server.url, SVC_MAIL_FROM: 'Svc <svc@mail.example>' };
    return await OpenConsole.start({ environment }, browser);
  },
  ({ open }) => {
    it('mails an invitation', async () => {
      const { page } = await open();
      await page.goto('/members');
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByLabel('E-mail (optional)').fill('grace@northwind.example');
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Create invitation' }).click();
      await page.getByRole('heading', { name: 'on its way to grace@northwind.example' }).waitFor();
      await expectReadable(page, await server.receivedBy('grace@northwind.example'));
    });

    // It ends every session of the owner.
    it('leads from a forgotten password by a mail to a new one', async () => {
      const { page } = await open({ cookie: null });
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Forgot password?' }).click();
      await page.getByRole('heading', { name: 'Forgot password' }).waitFor();
      await expectNoAxeViolations(page);
      await page.getByLabel('E-mail').fill(EMAIL);
      await page.getByRole('button', { name: 'Mail a reset link' }).click();
      await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
      await expectNoAxeViolations(page);
      await page.goto(linkIn(await server.receivedBy(EMAIL)));
      await page.getByLabel('New password', { exact: true }).fill(NEXT);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByRole('heading', { name: 'Password set' }).waitFor();
    });

    it('shows the same for an address without an account', async () => {
      const { page } = await open({ cookie: null });
      await page.goto('/forgot-password');
      await page.getByLabel('E-mail').fill('nobody@northwind.example');
      await page.getByRole('button', { name: 'Mail a reset link' }).click();
      await page.getByText('If there is an account with this address').waitFor();
    });
  },
);

/** A mail fits the narrowest window in both looks, loads nothing, and axe finds nothing in it. */
async function expectReadable(page: Page, { html }: TakenMail): Promise<void> {
  const loaded: string[] = [];
  await page.goto('about:blank');
  page.on('request', (request) => loaded.push(request.url()));
  await page.setViewportSize({ width: 320, height: 640 });
  await page.setContent(html);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await expectNoAxeViolations(page);
  }
  expect(loaded).toEqual([]);
}

describeInBrowser('a console without mail', ({ open }) => {
  it('names the person who makes a reset link, and offers no mail', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-in');
    await page.getByText('Forgotten? An owner of your organization makes a reset link.').waitFor();
    await page.goto('/forgot-password');
    await page.getByText('This service sends no mail.').waitFor();
    expect(await page.getByLabel('E-mail').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('asks for no address of an invited person', async () => {
    const { page } = await open();
    await page.goto('/members');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('For whom (optional)').waitFor();
    expect(await page.getByLabel('E-mail (optional)').count()).toBe(0);
  });
});
