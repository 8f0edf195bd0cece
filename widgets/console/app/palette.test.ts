import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';

const SEARCH = '**/v1/console/search*';

describeInBrowser('the palette', ({ open, seeds }) => {
  it('goes to a resource by name or pasted id, and does what waits, by keyboard alone', async () => {
    const workspace = await seeds().workspace('seismic-catalogue');
    const { importId } = await seeds().import(workspace);
    const { page } = await open();
    await page.goto('/agent-workspaces');
    await page.getByRole('link', { name: 'seismic-catalogue' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Name, id or action' });
    await field.waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.type('earth');
    await page.getByRole('option', { name: /, import Ready/ }).waitFor();
    await expectNoAxeViolations(page);
    expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/^Approve [\d,]+ rows/);
    // Keys of an input method accept and choose words; Safari tells them by their code alone.
    for (const taken of [{ isComposing: true }, { keyCode: 229 }]) {
      for (const key of ['ArrowDown', 'Enter']) await field.dispatchEvent('keydown', { key, ...taken });
    }
    expect(await page.getByRole('option', { selected: true }).textContent()).toMatch(/^Approve [\d,]+ rows/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`/imports/${importId}`);

    await page.keyboard.press('Control+k');
    await field.fill(workspace.workspaceId);
    await page.getByRole('option', { name: 'seismic-catalogue, workspace' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/agent-workspaces/${workspace.workspaceId}`);

    await page.keyboard.press('Control+k');
    await field.fill('no such thing');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('runs actions of the page and of the organization', async () => {
    const { workspaceId } = await seeds().workspace('shop');
    const { page } = await open();
    const run = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Name, id or action' }).fill(text);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await page.goto('/audit');
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await run('create key', 'Create key');
    await page.getByRole('dialog', { name: 'Create key' }).getByRole('button', { name: 'Cancel' }).click();
    await run('shop erase', /^Erase workspace shop/);
    await page.getByRole('button', { name: 'Erase…', expanded: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/agent-workspaces/${workspaceId}`);
    await run('revoke agent', /^Revoke Agent/);
    await page.getByRole('dialog', { name: 'Revoke Agent' }).getByRole('button', { name: 'Keep it' }).click();
    await run('theme', /^Switch theme/);
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'On this page' }).waitFor();
    await expectNoAxeViolations(page);
  });

  it('says that it searches, searches again after a refusal, and says that a search was not answered', async () => {
    const { workspaceId } = await seeds().workspace('late-answers');
    const { page, faults } = await open();
    faults.allow(/status of 429|ERR_FAILED/);
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    const asked = Promise.withResolvers<void>();
    const error = { code: 'rate_limited', message: 'Too many requests.', request_id: 'req_1' };
    await page.route(SEARCH, async (route) => {
      asked.resolve();
      await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error } });
    });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Name, id or action' });
    await field.fill(workspaceId);
    await asked.promise;
    await page.getByText('Searching…').waitFor();
    await page.unroute(SEARCH);
    await page.getByRole('option', { name: 'late-answers, workspace' }).waitFor();

    await page.route(SEARCH, (route) => route.abort());
    await field.fill('not answered');
    await page.getByText('The search was not answered').waitFor();
    expect(await page.getByText('No results').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('says at once that a search is refused for a minute, and searches again when asked', async () => {
    await seeds().workspace('refused-search');
    const { page, faults } = await open();
    faults.allow(/status of 429/);
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    const error = { code: 'rate_limited', message: 'Too many requests.', request_id: 'req_1' };
    await page.route(SEARCH, (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json: { error } }),
    );
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search or run a command' });
    await dialog.getByRole('combobox').fill('refused-sear');
    await dialog.getByText('The search was not answered').waitFor();
    await page.unroute(SEARCH);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('option', { name: 'refused-search, workspace' }).waitFor();
  });

  it('says that names are missing, and in itself that the service is away', async () => {
    const { page, context, faults } = await open();
    faults.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 500/);
    await page.route('**/v1/console/members', (route) => route.fulfill({ status: 500 }));
    await page.goto('/keys');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search or run a command' });
    await dialog.getByRole('combobox').fill('remove grace');
    await dialog.getByText('Some names could not be read').waitFor();
    expect(await dialog.getByText('No results').count()).toBe(0);
    await context.setOffline(true);
    await dialog.getByText('The service cannot be reached').waitFor();
    await dialog.getByRole('combobox').fill('remove ada');
    await dialog.getByText('The search was not answered').waitFor();
    expect(await dialog.getByText('No results').count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  it('has each act once, and tells two credentials of one name apart', async () => {
    const { workspaceId } = await seeds().workspace('twins');
    for (const idempotencyKey of ['one', 'two']) {
      const json = { idempotencyKey, name: 'backend' };
      const path = `/v1/console/workspaces/${workspaceId}/credentials`;
      await seeds().client.send('POST', path, 201, { cookie: seeds().cookie, json });
    }
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspaceId}`);
    await page
      .getByRole('row', { name: /^backend/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Name, id or action' });
    await field.fill('disconnect twins');
    const disconnect = page.getByRole('option', { name: /^Disconnect workspace/ });
    await disconnect.waitFor();
    expect(await disconnect.count()).toBe(1);
    await field.fill('revoke backend');
    const revoke = page.getByRole('option', { name: /^Revoke backend/ });
    await expect.poll(() => revoke.count()).toBe(2);
    const last4 = /…(\w{4})/.exec((await revoke.first().textContent()) ?? '')?.[1];
    await revoke.first().click();
    await page
      .getByRole('dialog', { name: 'Revoke backend' })
      .getByText(`the secret that ends in ${last4}`)
      .waitFor();
  });

  it('says that what the number beside Workspaces counts waits, which a pause is not', async () => {
    const paused = await seeds().workspace('paused-on-purpose');
    await seeds().verifiedResult(paused);
    await seeds().owner.claim(paused.workspaceId);
    const path = `/v1/console/workspaces/${paused.workspaceId}/pause`;
    await seeds().client.send('POST', path, 200, { cookie: seeds().cookie, json: {} });
    await seeds().import(await seeds().workspace('waits-for-approval'));
    const { page } = await open();
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const waiting = page.getByRole('group', { name: 'Waits for you' });
    await waiting.getByRole('option', { name: /waits-for-approval/ }).waitFor();
    expect(await waiting.getByRole('option', { name: /paused-on-purpose/ }).count()).toBe(0);
  });

  it('opens on a narrow page by its button, and gives the focus back', async () => {
    const { page } = await open({ viewport: { width: 320, height: 700 } });
    await page.goto('/agent-workspaces');
    const button = page.getByRole('button', { name: 'Search or run a command' });
    await button.click();
    await page.getByRole('combobox', { name: 'Name, id or action' }).fill('members');
    await page.getByRole('option', { name: 'Members page' }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
