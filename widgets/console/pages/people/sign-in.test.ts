import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { EMAIL, PASSWORD } from '../../../testing/seeds.ts';

describeInBrowser('sign-in', ({ open }) => {
  it('counts attempts down, pauses, and says when the pause ends', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-in?return=%2Fmembers');
    await page.getByText('Then back to').waitFor();
    await page.getByLabel('E-mail').fill('nobody@northwind.example');
    for (let left = 9; left >= 0; left -= 1) {
      await page.getByLabel('Password').fill(`guess ${left}`);
      await page.keyboard.press('Enter');
      await page.getByText(left === 0 ? 'No attempt is left' : `At most ${left} attempt`).waitFor();
    }
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await page.getByLabel('Password').fill('another guess');
    await page.keyboard.press('Enter');
    await page.getByText('Sign-in is paused until').waitFor();
    await expectNoAxeViolations(page);
  });

  it('says below a field what is wrong with it, and begins there', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill('ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter an e-mail address, such as').waitFor();
    await page.getByText('Required').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await expectNoAxeViolations(page);
  });

  it('leads to sign-up and back to the page that was wanted', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/members');
    expect(await page.getByRole('link', { name: 'How they begin' }).getAttribute('href')).toBe(
      '/docs/tutorials/agent',
    );
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('Organization').fill('Southwind <b>bold</b>');
    await page.getByLabel('E-mail').fill('sol@southwind.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Southwind <b>bold</b>' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Members');
  });

  it('takes a reason of which it knows nothing for a failed single sign-on', async () => {
    const { page } = await open({ cookie: null });
    for (const reason of ['another', 'constructor', '__proto__']) {
      await page.goto(`/sign-in?problem=${reason}`);
      await page.getByRole('alert').getByText('Single sign-on failed').waitFor();
    }
  });

  it('does not say that an address has an account', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-up');
    await page.getByLabel('Organization').fill('Second');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('No account was created with this address').waitFor();
  });

  it('offers no single sign-on where there is none, and never leaves for another site', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-in?return=https%3A%2F%2Fevil.example%2F');
    await page.getByText('No account?').waitFor();
    expect(await page.getByRole('link', { name: 'Continue with single sign-on' }).count()).toBe(0);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  });
});

const PROVIDER_THAT_IS_DOWN = {
  SIGN_UP: 'invite',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'svc',
  OIDC_CLIENT_SECRET: 'a secret that only the two of them know',
};

describeInBrowser(
  'single sign-on',
  ({ open }) => {
    it('comes back to the sign-in page if the provider does not answer, and keeps the way back', async () => {
      const { page } = await open({ cookie: null });
      await page.goto('/audit?what=audit.export');
      await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
      await page.getByText('The single sign-on provider does not answer').waitFor();
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('return')).toBe('/audit?what=audit.export');
      await expectNoAxeViolations(page);
    });

    it('says so after a sign-in that this browser did not start', async () => {
      const { page } = await open({ cookie: null });
      await page.goto('/v1/console/oidc/callback?code=1&state=2');
      await page.getByText('This sign-in has ended').waitFor();
    });

    it('leaves new people to an invitation where sign-up is closed', async () => {
      const { page } = await open({ cookie: null });
      await page.goto('/sign-up');
      await page.getByText('New people need an invitation here').waitFor();
      await expectNoAxeViolations(page);
    });
  },
  { environment: PROVIDER_THAT_IS_DOWN },
);
