import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Owner } from '../../../infra/demo/owner.ts';
import { TRANSLATION } from '../../testing/hosts/page-scripts.ts';
import { describeInBrowser } from '../../testing/in-browser.ts';
import { openWithClock, readAgainUntil } from '../../testing/page-clock.ts';
import { HEADERS, testMapping, testRows, uploadFile } from '../pages/imports/imports.fixture.ts';

/** A translation that is made once: texts that come later stay as they are. */
const ONCE = TRANSLATION.replace(/new MutationObserver.*;/, '');
/** The same in two steps, and with the texts kept inside of it. */
const INSIDE = ONCE.replace(
  'text.replaceWith(outer);',
  'text.parentNode.insertBefore(outer, text); outer.append(text);',
)
  .replace("inner.textContent = '«' + text.data + '»';", '')
  .replace('outer.append(inner);', '');
const IN_STEPS = ONCE.replace(
  'text.replaceWith(outer);',
  'text.parentNode.insertBefore(outer, text); text.remove();',
);

describeInBrowser('the console while the browser translates it', ({ open, seeds }) => {
  async function opened(script: string, path: (cookie: string) => Promise<string> | string) {
    const cookie = await seeds().signUp(randomUUID(), `${randomUUID()}@translated.example`);
    const { page } = await open({ cookie });
    const address = await path(cookie);
    await page.addInitScript(script);
    await openWithClock(page, address);
    return { page, cookie };
  }
  const translate = (page: Page) => page.evaluate('translatePage(document.body)');
  const createKey = (cookie: string, name: string) =>
    seeds().client.send('POST', '/v1/keys', 201, {
      cookie,
      json: { idempotencyKey: randomUUID(), product: 'limiter', mode: 'test', name },
    });

  describe.each([
    ['again after each change', TRANSLATION, '«2 active'],
    ['once', ONCE, '2 active'],
    ['once, in two steps', IN_STEPS, '2 active'],
    ['once, around its texts', INSIDE, '2 active'],
  ])('%s', (_how, script, expected) => {
    it('counts what is there', async () => {
      const { page, cookie } = await opened(script, async (session) => {
        await createKey(session, 'First');
        return '/keys';
      });
      const meta = page.locator('.head-meta');
      await meta.getByText('1 active').waitFor();
      await translate(page);
      await createKey(cookie, 'Second');
      await readAgainUntil(page, page.getByText(/^«?Second»?$/).first());
      await expect.poll(() => meta.textContent()).toContain(expected);
      expect(await meta.textContent()).not.toContain('1 active');
    });

    it('shows the state of an import, and nothing of the one before', async () => {
      const workspace = await seeds().preview('translated');
      const { importId } = await uploadFile(workspace, { name: 'Four', headers: HEADERS, rows: testRows(4) });
      const { page } = await opened(script, async (session) => {
        await new Owner(seeds().client, session).attach(await seeds().claimLink(workspace));
        return `/agent-workspaces/${workspace.workspaceId}/imports/${importId}`;
      });
      const badge = page.locator('.head .badge');
      await badge.getByText('Uploaded').waitFor();
      await translate(page);
      await workspace.agent.map(importId, testMapping(HEADERS));
      await seeds().validate(workspace.agent, importId);
      await readAgainUntil(page, badge.getByText('Ready'));
      await expect.poll(() => badge.textContent()).toMatch(/^«?Ready»?$/);
      expect(await page.locator('main').textContent()).not.toContain('waits for a mapping');
      for (const name of ['Imports', 'translated']) {
        await page.locator('.crumbs a').last().click();
        await page.locator('h1').getByText(name).waitFor();
      }
    });
  });

  it('leaves ids and times as they are', async () => {
    const { page } = await opened(TRANSLATION, async (session) => {
      await createKey(session, 'First');
      return '/keys';
    });
    await page.getByText('1 active').waitFor();
    await translate(page);
    const data = page.locator('main :is(code, time)');
    expect(await data.count()).toBeGreaterThan(0);
    expect((await data.allTextContents()).filter((text) => text.includes('«'))).toEqual([]);
  });
});
