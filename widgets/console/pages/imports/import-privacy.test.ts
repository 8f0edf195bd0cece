import type { CDPSession } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { HEADERS, testRows, validateFile } from './imports.fixture.ts';

const ROWS = 10_000;
const HEAP_BYTES_MAX = 48 * 1_024 * 1_024;
/** Rows that are in the page at once, at most: those of the viewport and some around it. */
const DRAWN_MAX = 60;

describeInBrowser('private rows of imports', ({ open, seeds }) => {
  it('show a member counts, and no private value in the page or in any answer', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(40, 7) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open({ cookie: await seeds().join('member', 'mia@northwind.example') });
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/')) answers.push(response.text());
    });
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    await page.getByText('Owners and admins approve. You are a member.').waitFor();
    await page.getByRole('heading', { name: '5 errors in 5 rows' }).waitFor();
    await expectNoAxeViolations(page);
    const seen = [...(await Promise.all(answers)), await page.content()].join('\n');
    for (const secret of ['Place 1', 'private comment', '"Mag"', '"us1"', '"4,6"'])
      expect(seen).not.toContain(secret);
  });

  it('download the rejected rows as CSV', async () => {
    const workspace = await seeds().workspace();
    const file = { name: 'Events', headers: HEADERS, rows: testRows(40, 7) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Errors as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`rejected-rows-${importId}.csv`);
  });

  it('are scrolled through in bounded memory, with few of them in the page', async () => {
    const workspace = await seeds().workspace();
    await validateFile(seeds(), workspace, { name: 'First', headers: HEADERS, rows: testRows(10) });
    await seeds().owner.claim(workspace.workspaceId);
    const file = { name: 'Events', headers: HEADERS, rows: testRows(ROWS, 200) };
    const { importId } = await validateFile(seeds(), workspace, file);
    const { page, context } = await open();
    await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=all`);
    await page.getByRole('gridcell', { name: 'Place 1', exact: true }).waitFor();
    const drawn = await page.evaluate(scrollToEnd);
    await page.getByRole('gridcell', { name: `Place ${ROWS}`, exact: true }).waitFor();
    expect(drawn).toBeLessThan(DRAWN_MAX);
    expect(await heapBytes(await context.newCDPSession(page))).toBeLessThan(HEAP_BYTES_MAX);
  });
});

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Scrolls the rows to their end, a part in each frame. Returns the largest number of rows that were in the page at once. */
async function scrollToEnd(): Promise<number> {
  // Two pages of rows: a slow machine asks for every page that it passes, and 100 of them would meet the rate limit.
  const STEP_PX = 6_400;
  const rows = document.querySelector('.rows.window');
  if (rows === null) throw new Error('finding the rows');
  let drawn = 0;
  for (let top = 0; top < rows.scrollHeight; top += STEP_PX) {
    rows.scrollTop = top;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    drawn = Math.max(drawn, rows.querySelectorAll('tr[data-index]').length);
  }
  return drawn;
}
