import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';
import { EMAIL, ORGANIZATION, PASSWORD } from '../../testing/seeds.ts';

describeInBrowser('the frame', ({ open, seeds }) => {
  it('goes by single keys, lists them, and switches them off', async () => {
    const { page } = await open();
    await page.goto('/agent-workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await page.keyboard.type('gm');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    await dialog.getByText('Go to Audit').waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByLabel('Single keys are shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.type('ga?');
    await page.getByRole('button', { name: 'Shortcuts' }).first().click();
    await dialog.getByLabel('Single keys are shortcuts').check();
    expect(new URL(page.url()).pathname).toBe('/members');
  });

  it('takes no shortcut from what is typed', async () => {
    const { page } = await open();
    await page.goto('/settings?do=email');
    await page.getByLabel('New e-mail').pressSequentially('gm?');
    expect(await page.getByLabel('New e-mail').inputValue()).toBe('gm?');
    expect(new URL(page.url()).pathname).toBe('/settings');
  });

  it('goes back to what was open, and to the place where a page was left', async () => {
    const workspace = await seeds().workspace('scrolled');
    const { page } = await open({ viewport: { width: 1_280, height: 300 } });
    await page.goto('/settings');
    await page.getByRole('region', { name: 'Sessions table' }).waitFor();
    await page.evaluate(() => scrollTo(0, 200));
    await page.evaluate(
      (to) => history.pushState(null, '', to),
      `/agent-workspaces/${workspace.workspaceId}`,
    );
    const create = page.getByRole('button', { name: 'Create credential' }).first();
    await create.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await create.click();
    const dialog = page.getByRole('dialog', { name: 'Create credential' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    // A press where the dialog was would be the second half of a double one.
    await page.mouse.move(0, 0);
    await create.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(200);
    expect(new URL(page.url()).pathname).toBe('/settings');
  });

  it('switches the organization by keyboard, in every tab', async () => {
    const other = await seeds().client.exchange('POST', '/v1/console/sign-up', 201, {
      json: { organization: 'Southwind', email: 'sol@southwind.example', password: PASSWORD },
    });
    const invitation = await seeds().client.send<{ url: string }>('POST', '/v1/console/invitations', 201, {
      cookie: other.cookie ?? '',
      json: { role: 'member' },
    });
    const cookie = await seeds().signIn();
    const { context, page } = await open({ cookie });
    await page.goto(invitation.url);
    await page.getByRole('button', { name: `Join as ${EMAIL}` }).click();
    await page.getByRole('button', { name: 'Southwind' }).waitFor();
    const tab = await context.newPage();
    await tab.goto('/members');
    await tab.getByRole('row', { name: 'sol@southwind.example' }).waitFor();
    await page.getByRole('button', { name: 'Southwind' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: ORGANIZATION }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.type('North');
    await page.keyboard.press('Enter');
    for (const each of [page, tab]) await each.getByRole('button', { name: ORGANIZATION }).waitFor();
    expect(await tab.getByText('sol@southwind.example').count()).toBe(0);
  });
});
