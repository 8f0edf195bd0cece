import { afterAll, expect, it } from 'vitest';
import { IdentityProvider } from '../../../../infra/testing/e2e/people/identity-provider.fixture.ts';
import { freePort } from '../../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { Keyboard } from '../../../testing/keyboard.ts';
import { ORGANIZATION, type Seeds } from '../../../testing/seeds.ts';

/** The provider answers for every subject with this address. */
const EMAIL = 'ada@example.com';
const CLIENT = { clientId: 'svc', clientSecret: 'a secret that only the two of them know' };

/** A real provider for a service, which has to know the service's address before the service starts. */
async function providerFor(port: number): Promise<IdentityProvider> {
  const redirectUri = `http://127.0.0.1:${port}/v1/console/oidc/callback`;
  const provider = await IdentityProvider.start({ ...CLIENT, redirectUri });
  afterAll(() => provider.stop());
  return provider;
}

function settingsFor({ issuer }: IdentityProvider, signUp: 'open' | 'invite' | 'off') {
  const { clientId, clientSecret } = CLIENT;
  return {
    SIGN_UP: signUp,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  };
}

const openPort = await freePort();
const openProvider = await providerFor(openPort);

describeInBrowser(
  'single sign-on where sign-up is open',
  ({ open, seeds }) => {
    /** Opens a page for a new person of the provider. */
    async function signedIn(subject: string) {
      openProvider.subject = subject;
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${openProvider.issuer}`));
      faults.allow(/status of 40[19]/);
      await page.goto('/v1/console/oidc/start');
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      return page;
    }

    it('leads through the provider back to the page that was wanted, by keyboard alone', async () => {
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${openProvider.issuer}`));
      const keyboard = new Keyboard(page);
      await keyboard.open('/audit?what=audit.export');
      await keyboard.press(page.getByRole('link', { name: 'Continue with single sign-on' }));
      await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
      const { pathname, search } = new URL(page.url());
      expect(pathname + search).toBe('/audit?what=audit.export');
      await page.locator('.person').getByText(EMAIL).waitFor();
    });

    it('makes a person who follows an invitation a member alone, and an organization for one whose invitation has ended', async () => {
      openProvider.subject = 'subject-invited';
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${openProvider.issuer}`));
      faults.allow(/status of 40[14]/);
      await page.goto(await invitationBy(seeds()));
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByRole('button', { name: 'Join as the person of your single sign-on' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      await page.goto('/settings');
      const organizations = page.getByRole('region', { name: 'Organizations table' });
      await organizations.getByRole('rowheader').first().waitFor();
      expect(await organizations.getByRole('rowheader').allTextContents()).toEqual([
        `${ORGANIZATION}current`,
      ]);
      openProvider.subject = 'subject-late';
      await page.context().clearCookies();
      await page.goto('/v1/console/oidc/start?return=/invitation');
      await page.goto('/keys');
      await page.getByText('Or continue with single sign-on, and get one.').waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    });

    it('leaves password and e-mail to the provider, and asks for no password to erase the account', async () => {
      const page = await signedIn('subject-2');
      await page.goto('/settings?do=password');
      const section = page.getByRole('region', { name: 'Sign-in' });
      await section.getByText('you have no password here').waitFor();
      expect(await page.getByRole('button', { name: /Change (password|e-mail)/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByLabel('Type your e-mail address').fill(EMAIL);
      expect(await page.locator('input[type=password]').count()).toBe(0);
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Erase my account' }).click();
      await page.getByText('You are the last owner of an organization').waitFor();
      await page.goto('/members');
      await page.getByRole('button', { name: `Actions for ${EMAIL}` }).click();
      const reset = page.getByRole('menuitem', { name: 'Make a reset link' });
      await reset.getByText('This person signs in by single sign-on').waitFor();
      expect(await reset.getAttribute('aria-disabled')).toBe('true');
    });

    it('shows a person without an e-mail address by the subject, on every page', async () => {
      openProvider.email = undefined;
      const page = await signedIn('auth0|subject-4');
      openProvider.email = EMAIL;
      await page.locator('.person').getByText('auth0|subject-4').waitFor();
      await page.goto('/members');
      await page.getByRole('row', { name: 'auth0|subject-4' }).getByText('you').waitFor();
      expect(await page.getByText('An erased person').count()).toBe(0);
      await page.goto('/audit');
      await page.getByLabel('Who').getByText('auth0|subject-4').waitFor({ state: 'attached' });
      await page.goto('/settings');
      await page.getByRole('complementary', { name: 'Account' }).getByText('auth0|subject-4').waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByLabel('Type your id at single sign-on').fill('auth0|subject-4');
      await page.getByRole('button', { name: 'Erase my account' }).click();
      await page.getByText('You are the last owner of an organization').waitFor();
    });

    it('asks for the account after a sign-out', async () => {
      const page = await signedIn('subject-5');
      openProvider.prompts.length = 0;
      await page.locator('.person').click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      openProvider.subject = 'subject-6';
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      expect(openProvider.prompts).toEqual(['login']);
    });

    it('says what a refusal at the provider is', async () => {
      openProvider.denies = true;
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${openProvider.issuer}`));
      await page.goto('/v1/console/oidc/start?return=/keys');
      await page.getByText('The single sign-on provider refused the sign-in').waitFor();
      openProvider.denies = false;
      await expectNoAxeViolations(page);
    });

    it('signs in again in another tab, and continues what was begun', async () => {
      const page = await signedIn('subject-3');
      await page.goto('/members?do=invite');
      await page.getByLabel('For whom').fill('Grace');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Create invitation' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      const link = dialog.getByRole('link', { name: 'Continue with single sign-on' });
      await link.waitFor();
      expect(await dialog.getByLabel('Password').count()).toBe(0);
      await expectNoAxeViolations(page);
      const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Invitation for Grace created' }).waitFor();
      if (!tab.isClosed()) await tab.close();
    });
  },
  { port: openPort, environment: settingsFor(openProvider, 'open') },
);

