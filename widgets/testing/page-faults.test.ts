import { expect, it } from 'vitest';
import { axeViolations } from './accessibility.ts';
import { describeInBrowser } from './in-browser.ts';

describeInBrowser('a page of a test', ({ open }) => {
  it.each([
    // biome-ignore lint/suspicious/noConsole: The test is about what a page writes there.
    ['writes an error', () => window.console.error('an error'), /^console error: an error/],
    ['throws', () => void setTimeout(() => Promise.reject(new Error('a fault'))), /^thrown: a fault/],
    [
      'runs an inline style',
      () => document.body.setAttribute('style', 'color: red'),
      /Content Security Policy/,
    ],
    [
      'turns a text into HTML',
      () => {
        try {
          document.body.innerHTML = '<p>text</p>';
        } catch {
          // The browser refuses it, and says so in its console.
        }
      },
      /TrustedHTML/,
    ],
    [
      'asks another origin',
      () => void fetch('https://elsewhere.example/').catch(() => undefined),
      /Content Security Policy/,
    ],
  ])('is found faulty if it %s', async (_name, act, fault) => {
    const { page, faults } = await open({ cookie: null });
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults.found).toEqual([]);
    await page.evaluate(act);
    await expect.poll(() => faults.found).toContainEqual(expect.stringMatching(fault));
    faults.allow(/./s);
  });

  it('is looked at by axe', async () => {
    const { page } = await open({ cookie: null });
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
    expect(await axeViolations(page)).toEqual([expect.stringMatching(/^button-name: /)]);
  });
});
