import { expect, it } from 'vitest';
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
