import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { ServiceProcess } from '../../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { EMAIL, ORGANIZATION, PASSWORD } from '../../../testing/seeds.ts';

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Set up', level: 1 }).waitFor();
  await page.getByLabel('Organization').fill(ORGANIZATION);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
}

describeInBrowser(
  'a service that is not set up',
  ({ open, opened }) => {
    it.each([
      ['of another service', `svc_setup_${'0'.repeat(40)}`],
      ['that is cut off', 'svc_setup_0000'],
      ['that no address can have', '%E0%A4%A'],
    ])('is not set up with a link %s', async (_name, code) => {
      const { page } = await open();
      await page.goto(`/set-up#${code}`);
      await fillIn(page);
      const alert = page.getByRole('alert');
      await alert.getByText('This is not the set-up link of this service').waitFor();
      expect(await page.getByLabel('Organization').inputValue()).toBe(ORGANIZATION);
      await expectNoAxeViolations(page);
    });

    it('is set up with its own link, in the tab that had a wrong one', async () => {
      const { page } = await open();
      await page.goto(`/set-up#svc_setup_${'0'.repeat(40)}`);
      await fillIn(page);
      await page.getByRole('alert').getByText('This is not the set-up link').waitFor();
      // Only the fragment differs, so that the page stays, and its form begins again.
      await page.goto(opened().service.setUpLink);
      await page.getByRole('alert').waitFor({ state: 'detached' });
      // Where the first press was, a button has just appeared again.
      await page.mouse.move(0, 0);
      await fillIn(page);
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    });
  },
  { isSetUp: false, startService: ServiceProcess.start },
);
