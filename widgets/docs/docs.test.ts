import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../testing/in-browser.ts';
import { isFocused, Keyboard } from '../testing/keyboard.ts';

/** A page of each kind: first pages, text, long code, tabs, wide tables, lists, an address without a page. */
const PAGES = [
  '/',
  '/docs',
  '/docs/tutorials/backend',
  '/docs/quick-start',
  '/docs/api',
  '/docs/api/recordEvent',
  '/docs/errors',
  '/docs/settings',
];

const LOOKS = [
  { width: 320, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
  { width: 1_280, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'dark' },
] as const;

// A request to another origin, an error and a violation of the policy fail every test.
describeInBrowser('the documentation', ({ open }) => {
  it.each(LOOKS)('is whole and accessible at $width pixels, $colorScheme', async ({ width, colorScheme }) => {
    const { page } = await open({ cookie: null, colorScheme, viewport: { width, height: 900 } });
    for (const path of PAGES) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await overhang(page), path).toBe(0);
      await expectNoAxeViolations(page);
    }
  });

  it('opens its menu at 320 pixels by keyboard', async () => {
    const { page } = await open({ cookie: null, viewport: { width: 320, height: 700 } });
    await page.goto('/docs/quick-start');
    const keyboard = new Keyboard(page);
    await keyboard.press(page.getByText('Menu', { exact: true }));
    await keyboard.press(page.getByRole('link', { name: 'For an operator' }).first());
    await page.waitForURL('**/docs/tutorials/operator');
  });

  it('is searched by keyboard alone', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/docs');
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox');
    await expect.poll(() => isFocused(field)).toBe(true);
    await page.keyboard.type('limit reached');
    const first = page.getByRole('dialog').getByRole('link').first();
    await first.waitFor();
    expect(await page.getByRole('dialog').getByRole('status').textContent()).toMatch(/\d results?$/);
    await expectNoAxeViolations(page);
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(first)).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await isFocused(field)).toBe(true);
    for (const key of ['ArrowDown', 'Enter'])
      await field.dispatchEvent('keydown', { key, isComposing: true });
    expect(await isFocused(field)).toBe(true);
    const address = await first.getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${address}`);
  });

  it('is searched on a phone, where Safari would zoom into smaller text', async () => {
    const { page } = await open({ cookie: null, isMobile: true, hasTouch: true });
    await page.goto('/docs');
    await page.keyboard.press('/');
    const size = await page.getByRole('searchbox').evaluate((field) => getComputedStyle(field).fontSize);
    expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(16);
  });

  it('gives the focus back when the search is closed', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/');
    const button = page.getByRole('button', { name: 'Search' });
    await new Keyboard(page).press(button);
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => isFocused(button)).toBe(true);
  });

  it('shows each example in the language that was chosen last', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/docs/quick-start');
    await page.getByText('JavaScript', { exact: true }).click();
    await page.goto('/docs/api/check');
    expect(await page.getByRole('radio', { name: 'Client library' }).isChecked()).toBe(true);
    expect(await page.getByText("import { limiter } from 'svc-client';").isVisible()).toBe(true);
  });
});

/** The pixels by which a page is wider than its window. */
async function overhang(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
