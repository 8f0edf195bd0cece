import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';

describeInBrowser('the theme', ({ open }) => {
  it('follows the system until it is chosen, and is kept', async () => {
    const { page } = await open({ colorScheme: 'dark', cookie: null });
    await page.goto('/sign-in');
    const scheme = () =>
      page.evaluate(() => {
        const { colorScheme, color } = getComputedStyle(document.body);
        return { chosen: document.documentElement.dataset['theme'] ?? null, colorScheme, color };
      });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const dark = await scheme();
    expect(dark.chosen).toBeNull();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Change theme' }).click();
    const light = await scheme();
    expect(light.chosen).toBe('light');
    expect(light.color).not.toBe(dark.color);
    await expectNoAxeViolations(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await scheme()).toEqual(light);
    await page.getByRole('button', { name: 'Change theme' }).click();
    expect(await scheme()).toEqual(dark);
  });
});
