import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../../../testing/in-browser.ts';
import { CheckingAgent } from '../../../testing/seeded-checks.ts';

/** Notes the changes that a page sends. */
function sentBy(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') sent.push(`${request.method()} ${pathname.split('/').at(-1)}`);
  });
  return sent;
}

describeInBrowser('a double press', ({ open, seeds }) => {
  it('turns a switch on, and only a press after the pointer has moved asks to turn it off', async () => {
    const json = { creation: true, feedback: true, runs: false };
    await seeds().client.send('PUT', '/v1/ops/switches', 200, { cookie: seeds().cookie, json });
    const { page } = await open();
    // The second half comes at once, however slow the machine is.
    await page.addInitScript(() => {
      performance.now = () => 0;
    });
    await page.goto('/ops');
    const runs = page.getByRole('switch', { name: 'Check runs' });
    await runs.click();
    await page.getByText('Check runs: on').waitFor();
    // The second half, where the first one was.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    // What a press opens is there with the next frame.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.mouse.move(0, 0);
    await runs.click();
    await page.getByRole('dialog', { name: 'Switch off check runs' }).waitFor();
  });

  it('sends a change once, also where both halves come in one moment', async () => {
    const workspace = await seeds().workspace('sent-once');
    await seeds().verifiedResult(workspace);
    await seeds().owner.claim(workspace.workspaceId);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
    const sent = sentBy(page);
    await page.getByRole('button', { name: 'Pause', exact: true }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    expect(sent).toEqual(['POST pause']);
  });

  it('on a button that opens a dialog leaves the dialog open', async () => {
    const { page } = await open();
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).dblclick();
    await page.getByRole('dialog', { name: 'Create key' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('of Enter ends no second session, and each is ended after a question', async () => {
    for (let sessions = 0; sessions < 2; sessions += 1) await seeds().signIn();
    const { page } = await open();
    await page.goto('/settings');
    const sent = sentBy(page);
    await page.getByRole('button', { name: 'End session' }).first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'End session' });
    await dialog.waitFor();
    expect(sent).toEqual([]);
    await dialog.getByRole('button', { name: 'End session' }).dblclick();
    await page.getByText('Session ended').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(sent.filter((each) => each.startsWith('DELETE'))).toHaveLength(1);
  });
});

describeInBrowser(
  'a double press of a button whose act ends at once',
  ({ open, opened, seeds }) => {
    it.each(['pointer', 'keyboard'])(
      'sends a change once that is refused before the next frame, by %s',
      async (by) => {
        const workspace = await seeds().workspace(`refused-at-once-${by}`);
        await new CheckingAgent(seeds(), workspace, opened().site).nameOrigin(opened().site.origin);
        const { page, faults } = await open();
        faults.allow(/status of 4/);
        // No frame comes, and no time passes.
        await page.addInitScript(() => {
          globalThis.requestAnimationFrame = () => 0;
          performance.now = () => 0;
        });
        await page.goto(`/agent-workspaces/${workspace.workspaceId}/checks`);
        const confirm = page.getByRole('button', { name: /^Confirm/ }).first();
        await confirm.waitFor();
        const sent = sentBy(page);
        const press = () => (by === 'pointer' ? confirm.click() : confirm.press('Enter'));
        await press();
        await page.getByText('The origin is not proved').waitFor();
        await press();
        expect(sent).toEqual(['POST confirm']);
      },
    );
  },
  { hasSite: true },
);
