import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { Keyboard } from '../../../testing/keyboard.ts';
import { openWithClock, readAgainUntil } from '../../../testing/page-clock.ts';

describeInBrowser('the page of keys', ({ open, opened, seeds }) => {
  async function checkStatus(key: string): Promise<number> {
    const response = await fetch(`${opened().service.url}/v1/check`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ namespace: 'login', identifier: 'user-42', limit: 5, window: 60_000 }),
    });
    return response.status;
  }

  async function aPerson(name: string): Promise<string> {
    return await seeds().signUp(name, `${randomUUID()}@example.com`);
  }

  async function openKeys(cookie: string): Promise<Page> {
    const { page } = await open({ cookie, permissions: ['clipboard-read', 'clipboard-write'] });
    await openWithClock(page, '/keys');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    return page;
  }

  /** Creates a key by keyboard alone. Returns its secret. */
  async function createKey(page: Page, name: string, mode: 'live' | 'test'): Promise<string> {
    await page.getByRole('button', { name: 'Create key' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Mode').selectOption(mode);
    await dialog.getByLabel('Name').focus();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Key “${name}” created` }).waitFor();
    return (await page.locator('.secret code').textContent()) ?? '';
  }

  it('keeps its button, and the focus on it, while an organization without keys is read', async () => {
    const { page } = await open({ cookie: await aPerson('Held & Released') });
    const held = Promise.withResolvers<void>();
    await page.route(/\/v1\/(keys|console\/keys|subscription)/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/keys');
    const create = page.getByRole('button', { name: 'Create key' });
    await create.focus();
    held.resolve();
    await page.getByRole('heading', { name: 'Your backend checks each request with a key' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create key' }).waitFor();
  });

  it('guesses no mode before the subscription is read, and makes live keys where it is active', async () => {
    const { page } = await open({ cookie: await aPerson('Late Subscription') });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Start subscription' }).click();
    await page.getByText('Live keys work. Calls above').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/v1\/(console\/)?subscription/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/keys?do=create');
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('pressed early');
    await page.keyboard.press('Enter');
    const mode = dialog.getByLabel('Mode');
    expect(await mode.inputValue()).toBe('');
    held.resolve();
    await expect.poll(() => mode.inputValue()).toBe('live');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Key “pressed early” created' }).waitFor();
    expect(await page.locator('.secret code').textContent()).toMatch(/^svc_limiter_live_/);
  });

  it('creates a key that works until it is revoked', async () => {
    const page = await openKeys(await aPerson('Kite & Ladder'));
    await page.getByRole('heading', { name: 'Your backend checks each request with a key' }).waitFor();
    await page.getByText('curl ').waitFor();
    await expectNoAxeViolations(page);
    const key = await createKey(page, 'local <b>', 'test');
    await page.getByRole('button', { name: 'Copy key' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
    await expectNoAxeViolations(page);
    expect(await checkStatus(key)).toBe(200);
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('body').textContent()).not.toContain(key);
    const revoke = page.getByRole('button', { name: 'Revoke local <b>' });
    await revoke.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => revoke.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await checkStatus(key)).toBe(200);
    await page.keyboard.press('Enter');
    await page.getByText('get 401 at once').waitFor();
    await expectNoAxeViolations(page);
    await new Keyboard(page).press(
      page.locator('tr.detail').getByRole('button', { name: 'Revoke local <b>' }),
    );
    await page
      .getByRole('region', { name: 'Revoked and expired keys table' })
      .getByText('local <b>')
      .waitFor();
    // The table with its heading is gone.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keys');
    expect(await checkStatus(key)).toBe(401);
  });

  it('shows calls as a sparkline and in the month', async () => {
    const page = await openKeys(await aPerson('Sparks'));
    await page.getByRole('button', { name: 'Start subscription' }).click();
    await page.getByText('Live keys work. Calls above').waitFor();
    const key = await createKey(page, 'checkout-eu', 'live');
    for (let call = 0; call < 7; call += 1) expect(await checkStatus(key)).toBe(200);
    const spark = page.getByRole('img', { name: 'Last 36 hours: 5 allowed, 2 denied, 0 refused' });
    await readAgainUntil(page, spark);
    await readAgainUntil(page, page.getByText('99,993 left'));
    expect(await page.locator('.spark .ok').count()).toBeGreaterThan(0);
    expect(await page.getByRole('row', { name: /checkout-eu/ }).textContent()).toContain('In use');
    await page.getByRole('button', { name: 'Cancel subscription…' }).click();
    await page.getByText('it gets 402').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Cancel subscription', exact: true }).click();
    await page.getByText('Needs a subscription').waitFor();
    expect(await checkStatus(key)).toBe(402);
  });

  it('checks the form of a pasted key without sending it', async () => {
    const page = await openKeys(await aPerson('Paste'));
    const key = await createKey(page, 'ci', 'test');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    const box = page.getByLabel('Key', { exact: true });
    await box.fill(key);
    await page.getByText('This is a well-formed test key. It ends like “ci”.').waitFor();
    await box.fill(key.slice(0, -1));
    await page.getByText('31 characters after test_; a key has 32.').waitFor();
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    await expectNoAxeViolations(page);
    expect(sent.filter((text) => text.includes(key.slice(0, -1)))).toEqual([]);
  });

  it('names the limit that a new key meets', async () => {
    const cookie = await aPerson('Full');
    for (let made = 0; made < 20; made += 1) {
      const json = { idempotencyKey: randomUUID(), product: 'limiter', mode: 'test', name: `key ${made}` };
      await seeds().client.send('POST', '/v1/keys', 201, { cookie, json });
    }
    const page = await openKeys(cookie);
    await page.getByText('20 of 20 test').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByLabel('Name').fill('one more');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Revoke a key that nothing needs').waitFor();
    await expectNoAxeViolations(page);
  });

  it('shows one key with its calls by hour and by day', async () => {
    const cookie = await aPerson('One key');
    const page = await openKeys(cookie);
    await createKey(page, 'looked-at', 'test');
    await page.getByRole('link', { name: 'looked-at' }).click();
    await page.getByRole('heading', { name: 'looked-at', level: 1 }).waitFor();
    await page.getByRole('img', { name: '0 calls by hour' }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: '30 days' }).click();
    await page.getByRole('img', { name: '0 calls by day' }).waitFor();
    expect(new URL(page.url()).searchParams.get('unit')).toBe('day');
    await page.getByText('at most 50, then 429').waitFor();
    const path = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Revoke…' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke looked-at' });
    await expectNoAxeViolations(page);
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await expectNoAxeViolations(page);
  });

  it('renames a key, rotates it, and names whom it denied', async () => {
    const page = await openKeys(await aPerson('Rotating'));
    const key = await createKey(page, 'checkout', 'test');
    for (let calls = 0; calls < 7; calls += 1) await checkStatus(key);
    await openWithClock(page, '/keys');
    await page.getByRole('link', { name: 'checkout', exact: true }).click();
    const denied = page.getByRole('region', { name: 'Denied identifiers table' });
    await readAgainUntil(page, denied.getByRole('row', { name: 'user-42 login 1 min 2' }));
    const readout = page.locator('.readout');
    await readout.getByText('7 calls in all').waitFor();
    await page.locator('.period').last().hover();
    await readout.filter({ hasText: /UTC.*allowed ?5.*limit ?2.*429 ?0/ }).waitFor();
    await page.getByRole('heading', { level: 1 }).hover();
    await readout.getByText('7 calls in all').waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit key' });
    await edit.getByLabel('Name').fill('checkout-eu');
    await edit.getByLabel('Expires').selectOption('In 30 days');
    await expectNoAxeViolations(page);
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'checkout-eu', level: 1 }).waitFor();
    await page.getByRole('term').filter({ hasText: 'Expires' }).waitFor();
    const former = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Rotate…' }).click();
    await expectNoAxeViolations(page);
    await page
      .getByRole('dialog', { name: 'Rotate key' })
      .getByRole('button', { name: 'Rotate key' })
      .click();
    const once = page.getByRole('region', { name: 'New key “checkout-eu”' });
    const next = (await once.locator('.secret code').textContent()) ?? '';
    expect([await checkStatus(key), await checkStatus(next)]).toEqual([200, 200]);
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(former);
    await page.goBack();
    await page.getByText('Replaced', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'the new key' }).click();
    // The identifier keeps its window, which is used up.
    await readAgainUntil(page, denied.getByRole('row', { name: 'user-42 login 1 min 1' }));
    await expectNoAxeViolations(page);
  });

  it('shows what stands in the window of an identifier, and ends it after a question', async () => {
    const { keyId, key } = await seeds().key();
    const json = { namespace: 'sign-in', identifier: 'user-7', limit: 1, window: 3_600_000 };
    const isAllowed = async () => {
      const path = '/v1/check';
      const answer = await seeds().client.send<{ data: { allowed: boolean } }>('POST', path, 200, {
        bearer: key,
        json,
      });
      return answer.data.allowed;
    };
    expect([await isAllowed(), await isAllowed()]).toEqual([true, false]);
    const { page } = await open();
    await page.goto(`/keys/${keyId}`);
    await page.getByLabel('Namespace', { exact: true }).fill('sign-in');
    await page.getByLabel('Identifier', { exact: true }).fill('user-7');
    await page.getByLabel('Unit').selectOption('hours');
    await page.getByRole('button', { name: 'Look up', exact: true }).click();
    await page.getByText('1 in the window of 1 h').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Reset window…' }).click();
    const question = page.getByRole('dialog', { name: 'Reset the window of user-7' });
    await expectNoAxeViolations(page);
    await question.getByRole('button', { name: 'Reset window' }).click();
    await page.getByText('no window of 1 h is running').waitFor();
    expect(await isAllowed()).toBe(true);
    expect(page.url()).not.toContain('user-7');
    await expectNoAxeViolations(page);
  });

  it('lets a member look and nothing else', async () => {
    await seeds().key();
    const page = await openKeys(await seeds().join('member', `${randomUUID()}@example.com`));
    await page
      .getByRole('region', { name: 'Active keys table' })
      .getByRole('rowheader', { name: 'Backend' })
      .first()
      .waitFor();
    const create = page.getByRole('button', { name: 'Create key' });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await create.click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('Only an owner cancels it').waitFor();
    await expectNoAxeViolations(page);
  });

  it('says that the revoked keys could not be read, and reads them on request', async () => {
    const cookie = await aPerson('Kite & Revoked');
    const page = await openKeys(cookie);
    await createKey(page, 'gone', 'test');
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Revoke gone' }).click();
    await page.locator('tr.detail').getByRole('button', { name: 'Revoke gone' }).click();
    const revoked = page.getByRole('region', { name: 'Revoked and expired keys table' });
    await revoked.getByText('gone').waitFor();

    const { page: next, faults } = await open({ cookie });
    faults.allow(/ERR_FAILED/);
    await next.route(/\/v1\/keys\?/, (route) => route.abort());
    await next.goto('/keys');
    await next.getByText('The revoked keys could not be read').waitFor();
    await expectNoAxeViolations(next);
    await next.unroute(/\/v1\/keys\?/);
    await next.getByRole('button', { name: 'Try again' }).click();
    await next.getByRole('region', { name: 'Revoked and expired keys table' }).getByText('gone').waitFor();
    expect(await next.getByText('The revoked keys could not be read').count()).toBe(0);
  });
});
