import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { restartWith } from '../../../../infra/testing/e2e/operations/stopped-log.fixture.ts';
import { ServiceInProcess } from '../../../../infra/testing/e2e/service-in-process.fixture.ts';
import type { ServiceProcessOptions } from '../../../../infra/tools/service-process/service-process.ts';
import { holdAnswer } from '../../../testing/held-answer.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';

const LETTERS = 3;

/** The requests that close a dead letter, in the order in which the page sends them. */
function closingsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const closing = /dead-letters\/(\S+)\/(?:replay|discard)$/.exec(request.url());
    if (closing !== null) sent.push(closing[1] ?? '');
  });
  return sent;
}

describeInBrowser(
  'several dead letters',
  ({ open }) => {
    it.each([1280, 320])('stay open and chosen where each is refused, %i px wide', async (width) => {
      const { page, faults } = await open({ viewport: { width, height: 900 } });
      faults.allow(/status of 409/);
      await page.goto('/ops');
      const section = page.getByRole('region', { name: 'Dead letters', exact: true });
      const send = section.getByRole('button', { name: 'Send again' });
      await section.getByText('None chosen').waitFor();
      expect(await send.getAttribute('aria-disabled')).toBe('true');
      await section.getByRole('row').nth(2).press('Space');
      await section.getByText('1 chosen').waitFor();
      await section
        .getByRole('checkbox', { name: /^workspaces/ })
        .first()
        .check();
      // What the bar of a phone covers counts as too small to press.
      await page.evaluate(() => scrollTo(0, 0));
      await expectNoAxeViolations(page);
      const sent = closingsOf(page);
      await send.click();
      const dialog = page.getByRole('dialog', { name: 'Send 2 records again' });
      await dialog.getByRole('button', { name: 'Send 2 records again' }).click();
      await dialog.getByText('0 of 2 sent again').waitFor();
      await expect.poll(() => dialog.getByText('Stays open', { exact: true }).count()).toBe(2);
      expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
      expect(new Set(sent).size).toBe(2);
      await expectNoAxeViolations(page);
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      await section.getByText('2 chosen').waitFor();
      expect(await section.getByRole('checkbox', { checked: true }).count()).toBe(2);
    });

    it('continue when Back closes their dialog, and say above the list how that ended', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 409/);
      await page.goto('/ops');
      const section = page.getByRole('region', { name: 'Dead letters', exact: true });
      await section.getByRole('checkbox', { name: `All ${LETTERS}` }).check();
      const sent = closingsOf(page);
      const answer = await holdAnswer(page, '**/replay');
      await section.getByRole('button', { name: 'Send again' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: `Send ${LETTERS} records again` }).click();
      await expect.poll(() => sent.length).toBe(1);
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      await section.getByText(`Sending again: 0 of ${LETTERS}`).waitFor();
      const discard = section.getByRole('button', { name: 'Discard' });
      expect(await discard.getAttribute('aria-disabled')).toBe('true');
      await expectNoAxeViolations(page);
      // What was begun is there again behind another page.
      await page.getByRole('link', { name: 'Keys' }).first().click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      answer.release();
      const end = `0 records were sent again, ${LETTERS} stayed open`;
      await page.locator('.toast').getByText(end).waitFor();
      await page.goBack();
      await section.getByText(end).waitFor();
      await expectNoAxeViolations(page);
      await section.getByRole('button', { name: `Show ${LETTERS} records` }).click();
      await expect.poll(() => dialog.getByText('Stays open', { exact: true }).count()).toBe(LETTERS);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await section.getByRole('button', { name: 'Hide' }).click();
      await section.getByText(end).waitFor({ state: 'detached' });
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('are discarded in order after one question, and once more from the one that was not answered', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 503/);
      await page.goto('/ops');
      const section = page.getByRole('region', { name: 'Dead letters', exact: true });
      await section.getByRole('checkbox', { name: `All ${LETTERS}` }).check();
      const sent = closingsOf(page);
      const error = { code: 'unavailable', message: 'Try again in a moment.', request_id: 'req_1' };
      await page.route('**/discard', (route) =>
        sent.length === 2 ? route.fulfill({ status: 503, json: { error } }) : route.continue(),
      );
      await section.getByRole('button', { name: 'Discard' }).click();
      const dialog = page.getByRole('dialog', { name: `Discard ${LETTERS} records` });
      await dialog.getByText('This cannot be undone').waitFor();
      expect(sent).toEqual([]);
      await dialog.getByRole('button', { name: `Discard ${LETTERS} records` }).press('Enter');
      const rest = page.getByRole('dialog', { name: 'Discard 2 records' });
      await rest.getByText('Stays open', { exact: true }).waitFor();
      await rest.getByText('Not sent yet').waitFor();
      expect(sent).toHaveLength(2);
      await section.getByText('2 chosen').waitFor();
      await rest.getByRole('button', { name: 'Discard 2 records' }).click();
      await page.getByText(`${LETTERS} records were discarded`).waitFor();
      await rest.waitFor({ state: 'detached' });
      expect(sent).toHaveLength(4);
      expect(sent[1]).toBe(sent[2]);
      await expect.poll(() => page.locator(':focus').textContent()).toBe('Dead letters');
      await page.unrouteAll({ behavior: 'wait' });
    });

    it('that are closed have an address, which a reload and Back keep', async () => {
      const { page } = await open();
      await page.goto('/ops?range=1h');
      const section = page.getByRole('region', { name: 'Dead letters', exact: true });
      await section.getByRole('link', { name: 'Closed' }).click();
      await section.getByText('newest first').waitFor();
      expect(new URL(page.url()).search).toBe('?range=1h&letters=closed');
      await page.reload();
      await section.getByText('newest first').waitFor();
      expect(await section.getByRole('checkbox').count()).toBe(0);
      await page.goBack();
      await section.getByText('None. A record').waitFor();
      expect(new URL(page.url()).search).toBe('?range=1h');
    });
  },
  {
    startService: async (options: ServiceProcessOptions) => {
      const service = await ServiceInProcess.start(options);
      const record = { topic: 'workspaces', key: 'a', value: 'no envelope' } as const;
      await restartWith(
        service,
        Array.from({ length: LETTERS }, () => record),
      );
      return service;
    },
  },
);
