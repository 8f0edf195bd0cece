import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { ServiceProcess } from '../../../../infra/tools/service-process/service-process.ts';
import { BadDisk } from '../../../testing/disk/bad-disk.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { ServiceClock } from '../../../testing/past/service-clock.ts';
import { fileBytes, HEADERS, testMapping, testRows, uploadFile, validateFile } from './imports.fixture.ts';

const HOUR_MS = 3_600_000;

/** Two looks at a list are 15 s apart, and a slow machine adds to that. */
const LIST_MS_MAX = 60_000;

/** The state in the head of the page. */
const badge = (page: Page, word: string) => page.locator('.head .badge', { hasText: word });

/** Notes each load of a page after the first one. */
function countLoads(page: Page): () => number {
  let loads = -1;
  page.on('load', () => {
    loads += 1;
  });
  return () => loads;
}

/** A file of nine parts: 100 rows are one. It is larger than what the database keeps, so that it is a file on the disk. */
function nineParts() {
  const rows = testRows(900).map(([event = '', magnitude = '', place = '']) => [
    event,
    magnitude,
    place,
    'x'.repeat(100),
  ]);
  return { name: 'Nine parts', headers: HEADERS, rows };
}

const disk = new BadDisk();
afterAll(() => disk.dispose());

describeInBrowser(
  'an import that is being validated',
  ({ open, seeds }) => {
    it('shows the parts and rows that are done, and then the result, on pages that stay open', async () => {
      const workspace = await seeds().workspace();
      const file = nineParts();
      const { importId } = await uploadFile(workspace, file);
      await workspace.agent.map(importId, testMapping(HEADERS));
      const { page } = await open();
      const { page: list } = await open();
      const loads = [countLoads(page), countLoads(list)];
      await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}`);
      await list.goto(`/agent-workspaces/${workspace.workspaceId}/imports`);
      await list.getByRole('cell', { name: 'Uploaded' }).waitFor();

      // Behind the start of the eighth part, and before that of the ninth.
      disk.breakFrom(Math.floor(fileBytes(file).length * 0.85));
      await page.getByRole('button', { name: 'Validate', exact: true }).click();
      await badge(page, 'Validating').waitFor();
      await page.getByText('8 of 9 parts').waitFor();
      await page.getByText('800 rows', { exact: true }).waitFor();
      const progress = page.getByRole('progressbar', { name: 'Validated parts' });
      expect(await progress.evaluate((bar) => (bar as HTMLProgressElement).value)).toBe(8);
      await expectNoAxeViolations(page);

      disk.mend();
      await badge(page, 'Ready').waitFor();
      await page.getByRole('button', { name: 'Approve 900 rows' }).waitFor();
      await page.getByRole('gridcell', { name: 'Place 1', exact: true }).waitFor();
      await list.getByRole('cell', { name: 'Ready' }).waitFor({ timeout: LIST_MS_MAX });
      expect(loads.map((count) => count())).toEqual([0, 0]);
    });
  },
  { environment: disk.environment, startService: ServiceProcess.start },
);

const clock = new ServiceClock(1);
afterAll(() => clock.dispose());

describeInBrowser(
  'an import whose private data ends while its page is open',
  ({ open, seeds }) => {
    it('shows none of its rows any more, and says why and what to do', async () => {
      const workspace = await seeds().workspace();
      const file = { name: 'Events', headers: HEADERS, rows: testRows(40, 7) };
      const { importId } = await validateFile(seeds(), workspace, file);
      const { page } = await open();
      await page.clock.install();
      await page.goto(`/agent-workspaces/${workspace.workspaceId}/imports/${importId}?rows=all`);
      await page.getByRole('gridcell', { name: 'Place 1', exact: true }).waitFor();
      await page.getByText('ends in').waitFor();

      await clock.set(-2 * HOUR_MS);
      await page.clock.fastForward('02:00:00');
      await badge(page, 'Expired').waitFor();
      await page.getByText('Upload the file again to import it.').waitFor();
      expect(await page.getByRole('grid').count()).toBe(0);
      const text = (await page.locator('main').textContent()) ?? '';
      for (const secret of ['Place 1', 'private comment', 'us1', 'Mag']) expect(text).not.toContain(secret);
      expect(await page.getByRole('button', { name: 'Errors as CSV' }).count()).toBe(0);
      await expectNoAxeViolations(page);
    });
  },
  {
    environment: clock.environment,
    limits: { imports: { retentionMs: HOUR_MS } },
    startService: ServiceProcess.start,
  },
);
