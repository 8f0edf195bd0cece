import { expect, it } from 'vitest';
import { ServiceInProcess } from '../../../../infra/testing/e2e/service-in-process.fixture.ts';
import { restartWith } from '../../../../infra/testing/e2e/stopped-log.fixture.ts';
import type { ServiceProcessOptions } from '../../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';

describeInBrowser('the operation of the service', ({ open, seeds }) => {
  it('lets an operator stop runs and let them in again', async () => {
    const { page } = await open();
    await page.goto('/agent-workspaces');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Operations' }).click();
    const runs = page.getByRole('switch', { name: 'Check runs' });
    for (const isOn of [false, true]) {
      await runs.click();
      await page.getByText(`Check runs: ${isOn ? 'on' : 'off'}`).waitFor();
      expect(await runs.getAttribute('aria-checked')).toBe(String(isOn));
      await page.reload();
      await runs.waitFor();
      expect(await runs.getAttribute('aria-checked')).toBe(String(isOn));
    }
    await expectNoAxeViolations(page);
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
      await row.getByText('reading JSON').waitFor();
      await expectNoAxeViolations(page);
      await row.getByRole('button', { name: 'Look' }).click();
      const dialog = page.getByRole('dialog', { name: 'Dead letter of workspaces' });
      await dialog.getByText('no envelope').waitFor();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await dialog.getByText('The dead letter stays open').waitFor();
      await dialog.getByText('a record that cannot be read (reading JSON)').waitFor();
      await expectNoAxeViolations(page);
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await page.getByText('None. A record that cannot be handled comes here').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
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
