import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createWidget, sendFeedback } from '../../../testing/feedback-seeds.ts';
import { describeInBrowser } from '../../../testing/in-browser.ts';
import { isFocused, settle } from '../../../testing/keyboard.ts';

const line = (page: Page, message: string) => page.locator('tr[data-submission]', { hasText: message });
const shown = (page: Page, message: string) => page.locator('.message', { hasText: message }).waitFor();
const toastOf = (page: Page, text: string) => page.locator('.toast').getByText(text).waitFor();

describeInBrowser('the keys of an open message', ({ open, seeds }) => {
  /** Opens the newest of some messages. The page sends into the returned list. */
  async function opened(...messages: readonly string[]) {
    const workspace = await seeds().workspace();
    const widgetId = await createWidget(seeds(), workspace);
    for (const message of messages.toReversed()) await sendFeedback(seeds(), widgetId, { message });
    const { page, faults } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/feedback`);
    await line(page, messages[0] ?? '')
      .getByRole('button')
      .click();
    await shown(page, messages[0] ?? '');
    const moves: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') moves.push(request.postData() ?? '');
    });
    return { page, faults, moves };
  }

  /** Marks the open message as done, as a person does who has read it. */
  async function markAsDone(page: Page, message: string): Promise<void> {
    await settle(page);
    await page.keyboard.press('d');
    await line(page, message).waitFor({ state: 'detached' });
  }

  it('do nothing to the message that has just opened', async () => {
    const { page, moves } = await opened('First', 'Second', 'Third');
    await markAsDone(page, 'First');
    await shown(page, 'Second');
    await page.keyboard.press('d');
    await page.keyboard.press('h');
    await page.keyboard.press('e');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFocused(line(page, 'Third'))).toBe(true);
    expect(moves).toHaveLength(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await markAsDone(page, 'Second');
  });

  it('act once while they are held', async () => {
    const { page, moves } = await opened('First', 'Second', 'Third');
    await settle(page);
    await page.keyboard.down('d');
    await shown(page, 'Second');
    await settle(page);
    // The keyboard repeats a key that is down.
    await page.keyboard.down('d');
    await page.keyboard.down('d');
    await page.keyboard.up('d');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => isFocused(line(page, 'Third'))).toBe(true);
    expect(moves).toHaveLength(1);
  });

  it('are undone as one run, from the last to the first, where the focus continues', async () => {
    const { page, moves } = await opened('First', 'Second', 'Third');
    await markAsDone(page, 'First');
    await toastOf(page, 'Submission marked as done');
    await markAsDone(page, 'Second');
    await toastOf(page, '2 submissions marked as done');
    await page.getByRole('button', { name: 'Undo all', exact: true }).click();
    await line(page, 'First').waitFor();
    await line(page, 'Second').waitFor();
    await page.getByRole('link', { name: 'Open 3' }).waitFor();
    await expect.poll(() => isFocused(line(page, 'First'))).toBe(true);
    expect(moves.map((body) => JSON.parse(body).state)).toEqual(['done', 'done', 'open', 'open']);
  });

  it('undo the latest act by a key, and lead to its message', async () => {
    const { page } = await opened('First', 'Second');
    await markAsDone(page, 'First');
    await toastOf(page, 'Submission marked as done');
    await settle(page);
    await page.keyboard.press('z');
    await expect.poll(() => isFocused(line(page, 'First'))).toBe(true);
  });

  it('leave the rest of a run to be undone where one message could not be', async () => {
    const { page, faults } = await opened('First', 'Second', 'Third');
    faults.allow(/status of 503/);
    await markAsDone(page, 'First');
    await toastOf(page, 'Submission marked as done');
    await markAsDone(page, 'Second');
    await toastOf(page, '2 submissions marked as done');
    const error = { code: 'unavailable', message: 'It failed in the test.', request_id: 'req_test' };
    const held = Promise.withResolvers<void>();
    // The page sends a change again once whose outcome is not known.
    let refused = 0;
    await page.route('**/submissions/*', async (route) => {
      if (route.request().method() !== 'PATCH' || refused === 2) return await route.fallback();
      refused += 1;
      await held.promise;
      return await route.fulfill({ status: 503, json: { error } });
    });
    await page.getByRole('button', { name: 'Undo all', exact: true }).click();
    // The toast after the refusals has the same text.
    await page.locator('.toast').waitFor({ state: 'detached' });
    held.resolve();
    await toastOf(page, '2 submissions marked as done');
    expect(refused).toBe(2);
    await settle(page);
    await page.getByRole('button', { name: 'Undo all', exact: true }).click();
    await page.getByRole('link', { name: 'Open 3' }).waitFor();
  });
});
