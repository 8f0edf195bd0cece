import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { PASSWORD } from '../../../testing/seeds.ts';

const NEW_PASSWORD = 'another one of the admin';

interface Act {
  readonly name: string;
  /** Does it in another tab, up to the question. */
  readonly act: (other: Page, email: string) => Promise<void>;
}

const ACTS: readonly Act[] = [
  {
    name: 'leaving the organization',
    act: async (other) => {
      await other.goto('/settings');
      await other.getByRole('button', { name: 'Leave…' }).click();
      await other.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    },
  },
  {
    name: 'erasing the account',
    act: async (other, email) => {
      await other.goto('/settings');
      await other.getByRole('button', { name: 'Erase…' }).click();
      await other.locator('input[name=password]').fill(PASSWORD);
      await other.getByLabel('Type your e-mail address').fill(email);
      await other.getByRole('button', { name: 'Erase my account' }).click();
    },
  },
  {
    name: 'signing in as another person',
    act: async (other) => {
      await other.goto('/sign-in');
      await signIn(other, 'another@example.com', PASSWORD);
    },
  },
];

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describeInBrowser('a secret that is shown in another tab', ({ open, seeds }) => {
  /** An admin with two tabs, of which the first shows a new key. */
  async function twoTabs() {
    const email = `${randomUUID()}@example.com`;
    const { page, context } = await open({ cookie: await seeds().join('admin', email) });
    await page.goto('/keys?do=create');
    const form = page.getByRole('dialog', { name: 'Create key' });
    await form.getByLabel('Name').fill('checkout');
    await form.getByRole('button', { name: 'Create key' }).click();
    const secret = page.locator('.secret code');
    await secret.waitFor();
    return { email, secret, other: await context.newPage() };
  }

  it.each(ACTS)('is asked about before $name', async ({ act }) => {
    const { email, secret, other } = await twoTabs();
    await act(other, email);
    const question = other.getByRole('dialog', { name: 'You have not saved this yet' });
    await question.getByText('Key “checkout” created, in another tab').waitFor();
    await expectNoAxeViolations(other);
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await secret.isVisible()).toBe(true);
  });

  it('stays, unasked, while the same person changes the password and signs in', async () => {
    const { email, secret, other } = await twoTabs();
    await other.goto('/settings?do=password');
    await other.getByLabel('Current password').fill(PASSWORD);
    await other.getByLabel('New password').fill(NEW_PASSWORD);
    await other.getByRole('button', { name: 'Change password', exact: true }).click();
    await other.getByText('Password changed').waitFor();
    await other.goto('/sign-in');
    await signIn(other, email, NEW_PASSWORD);
    await other.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect(await secret.isVisible()).toBe(true);
  });
});