const invitePort = await freePort();
const inviteProvider = await providerFor(invitePort);

describeInBrowser(
  'single sign-on where people need an invitation',
  ({ open, seeds }) => {
    it('takes a person without an organization to the sign-in page, and by an invitation into the console', async () => {
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${inviteProvider.issuer}`));
      await page.goto('/keys');
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByText('You are signed in, and belong to no organization yet').waitFor();
      await expectNoAxeViolations(page);
      await page.goto(await invitationBy(seeds()));
      await page.getByRole('button', { name: 'Join as the person of your single sign-on' }).waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Join as the person of your single sign-on' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      await page.locator('.person').getByText(EMAIL).waitFor();
    });

    it('comes back to the invitation that a new person opened, and tells a member that it is one', async () => {
      inviteProvider.subject = 'subject-2';
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${inviteProvider.issuer}`));
      faults.allow(/status of 4(01|09)/);
      await page.goto(await invitationBy(seeds()));
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByRole('button', { name: 'Join as the person of your single sign-on' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      await page.goto(await invitationBy(seeds()));
      await page.getByRole('button', { name: `Join as ${EMAIL}` }).click();
      await page.getByText('belongs to the organization already').waitFor();
      await expectNoAxeViolations(page);
      await page.context().clearCookies();
      await page.getByRole('button', { name: `Join as ${EMAIL}` }).click();
      await page.getByText('Your session has ended').waitFor();
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByRole('button', { name: `Join as ${EMAIL}` }).waitFor();
    });
  },
  { port: invitePort, environment: settingsFor(inviteProvider, 'invite') },
);

const offPort = await freePort();
const offProvider = await providerFor(offPort);

describeInBrowser(
  'single sign-on that makes no new person',
  ({ open, seeds }) => {
    it('leads a person with an invitation back to it, to join with e-mail and password', async () => {
      const { page, faults } = await open({ cookie: null });
      faults.allow(new RegExp(`^asked another origin: ${offProvider.issuer}`));
      await page.goto(await invitationBy(seeds()));
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByText('Single sign-on knows you, this service does not').waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByText('Single sign-on knows you, this service does not').waitFor();
      expect(offProvider.prompts).toEqual([null, 'login']);
      await page.getByRole('link', { name: 'Join with e-mail and password' }).click();
      await page.getByLabel('E-mail').fill('grace@example.com');
      await page.getByLabel('Password').fill('correct horse battery staple');
      await page.getByRole('button', { name: 'Join', exact: true }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    });
  },
  { port: offPort, environment: settingsFor(offProvider, 'off') },
);

async function invitationBy({ client, cookie }: Seeds): Promise<string> {
  const json = { role: 'member' };
  const made = await client.send<{ url: string }>('POST', '/v1/console/invitations', 201, { cookie, json });
  return made.url;
}
