import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { afterOther } from '../../../testing/after-other.ts';
import { createWidget, moveFeedback, sendFeedback } from '../../../testing/feedback-seeds.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused, Keyboard, settle } from '../../../testing/keyboard.ts';

const row = (page: Page, message: string) => page.getByRole('rowheader', { name: message });
const line = (page: Page, message: string) => page.locator('tr[data-submission]', { hasText: message });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const alert = (page: Page) => page.getByRole('alert');

describeInBrowser('decisions about feedback', ({ open, seeds }) => {
  /** A widget with messages, in the order of their arrival. */
  async function withMessages(...messages: readonly string[]) {
    const workspace = await seeds().workspace();
    const widgetId = await createWidget(seeds(), workspace);
    const ids: string[] = [];
    for (const message of messages) ids.push(await sendFeedback(seeds(), widgetId, { message }));
    return { workspace, widgetId, ids, path: `/agent-workspaces/${workspace.workspaceId}/feedback` };
  }

  /** Erases as another person does. */
  async function eraseAsOther(workspaceId: string, widgetId: string, submissionId: string): Promise<void> {
    const { client, cookie } = seeds();
    const path = `/v1/console/workspaces/${workspaceId}/widgets/${widgetId}/submissions/${submissionId}`;
    await client.send('DELETE', path, 204, { cookie });
  }

  it('are made one after the other, and can be undone', async () => {
    const { path } = await withMessages('First', 'Second');
    const { page } = await open();
    await page.goto(path);
    await row(page, 'Second').getByRole('button').click();
    await button(page, 'Mark as done').click();
    await page.locator('.message', { hasText: 'First' }).waitFor();
    await line(page, 'Second').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Done 1' }).waitFor();
    await button(page, 'Undo').click();
    await line(page, 'Second').waitFor();
    await page.getByRole('link', { name: 'Open 2' }).waitFor();
  });

  it('leave a person where that person has gone on to before the answer came', async () => {
    const { path } = await withMessages('First', 'Second', 'Third');
    const { page } = await open();
    const answer = Promise.withResolvers<void>();
    await page.route('**/submissions/*', async (route) => {
      if (route.request().method() === 'PATCH') await answer.promise;
      await route.continue();
    });
    await page.goto(path);
    await row(page, 'Third').getByRole('button').click();
    await button(page, 'Mark as done').click();
    await row(page, 'First').getByRole('button').click();
    await page.locator('.message', { hasText: 'First' }).waitFor();
    answer.resolve();
    await line(page, 'Third').waitFor({ state: 'detached' });
    await button(page, 'Undo').waitFor();
    expect(await page.locator('.message').textContent()).toContain('First');
  });

  it('release what was held, which an agent can verify then', async () => {
    const { widgetId, path } = await withMessages('Written by a person');
    const website = 'https://filled.example';
    await sendFeedback(seeds(), widgetId, { message: 'Filled in by a program', website });
    const { page } = await open();
    await page.goto(`${path}?state=held`);
    await row(page, 'Filled in by a program').getByRole('button').click();
    await page.getByText('a program may have sent it: it came').waitFor();
    await button(page, 'Release').click();
    await page.getByText('Nothing is held.').waitFor();
    await page.getByRole('link', { name: 'Open 2' }).click();
    await row(page, 'Filled in by a program').waitFor();
  });

  it('are made by keyboard alone', async () => {
    const { path } = await withMessages('Third', 'Second', 'First');
    const { page } = await open();
    const keyboard = new Keyboard(page);
    await keyboard.open(path);
    await line(page, 'First').waitFor();
    // From the top of the page: the first key leads to the table.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFocused(line(page, 'First'))).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.message', { hasText: 'Second' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Mark as done: the open submission').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await settle(page);
    await page.keyboard.press('d');
    await page.locator('.message', { hasText: 'Third' }).waitFor();
    await expect.poll(() => isFocused(line(page, 'Third'))).toBe(true);
    await settle(page);
    await page.keyboard.press('e');
    await page.getByRole('dialog', { name: 'Erase this submission' }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await keyboard.press(button(page, 'Erase submission'));
    await line(page, 'Third').waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(line(page, 'First'))).toBe(true);
    await settle(page);
    await page.keyboard.press('h');
    await page.getByText('Nothing is open.').waitFor();
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Inbox' }))).toBe(true);
  });

  it('do not overwrite what another person has done', async () => {
    const { workspace, widgetId, ids, path } = await withMessages('Seen by two');
    const { page } = await open();
    await page.goto(`${path}?submission=${ids[0]}`);
    const done = button(page, 'Mark as done');
    await done.waitFor();
    await afterOther(
      page,
      () => moveFeedback(seeds(), workspace, widgetId, ids[0] ?? '', 'held'),
      () => done.click(),
    );
    await alert(page).getByText('Nothing was moved: someone else acted first').waitFor();
    await page.getByText('Nothing is open.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Look in every state' }).click();
    await button(page, 'Release').waitFor();
  });

  it('say that a message is gone which another person has erased', async () => {
    const { workspace, widgetId, ids, path } = await withMessages('Erased by another', 'Stays');
    const { page } = await open();
    await page.goto(`${path}?submission=${ids[0]}`);
    const done = button(page, 'Mark as done');
    await done.waitFor();
    await afterOther(
      page,
      () => eraseAsOther(workspace.workspaceId, widgetId, ids[0] ?? ''),
      () => done.click(),
    );
    await alert(page).getByText('The submission is gone').waitFor();
    await line(page, 'Erased by another').waitFor({ state: 'detached' });
    await row(page, 'Stays').waitFor();
  });

  it('take an erasure as done that another person was faster with', async () => {
    const { workspace, widgetId, ids, path } = await withMessages('Erased twice', 'Stays');
    const { page } = await open();
    await page.goto(`${path}?submission=${ids[0]}`);
    await button(page, 'Erase…').click();
    const erase = button(page, 'Erase submission');
    await erase.waitFor();
    await afterOther(
      page,
      () => eraseAsOther(workspace.workspaceId, widgetId, ids[0] ?? ''),
      () => erase.click(),
    );
    await line(page, 'Erased twice').waitFor({ state: 'detached' });
    await page.locator('.message', { hasText: 'Stays' }).waitFor();
    expect(await alert(page).count()).toBe(0);
  });

  it('belong to owners and admins: a member sees numbers, and gets no message', async () => {
    const { path } = await withMessages('For owners and admins only');
    const { page } = await open({ cookie: await seeds().join('member', 'mia@northwind.example') });
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/')) answers.push(response.text().catch(() => ''));
    });
    await page.goto(path);
    await page.getByText('You are a member and see their numbers.').waitFor();
    await page
      .getByRole('region', { name: 'Widgets table' })
      .getByRole('cell', { name: '1', exact: true })
      .waitFor();
    const seen = [...(await Promise.all(answers)), await page.content()].join('\n');
    expect(seen).not.toContain('For owners and admins only');
    await expectNoAxeViolations(page);
  });
});
