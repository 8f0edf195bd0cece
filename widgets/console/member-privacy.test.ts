import { expect, it } from 'vitest';
import { createWidget, sendFeedback } from '../testing/feedback-seeds.ts';
import { describeInBrowser } from '../testing/in-browser.ts';
import { HEADERS, testRows, validateFile } from './pages/imports/imports.fixture.ts';

/** Values and headers of the file, none of which a random id can have in it. */
const PRIVATE = ['Place 1', 'private comment', '"Mag"', '"us1"', '"4,6"'];

/** The feedback of a visitor. */
const MESSAGE = 'a message for owners and admins';

describeInBrowser('a member of the organization', ({ open, seeds }) => {
  it('gets no private row, header or secret on any page, nor in any answer', async () => {
    const workspace = await seeds().workspace('rows-of-customers');
    const file = { name: 'Events', headers: HEADERS, rows: testRows(40, 7) };
    const { importId, schemaId } = await validateFile(seeds(), workspace, file);
    await seeds().verifiedResult(workspace);
    const widgetId = await createWidget(seeds(), workspace);
    const submissionId = await sendFeedback(seeds(), widgetId, { message: MESSAGE, path: '/private-page' });
    const { key } = await seeds().key();
    const { page } = await open({ cookie: await seeds().join('member', 'mia@northwind.example') });
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/')) answers.push(response.text().catch(() => ''));
    });
    const at = `/agent-workspaces/${workspace.workspaceId}`;
    const pages = [
      '/agent-workspaces',
      at,
      `${at}/imports`,
      `${at}/imports/${importId}?rows=all`,
      `${at}/schemas`,
      `${at}/schemas/${schemaId}`,
      `${at}/checklists`,
      `${at}/feedback?state=all&submission=${submissionId}`,
      `${at}/checks`,
      '/keys',
      '/members',
      '/audit',
      '/settings',
      '/ops',
    ];
    const seen: string[] = [];
    for (const path of pages) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      seen.push(await page.content());
    }
    const everything = [...seen, ...(await Promise.all(answers))].join('\n');
    // Less would mean that nothing was looked at.
    expect(everything).toContain('rows-of-customers');
    expect(answers.length).toBeGreaterThan(pages.length);
    const secrets = [...PRIVATE, MESSAGE, '/private-page', key, workspace.agent.workspace.credential];
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  });
});
