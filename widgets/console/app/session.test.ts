import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';
import { EMAIL, ORGANIZATION, PASSWORD } from '../../testing/seeds.ts';

/** The addresses of the service that a page asks, with the one by which it learns that the service is away. */
const SERVICE = /\/(v1|livez)\b/;

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

/** Opens a page whose clock the test moves. */
async function openUntilEnd(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Lets an idle page look at its session, which has ended. */
async function findEnd(page: Page): Promise<void> {
  await page.clock.fastForward('02:00');
  await again(page).waitFor();
}

async function signInAgain(page: Page): Promise<void> {
  await again(page).getByLabel('Password').fill(PASSWORD);
  await again(page).getByRole('button', { name: 'Sign in', exact: true }).click();
}

describeInBrowser('the session', ({ open, seeds }) => {
  it('is asked for before a page is shown, and leads back to it', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/agent-workspaces?state=active');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/agent-workspaces?state=active');
    expect(await page.locator('body').textContent()).toContain(ORGANIZATION);
    await expectNoAxeViolations(page);
  });

  it('is not asked for by the page of a visitor, whose browser notes no refusal', async () => {
    const { page } = await open({ cookie: null });
    const notes: string[] = [];
    page.on('console', (message) => notes.push(message.text()));
    for (const path of ['/sign-in', '/agent-workspaces', '/invitation']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await page.goto('/agent-workspaces');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const workspaces = page.getByRole('heading', { name: 'Workspaces', level: 1 });
    await workspaces.waitFor();
    // The history has the page as a visitor got it. A reload is told of the session with the 304.
    await page.goto('/docs');
    await page.goBack();
    await workspaces.waitFor();
    await page.reload();
    await workspaces.waitFor();
    expect(notes).toEqual([]);
  });

  it('that cannot be read is a page with its reason, which continues once it can', async () => {
    const { page } = await open();
    const error = { code: 'rate_limited', message: 'Seen too many.', request_id: 'req_1' };
    await page.route('**/v1/console/session', (route) => route.fulfill({ status: 429, json: { error } }));
    await page.goto('/agent-workspaces');
    await page.getByRole('heading', { name: 'Your sign-in could not be checked', level: 1 }).waitFor();
    await page.getByText('Too many requests in a short time').waitFor();
    await expectNoAxeViolations(page);
    await page.unroute('**/v1/console/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
  });

  it('does not begin with a wrong password, and keeps the address that was typed', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('not the password of ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('E-mail and password do not match').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(EMAIL);
    await expectNoAxeViolations(page);
  });

  it('is asked for in a dialog above the page where it ends, and continues there', async () => {
    const cookie = await seeds().signIn();
    const { page } = await open({ cookie });
    await page.clock.install();
    await page.goto('/agent-workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    await page.clock.fastForward('02:00');
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/agent-workspaces');
    await page.getByText(EMAIL).first().waitFor();
  });

  it('that ends while a change is sent continues with it after the sign-in', async () => {
    const cookie = await seeds().signIn();
    const { page } = await open({ cookie });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const create = page.getByRole('dialog', { name: 'Create key' });
    await create.getByLabel('Name').fill('made-after-sign-in');
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    await create.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('region', { name: 'Key “made-after-sign-in” created' }).waitFor();
    expect(await page.getByText('header.Cookie').count()).toBe(0);
  });

  it('that has ended in two tabs begins in both with one sign-in', async () => {
    const cookie = await seeds().signIn();
    const { context, page } = await open({ cookie });
    const other = await context.newPage();
    for (const tab of [page, other]) await openUntilEnd(tab, '/audit');
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    for (const tab of [page, other]) await findEnd(tab);
    await signInAgain(page);
    for (const tab of [page, other]) await again(tab).waitFor({ state: 'detached' });
    await other.getByRole('button', { name: 'Export CSV' }).click();
    await other.getByText('Audit log exported').waitFor();
  });

  it('that begins as another person in one tab shows nothing of the one before in the others', async () => {
    const cookie = await seeds().signIn();
    await seeds().join('member', 'bob@northwind.example');
    const { context, page } = await open({ cookie });
    const other = await context.newPage();
    for (const tab of [page, other]) await openUntilEnd(tab, '/audit');
    await seeds().client.send('POST', '/v1/console/sign-out', 204, { cookie, json: {} });
    for (const tab of [page, other]) await findEnd(tab);
    await again(page).getByRole('link', { name: 'Sign in as another person' }).click();
    await page.getByLabel('E-mail').fill('bob@northwind.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await other.getByRole('button', { name: 'bob@northwind.example' }).waitFor();
    expect(await other.content()).not.toContain(EMAIL);
  });

  it('that cannot be read for a while is read once the service answers, without a reload', async () => {
    const { page, faults } = await open();
    faults.allow(/ERR_FAILED/);
    await page.route(SERVICE, (route) => route.abort());
    await page.goto('/agent-workspaces');
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByRole('heading', { name: 'Your sign-in could not be checked' }).waitFor();
    await expectNoAxeViolations(page);
    await page.unroute(SERVICE);
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect(await page.getByText('The service cannot be reached').count()).toBe(0);
  });

  it('that is signed out of in one tab ends in the others, which show nothing more', async () => {
    const cookie = await seeds().signIn();
    const { context, page } = await open({ cookie });
    const other = await context.newPage();
    await page.goto('/members');
    for (const tab of [page, other]) {
      await tab.goto('/agent-workspaces');
      await tab.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    }
    await other.getByRole('button', { name: EMAIL, exact: true }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    // A tab whose own request is answered first asks to sign in again, under another heading, until it is told.
    const signIn = { name: 'Sign in', exact: true };
    for (const tab of [page, other]) await tab.getByRole('heading', signIn).waitFor();
    expect(new URL(page.url()).search).toBe('?return=%2Fagent-workspaces');
    await page.goBack();
    await page.getByRole('heading', signIn).waitFor();
  });
});
