import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from './describe-widget.ts';
import { type Embedded, type EmbeddedName, embedAll } from './embedded.fixture.ts';

const NAMES: readonly EmbeddedName[] = ['feedback', 'checklist', 'import'];

const CARD = ':is(section, dialog).card';
const TEXTS = 'h3, p, b, small, .count, th, td, li, button, label, textarea, select, legend';

/** Returns the sizes of all texts of the widgets on a page, in CSS pixels. */
const SIZES = `[...document.querySelectorAll('svc-widget')].flatMap(({ shadowRoot }) =>
  [...shadowRoot.querySelectorAll('${TEXTS}')].map((each) => parseFloat(getComputedStyle(each).fontSize)))`;

/** Returns the computed style of an element of a widget. */
const styleOf = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('svc-widget').shadowRoot.querySelector('${selector}')).${property}`;

describeWidget('a widget among the styles of a page', ({ stage, open }) => {
  let all: Record<EmbeddedName, Embedded>;
  beforeAll(async () => {
    all = await embedAll(stage());
  });

  describe.each(NAMES)('as %s', (name) => {
    const show = async (page: Page, style: string, html = '') => {
      await page.goto(stage().site.publish(await all[name].page({ style, html })));
      await all[name].begin(page);
    };
    const opened = async (style: string, options: BrowserContextOptions = {}, html = '') => {
      const { page } = await open(options);
      await show(page, style, html);
      return page;
    };
    /** True if the widget is dark: its card, and the fields that the browser draws. */
    const isDark = async (page: Page) => {
      const ground = await page.evaluate(styleOf(CARD, 'backgroundColor'));
      const scheme = await page.evaluate(styleOf(CARD, 'colorScheme'));
      expect(scheme).toBe(ground === 'rgb(30, 31, 34)' ? 'dark' : 'light');
      return scheme === 'dark';
    };

    it.each([
      ['of 10 px with text of 16 px', 'html { font-size: 62.5% } body { font-size: 1.6rem }', 14],
      ['of 10 px with text of 15 px', 'html { font-size: 62.5% } body { font-size: 1.5rem }', 14],
      ['of 10 px without another size', 'html { font-size: 62.5% }', 14],
      ['of 20 px', 'html { font-size: 20px } body { font-size: 0.8rem }', 14],
      ['of 32 px, as a person can set it', 'html { font-size: 200% }', 28],
      ['of 16 px inside of large text', 'body { font-size: 80px }', 28],
    ])('has sizes that can be read under a root %s', async (_what, style, size) => {
      const page = await opened(style);
      expect(parseFloat(await page.evaluate(styleOf(CARD, 'fontSize')))).toBe(size);
      const sizes = (await page.evaluate(SIZES)) as number[];
      const texts = sizes.filter((each) => each > 0);
      expect(Math.min(...texts)).toBeGreaterThan(size * 0.85);
      expect(Math.max(...texts)).toBeLessThan(size * 1.15);
    });

    it.each([
      ['a class on the body', 'body { background: #0b0d12; color: #eee }', true],
      ['a colour of another form', 'body { background: oklch(0.21 0.02 264); color: oklch(0.98 0 0) }', true],
      ['a dark part of a light page', 'body { background: #fff } main { background: #111 }', true],
      [
        'a light part of a dark page',
        'body { background: #111; color: #eee } main { background: #fafafa }',
        false,
      ],
      [
        'glass over a dark page',
        'body { background: #111; color: #eee } main { background: rgb(255 255 255 / 0.08) }',
        true,
      ],
      ['a picture', 'body { background: linear-gradient(#101018, #202030); color: #eee }', true],
      ['black text on a dark ground', 'body { background: #1a1a1a }', true],
      ['the scheme of the browser', ':root { color-scheme: dark }', true],
      ['a saturated ground', 'body { background: #e00; color: #fff }', false],
      ['nothing', '', false],
    ] as const)('has the theme of %s', async (what, style, expected) => {
      // The button of feedback floats above the page.
      const isPart = name === 'feedback' && what.includes('part of');
      const page = await opened(style);
      expect(await isDark(page)).toBe(isPart ? !expected : expected);
    });

    it.each([
      ['data-svc-theme="light"', 'body { background: #111; color: #eee }', false],
      ['data-svc-theme="dark"', '', true],
    ])('has the theme that %s names', async (html, style, expected) => {
      expect(await isDark(await opened(style, {}, html))).toBe(expected);
    });

    it('follows a page that changes its theme', async () => {
      const page = await opened(
        'body { background: #fff; color: #222; transition: background 50ms, color 50ms } .dark body { background: #111; color: #eee }',
        { reducedMotion: 'no-preference' },
      );
      expect(await isDark(page)).toBe(false);
      await page.evaluate(() => document.documentElement.classList.add('dark'));
      await expect.poll(() => isDark(page)).toBe(true);
      await page.evaluate(() => document.documentElement.classList.remove('dark'));
      await expect.poll(() => isDark(page)).toBe(false);
    });
  });
});
