import { afterAll, expect, it } from 'vitest';
import { IdentityProvider } from '../../../../infra/testing/e2e/identity-provider.fixture.ts';
import { freePort } from '../../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { Keyboard } from '../../../testing/keyboard.ts';

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

function settingsFor({ issuer }: IdentityProvider, signUp: 'open' | 'invite') {
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
  ({ open }) => {
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
      await keyboard.open('/settings?do=email');
      await keyboard.type(page.getByLabel('New e-mail'), 'other@example.com');
      await keyboard.type(page.getByRole('region', { name: 'E-mail' }).getByLabel('Password'), 'none');
      await page.keyboard.press('Enter');
      await page.getByText('Your single sign-on provider keeps the address').waitFor();
      await expectNoAxeViolations(page);
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
      const made = await seeds().client.send<{ url: string }>('POST', '/v1/console/invitations', 201, {
        cookie: seeds().cookie,
        json: { role: 'member' },
      });
      await page.goto(made.url);
      await page.getByRole('button', { name: 'Join as the person of your single sign-on' }).waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Join as the person of your single sign-on' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      await page.locator('.person').getByText(EMAIL).waitFor();
    });
  },
  { port: invitePort, environment: settingsFor(inviteProvider, 'invite') },
);
