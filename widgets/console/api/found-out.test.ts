import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';
import { loseAnswers } from '../../testing/lose-answers.ts';

/** The browser notes each request without an answer. */
const NO_ANSWER = /ERR_CONNECTION_RESET/;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeInBrowser('an act whose answer was lost', ({ open, seeds }) => {
  it('repeats the verb that failed, whatever the page has read since', async () => {
    const workspace = await seeds().workspace('same-verb');
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspace.workspaceId);
    const { page, faults } = await open();
    faults.allow(NO_ANSWER);
    const { sent } = await loseAnswers(page, /\/pause$/, 2);
    const resumed = await loseAnswers(page, /\/resume$/, 2);
    await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
    const badge = page.locator('.head .badge');
    await button(page, 'Pause').click();
    await page.getByText('It is not known whether this was done').waitFor();
    await badge.filter({ hasText: 'Paused' }).waitFor();
    await expectNoAxeViolations(page);
    await button(page, 'Try again').click();
    await page.locator('.toast', { hasText: 'same-verb is paused' }).waitFor();
    expect(sent).toHaveLength(3);
    expect(resumed.sent).toEqual([]);
    await badge.filter({ hasText: 'Paused' }).waitFor();
    await button(page, 'Resume').click();
    await page.getByText('It is not known whether this was done').waitFor();
    await badge.filter({ hasText: 'Active' }).waitFor();
    await button(page, 'Try again').click();
    await page.locator('.toast', { hasText: 'same-verb is active again' }).waitFor();
    expect(sent).toHaveLength(3);
  });
});
