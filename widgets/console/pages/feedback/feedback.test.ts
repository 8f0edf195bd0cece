import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  createWidget,
  FEEDBACK_ORIGIN,
  moveFeedback,
  sendFeedback,
  verifyFeedback,
} from '../../../testing/feedback-seeds.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import type { SeededWorkspace } from '../../../testing/seeds.ts';

/** More than one page of the list. */
const MANY = 60;

const LIMITS = {
  http: { visitorPerMinute: 100_000 },
  plans: { preview: { feedbackSubmissions: 200, feedbackWidgets: 2 } },
};

const row = (page: Page, message: string) => page.getByRole('rowheader', { name: message });
const inbox = (page: Page) => page.getByRole('region', { name: 'Inbox table' });

describeInBrowser(
  'the feedback page',
  ({ open, seeds }) => {
    async function withWidget(): Promise<{ workspace: SeededWorkspace; widgetId: string; path: string }> {
      const workspace = await seeds().workspace();
      const widgetId = await createWidget(seeds(), workspace);
      return { workspace, widgetId, path: `/agent-workspaces/${workspace.workspaceId}/feedback` };
    }

    it('leads from an empty workspace to the first message, without a reload', async () => {
      const workspace = await seeds().workspace();
      const { page } = await open();
      await page.clock.install();
      await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
      await page.getByRole('link', { name: /^Feedback/ }).click();
      await page.getByRole('heading', { name: 'No feedback widget yet' }).waitFor();
      await page.getByText('feedback create --origin').waitFor();
      const widgetId = await createWidget(seeds(), workspace);
      await page.clock.fastForward('00:20');
      await page.getByRole('heading', { name: 'No feedback yet' }).waitFor();
      await page.getByText(`/v1/feedback/${widgetId}/loader.v1.js`).waitFor();
      await expectNoAxeViolations(page);
      await sendFeedback(seeds(), widgetId, { message: 'The first one.' });
      await page.clock.fastForward('00:20');
      await row(page, 'The first one.').waitFor();
    });

    it('leaves a message most of a phone, also while it is open', async () => {
      const { widgetId, path } = await withWidget();
      const message = 'How do I mute one station? I found the setting for all of them only.';
      await sendFeedback(seeds(), widgetId, { message });
      const { page } = await open({ viewport: { width: 320, height: 800 } });
      await page.goto(path);
      const width = () => row(page, message).evaluate((cell) => cell.clientWidth);
      await row(page, message).waitFor();
      expect(await width()).toBeGreaterThan(160);
      await row(page, message).getByRole('button').click();
      await page.getByRole('button', { name: 'Mark as done' }).waitFor();
      expect(await width()).toBeGreaterThan(160);
      await expectNoAxeViolations(page);
    });

    it('shows what is known of a widget, and its tags with the digest of the script', async () => {
      const { workspace, widgetId, path } = await withWidget();
      const submissionId = await sendFeedback(seeds(), widgetId, { message: 'Verified.' });
      await verifyFeedback(seeds(), workspace, widgetId, submissionId);
      const { page } = await open();
      await page.goto(path);
      const widget = page.getByRole('row', { name: FEEDBACK_ORIGIN });
      await widget.getByText('Not proved').waitFor();
      await widget.getByText(/^Verified/).waitFor();
      await page.getByRole('button', { name: `Show tags of ${FEEDBACK_ORIGIN}` }).click();
      interface Capabilities {
        readonly downloads: readonly { readonly name: string; readonly integrity: string }[];
      }
      const { downloads } = await seeds().client.send<Capabilities>('GET', '/v1/agent/capabilities', 200);
      const script = downloads.find(({ name }) => /^svcfeedback-widget-.*\.js$/.test(name));
      await page.getByText(script?.integrity ?? 'no digest', { exact: true }).waitFor();
      await page.getByText(`data-widget-id="${widgetId}"`).waitFor();
      await expectNoAxeViolations(page);
      await page.reload();
      await page.getByRole('button', { name: `Hide tags of ${FEEDBACK_ORIGIN}` }).waitFor();
    });

    it('keeps the state, the open message and the widget in its address', async () => {
      const { workspace, widgetId, path } = await withWidget();
      const other = await createWidget(seeds(), workspace, 'https://status.example');
      const lines = { message: 'Two lines:\nthe second one', rating: 4, path: '/map' };
      const submissionId = await sendFeedback(seeds(), widgetId, lines);
      await sendFeedback(seeds(), widgetId, { message: 'Watches', website: 'https://watches.example' });
      const { page } = await open();
      await page.goto(path);
      await row(page, 'Two lines').getByRole('button').click();
      await page.waitForURL(`**/feedback?submission=${submissionId}`);
      expect(await page.locator('.message').textContent()).toBe(lines.message);
      await page.getByText('4 of 5').last().waitFor();
      await page.reload();
      await page.locator('.message').waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('link', { name: 'Held 1' }).click();
      await row(page, 'Watches').waitFor();
      // The inbox grows at its end, so that what is below it is hard to reach.
      const headings = await page.locator('main h2').allTextContents();
      expect(headings).toEqual(['Widgets', 'Inbox']);
      expect(await row(page, 'Two lines').count()).toBe(0);
      await page.getByRole('link', { name: 'https://status.example' }).click();
      await page.waitForURL(`**/feedback?state=held&widget=${other}`);
      await page.getByRole('heading', { name: 'No feedback yet' }).waitFor();
      await page.goBack();
      await row(page, 'Watches').waitFor();
    });

    it('reads messages again only when the counts have changed', async () => {
      const { workspace, widgetId, path } = await withWidget();
      const submissionId = await sendFeedback(seeds(), widgetId, { message: 'Done by another' });
      const { page } = await open();
      const answers: string[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (/widgets|submissions/.test(pathname)) {
          answers.push(`${pathname.split('/').at(-1)} ${response.status()}`);
        }
      });
      await page.clock.install();
      await page.goto(path);
      await row(page, 'Done by another').waitFor();
      for (const passes of [1, 2]) {
        await page.clock.fastForward('00:20');
        await expect
          .poll(() => answers.filter((each) => each === 'widgets 304').length)
          .toBeGreaterThanOrEqual(passes);
      }
      expect(answers.filter((each) => each.startsWith('submissions'))).toEqual(['submissions 200']);
      await moveFeedback(seeds(), workspace, widgetId, submissionId, 'done');
      await page.clock.fastForward('00:20');
      await inbox(page).getByText('Nothing is open.').waitFor();
      await page.getByRole('link', { name: 'Done 1' }).waitFor();
    });

    it('finds an older message by its address, and says when a list of several pages has changed', async () => {
      const { widgetId, path } = await withWidget();
      const oldest = await sendFeedback(seeds(), widgetId, { message: 'The oldest' });
      for (let sent = 1; sent < MANY; sent += 1) {
        await sendFeedback(seeds(), widgetId, { message: `Message ${sent}` });
      }
      const { page } = await open();
      await page.clock.install();
      await page.goto(`${path}?submission=${oldest}`);
      await page.locator('.message', { hasText: 'The oldest' }).waitFor();
      await expect.poll(() => inbox(page).locator('tr[data-submission]').count()).toBe(MANY);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
      await sendFeedback(seeds(), widgetId, { message: 'The newest' });
      await page.clock.fastForward('00:20');
      await page.getByRole('button', { name: 'Show the changes' }).waitFor();
      expect(await row(page, 'The newest').count()).toBe(0);
      await page.getByRole('button', { name: 'Show the changes' }).click();
      await row(page, 'The newest').waitFor();
      await page.locator('.message', { hasText: 'The oldest' }).waitFor();

      // Pages that were not read may have it.
      const cut = await open();
      cut.faults.allow(/ERR_FAILED/);
      const OLDER = /\/submissions\?.*cursor=/;
      await cut.page.route(OLDER, (route) => route.abort());
      await cut.page.goto(`${path}?submission=${oldest}`);
      const again = cut.page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      expect(await cut.page.getByText('is not in this list').count()).toBe(0);
      await cut.page.unroute(OLDER);
      await again.click();
      await cut.page.locator('.message', { hasText: 'The oldest' }).waitFor();

      // A list of more pages than are searched.
      const long = await open();
      await long.page.route(OLDER, (route) => route.fulfill({ json: { submissions: [], nextCursor: '1' } }));
      await long.page.goto(`${path}?submission=${oldest}`);
      await long.page.getByText('is not among the first 50 of this list').waitFor();
      expect(await long.page.getByText('is not in this list').count()).toBe(0);
    });

    it('says why nothing arrives in a workspace that is paused, disconnected or erased', async () => {
      const { workspace, widgetId, path } = await withWidget();
      const { client, cookie, owner } = seeds();
      const submissionId = await sendFeedback(seeds(), widgetId, { message: 'Before the pause' });
      await verifyFeedback(seeds(), workspace, widgetId, submissionId);
      await owner.claim(workspace.workspaceId);
      const change = (action: string, json: object) =>
        client.send('POST', `/v1/console/workspaces/${workspace.workspaceId}/${action}`, 200, {
          cookie,
          json,
        });
      await change('pause', {});
      const { page } = await open();
      await page.goto(path);
      await page.getByText('The workspace is paused').waitFor();
      await row(page, 'Before the pause').waitFor();
      await change('disconnect', { confirm: 'seismic-catalogue' });
      await page.goto(`${path}?submission=${submissionId}`);
      await page.getByText('The workspace is disconnected: the widgets').waitFor();
      await page.getByRole('button', { name: 'Erase…' }).waitFor();
      expect(await page.getByRole('button', { name: 'Mark as done' }).count()).toBe(0);
      await expectNoAxeViolations(page);
      await change('erase', { confirm: 'seismic-catalogue' });
      await page.goto(path);
      await page.getByRole('heading', { name: 'This workspace was erased' }).waitFor();
      expect(await page.getByText('Before the pause').count()).toBe(0);
    });

    it('is found in the palette, by the name of its workspace and by the origin of a widget', async () => {
      const workspace = await seeds().workspace('found-by-name');
      const origin = 'https://found-by-origin.example';
      const widgetId = await createWidget(seeds(), workspace, origin);
      const { page } = await open();
      await page.goto('/agent-workspaces');
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Name, id or action' }).fill('found-by');
      await page.getByRole('option', { name: `${origin}, feedback widget` }).waitFor();
      await page.getByRole('option', { name: /^Feedback/ }).waitFor();
      await page.getByRole('option', { name: `${origin}, feedback widget` }).click();
      await page.waitForURL(`**/agent-workspaces/${workspace.workspaceId}/feedback?widget=${widgetId}`);
      await page.getByRole('heading', { name: 'Feedback', level: 1 }).waitFor();
    });
  },
  { limits: LIMITS },
);
