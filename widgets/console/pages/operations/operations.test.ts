import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  makeSmallDisk,
  mayMount,
  type SmallDisk,
} from '../../../../infra/testing/e2e/operations/small-disk.fixture.ts';
import { restartWith } from '../../../../infra/testing/e2e/operations/stopped-log.fixture.ts';
import { ServiceInProcess } from '../../../../infra/testing/e2e/service-in-process.fixture.ts';
import type { ServiceProcessOptions } from '../../../../infra/tools/service-process/service-process.ts';
import { MINUTE_MS } from '../../../../schemas/base/time.ts';
import { afterOther } from '../../../testing/after-other.ts';
import { holdAnswer } from '../../../testing/held-answer.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { openWithClock, readAgainUntil } from '../../../testing/page-clock.ts';
import { scrolledSideways } from '../../../testing/sideways.ts';

const SCREEN_PX = 844;

describeInBrowser('the operation of the service', ({ open, seeds }) => {
  it('lets an operator stop runs and let them in again', async () => {
    const { page } = await open();
    await page.goto('/agent-workspaces');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Operations' }).click();
    const runs = page.getByRole('switch', { name: 'Check runs' });
    for (const isOn of [false, true]) {
      const answer = await holdAnswer(page, '**/v1/ops/switches');
      await runs.click();
      if (!isOn) {
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Switch off' }).click();
        await dialog.getByRole('button', { name: 'Switching off' }).waitFor();
      }
      answer.release();
      await page.getByText(`Check runs: ${isOn ? 'on' : 'off'}`).waitFor();
      expect(await runs.getAttribute('aria-checked')).toBe(String(isOn));
      await page.reload();
      await runs.waitFor();
      expect(await runs.getAttribute('aria-checked')).toBe(String(isOn));
    }
    await expectNoAxeViolations(page);
  });

  it('leaves off what another operator has switched off meanwhile', async () => {
    const { page } = await open();
    await page.goto('/ops');
    const runs = page.getByRole('switch', { name: 'Check runs' });
    await runs.waitFor();
    const setAll = (json: object) =>
      seeds().client.send('PUT', '/v1/ops/switches', 200, { cookie: seeds().cookie, json });
    const on = { creation: true, feedback: true, runs: true };
    await afterOther(
      page,
      () => setAll({ ...on, creation: false }),
      async () => {
        await runs.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
        await page.getByText('Check runs: off').waitFor();
      },
    );
    const creation = page.getByRole('switch', { name: 'Workspace creation' });
    await expect.poll(() => creation.getAttribute('aria-checked')).toBe('false');
    await setAll(on);
  });

  it.each([1280, 320])('names a process that is gone inside of its table, %i px wide', async (width) => {
    const { page } = await open({ viewport: { width, height: 900 } });
    await page.route('**/v1/ops/summary', async (route) => {
      const response = await route.fetch();
      const summary = await response.json();
      const [process] = summary.processes;
      const gone = { ...process, processId: 'a1b2c3d4e5f6', state: 'gone' };
      const replaced = { ...gone, processId: 'b1b2c3d4e5f6', at: '2026-01-01T00:00:00.000Z' };
      await route.fulfill({ response, json: { ...summary, processes: [process, replaced, gone] } });
    });
    await page.goto('/ops');
    const table = page.getByRole('region', { name: 'Health table' });
    const cell = table.getByText(/^a1b2c3d4e5f6 gone since/).first();
    await cell.waitFor();
    await table.getByText('1 of 2').first().waitFor();
    expect(await cell.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await expectNoAxeViolations(page);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it.each([1280, 320])(
    'says what does not run without processors, and calls nothing none, %i px wide',
    async (width) => {
      const { page } = await open({ viewport: { width, height: 900 } });
      await page.route('**/v1/ops/summary', async (route) => {
        const response = await route.fetch();
        const summary = await response.json();
        const processes = summary.processes.map((process: object) => ({ ...process, roles: ['gateway'] }));
        await route.fulfill({ response, json: { ...summary, processes, topics: [] } });
      });
      await page.goto('/ops');
      const health = page.getByRole('region', { name: 'Health table' });
      await health.getByRole('row', { name: 'Processors' }).getByText('None').waitFor();
      for (const title of ['Topics', 'Imports and runs']) await unfold(page, title);
      await page.getByText('A topic comes here once a process reads it.').waitFor();
      await page.getByText('Work comes here once a worker or runner reads it.').waitFor();
      await page.getByRole('region', { name: 'Now' }).getByText('not known').waitFor();
      await expectNoAxeViolations(page);
    },
  );

  it.each([1280, 320])('lists the workspaces behind the numbers of an hour, %i px wide', async (width) => {
    const { workspaceId } = await seeds().preview();
    const { page } = await open({ viewport: { width, height: 900 } });
    await openWithClock(page, '/ops');
    await page.getByRole('heading', { name: 'Workspaces per hour' }).waitFor();
    await unfold(page, 'Workspaces per hour');
    const table = page.getByRole('region', { name: 'Workspaces per hour' });
    const created = table.getByRole('button', { name: /^Created in the hour of/ });
    await readAgainUntil(page, created);
    await created.click();
    const dialog = page.getByRole('dialog', { name: /^Created in the hour of/ });
    await readAgainUntil(page, dialog.getByTitle(workspaceId));
    await dialog.getByText(`npm run ops -- aggregate workspaces ${workspaceId}`).waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
  });

  it.each([320, 390])('is seen in two screens of %i pixels, with the rest one press away', async (width) => {
    const { page } = await open({ viewport: { width, height: SCREEN_PX } });
    await page.goto('/ops');
    await page.getByRole('row', { name: 'Embedded engine' }).getByText('Healthy').waitFor();
    const runs = page.getByRole('switch', { name: 'Check runs' });
    await expect.poll(async () => (await runs.boundingBox())?.y).toBeLessThan(1.5 * SCREEN_PX);
    const summaries = page.locator('main summary');
    expect(
      await summaries.evaluateAll((all) => all.map((each) => each.querySelector('h2')?.textContent)),
    ).toEqual([
      'Over time',
      'Topics',
      'Workspaces per hour',
      'Imports and runs',
      'Feedback by origin',
      'Near a limit',
      'Processes',
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2.2 * SCREEN_PX);
    expect(await scrolledSideways(page)).toEqual([]);
    const topics = page.getByRole('region', { name: 'Topics table' });
    expect(await topics.count()).toBe(0);
    const link = page.getByRole('region', { name: 'Now' }).locator('a[href="#topics"]').first();
    for (const _ of ['once', 'again']) {
      await link.click();
      await topics.getByRole('button', { name: 'activate' }).waitFor();
      await page.locator('summary', { hasText: 'Topics' }).click();
      await topics.waitFor({ state: 'detached' });
    }
    for (const summary of await summaries.all()) await summary.click();
    await page.getByRole('row', { name: 'All shown below' }).waitFor();
    await page.getByRole('group', { name: 'Time range' }).getByRole('button', { name: '1 h' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('1h');
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    expect(await scrolledSideways(page)).not.toContain('the page');
    // The bar at the top lies over what is scrolled under it.
    await page.evaluate(() => scrollTo(0, 0));
    await expectNoAxeViolations(page);
  });

  it('has no state while it does not answer', async () => {
    const { page, context, faults } = await open();
    faults.allow(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/ops');
    const head = page.locator('.head');
    await head.getByText('Healthy').waitFor();
    await context.setOffline(true);
    await head.getByText('Unknown').waitFor();
    await head.getByText('Not live, last read').waitFor();
    await context.setOffline(false);
    await head.getByText('Healthy').waitFor();
  });

  it('is no place of others', async () => {
    const { page } = await open({ cookie: await seeds().join('admin', 'helper@northwind.example') });
    await page.goto('/agent-workspaces');
    await page.getByRole('link', { name: 'Settings' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
    await page.goto('/ops');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });
});

describeInBrowser(
  'records that could not be handled',
  ({ open }) => {
    it('are shown with their reason, and discarded where sending them again is of no use', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 409/);
      await page.goto('/ops');
      const row = page.getByRole('row', { name: 'workspaces partition' });
      await row.getByText('The record is not JSON.').waitFor();
      await page.getByRole('link', { name: 'Operations 1 to look at' }).waitFor();
      await page.getByRole('link', { name: 'Review dead letters' }).click();
      await expectNoAxeViolations(page);
      await row.getByRole('button', { name: 'Review' }).click();
      const dialog = page.getByRole('dialog', { name: 'Dead letter of workspaces' });
      await dialog.getByText('no envelope').waitFor();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await dialog.getByText('The dead letter stays open').waitFor();
      await dialog.getByText('Either it would fail again').waitFor();
      await dialog.getByText('a record that cannot be read (reading JSON)').waitFor();
      await expectNoAxeViolations(page);
      // The browser takes a step back a moment later, and would merge another one into it.
      const entry = () => page.evaluate(() => history.state?.opened);
      const ofLetter = await entry();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      const question = page.getByRole('dialog', { name: 'Discard the dead letter' });
      await question.getByRole('button', { name: 'Keep it' }).click();
      await expect.poll(entry).toBe(ofLetter);
      await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
      await question.waitFor();
      await expect.poll(entry).not.toBe(ofLetter);
      for (const opened of [question, dialog]) {
        await page.goBack();
        await opened.waitFor({ state: 'detached' });
      }
      await row.getByRole('button', { name: 'Review' }).click();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await question.getByRole('button', { name: 'Discard' }).click();
      await page.getByText('None. A record that cannot be handled comes here').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      const focused = page.locator(':focus');
      await expect.poll(() => focused.textContent()).toBe('Dead letters');
      await page.getByRole('link', { name: 'Closed' }).click();
      await row.getByText('Discarded').waitFor();
      expect(new URL(page.url()).pathname).toBe('/ops');
      await expectNoAxeViolations(page);
    });
  },
  {
    startService: async (options: ServiceProcessOptions) => {
      const service = await ServiceInProcess.start(options);
      await restartWith(service, [{ topic: 'workspaces', key: 'a', value: 'no envelope' }]);
      return service;
    },
  },
);

let disk: SmallDisk;

describeInBrowser(
  'a full disk',
  ({ open }) => {
    it.skipIf(!mayMount())(
      'is the first thing on the page, with whom it affects and what to do',
      async () => {
        const { page } = await open();
        await openWithClock(page, '/ops');
        const healthy = page.getByRole('row', { name: 'Embedded engine' }).getByText('Healthy');
        await healthy.waitFor();
        disk.fill();
        const findings = page.getByRole('region', { name: 'What is wrong' });
        const full = findings.getByRole('heading', { name: 'The disk is full up to the reserve' });
        await readAgainUntil(page, full);
        await findings.getByText('Everyone who creates, uploads or reports something').waitFor();
        await findings.getByText('Make room on the disk of the data folder').waitFor();
        const runbook = findings.getByRole('link', { name: 'Open the runbook' });
        expect(await runbook.getAttribute('href')).toBe('/docs/runbook#disk-room-scarce');
        await page.getByRole('row', { name: 'Embedded engine' }).getByText('Full').waitFor();
        await expectNoAxeViolations(page);
        disk.empty();
        await readAgainUntil(page, healthy);
        await findings.waitFor({ state: 'detached' });
      },
    );
  },
  {
    startService: async ({ environment, ...options }: ServiceProcessOptions) => {
      disk = makeSmallDisk();
      const onDisk = { SVC_DATA_FOLDER: join(disk.folder, 'data'), SVC_DISK_RESERVE_MIB: '2' };
      const service = await ServiceInProcess.start({
        ...options,
        environment: { ...environment, ...onDisk },
      });
      service.onDispose(async () => disk.remove());
      return service;
    },
  },
);

describeInBrowser(
  'a halted partition',
  ({ open }) => {
    it('is the first thing on the page, with its reason, whom it affects and what to do', async () => {
      const { page } = await open();
      await page.goto('/ops');
      const findings = page.getByRole('region', { name: 'What is wrong' });
      await findings.getByRole('heading', { name: '1 partition of activate has halted' }).waitFor();
      await findings.getByText('about 1 in 8 of the customers who need this').waitFor();
      await findings
        .getByText(/stands still: record \d+ is stamped \d+ s ahead of this process's clock/)
        .waitFor();
      const runbook = findings.getByRole('link', { name: 'Open the runbook' });
      expect(await runbook.getAttribute('href')).toBe('/docs/runbook#partition-halted');
      await page.getByRole('row', { name: 'Processors' }).getByText('Partly halted').waitFor();
      await page.getByRole('button', { name: 'activate' }).click();
      await page.getByRole('dialog', { name: 'Partitions of activate' }).getByText('is stamped').waitFor();
      await expectNoAxeViolations(page);
    });
  },
  {
    startService: async (options: ServiceProcessOptions) => {
      const service = await ServiceInProcess.start(options);
      await restartWith(service, [{ topic: 'activate', key: 'a', value: 'no envelope' }], 11 * MINUTE_MS);
      return service;
    },
  },
);

/** Opens a section where the page is narrow. */
async function unfold(page: Page, title: string): Promise<void> {
  const summary = page.locator('summary', { hasText: title });
  if ((await summary.count()) > 0) await summary.click();
}
