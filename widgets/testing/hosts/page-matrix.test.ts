import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectNoAxeViolations } from '../in-browser.ts';
import { BROKEN_PAGES } from './broken-pages.ts';
import { describeWidget } from './describe-widget.ts';
import { documentedPolicy, type Embedded, type EmbeddedName, embedAll } from './embedded.fixture.ts';

const NAMES: readonly EmbeddedName[] = ['feedback', 'checklist', 'import'];
/** A screen of 1280 by 1024 at 400 %. */
const ZOOMED = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };

/** A page's frame that shows another page. */
const framePolicy = "default-src 'none'; frame-src *; script-src 'self'; style-src 'self'";

/** Returns the shadow roots of all widgets on a page. */
const ROOTS = `[...document.querySelectorAll('svc-widget')]`;

describeWidget('a widget', ({ stage, open }) => {
  let all: Record<EmbeddedName, Embedded>;
  beforeAll(async () => {
    all = await embedAll(stage());
  });

  describe.each(NAMES)('for %s', (name) => {
    const widget = (): Embedded => all[name];
    const publish = async (more: Parameters<Embedded['page']>[0] = {}) =>
      stage().site.publish(await widget().page(more));
    const frameOn = async (page: Page, address: string, sandbox: string) => {
      const body = `<iframe src="${address}" sandbox="${sandbox}" width="600" height="600" title="A page"></iframe>`;
      await page.goto(stage().stranger.publish({ body, policy: framePolicy }));
      const frame = page.frame({ url: address });
      if (frame === null) throw new Error('opening a page in a frame: it is not there');
      return frame;
    };

    it('works with the policy that the reference names', async () => {
      const { page } = await open();
      const policy = documentedPolicy(widget(), stage().ingest.origin);
      await page.goto(await publish({ policy }));
      await widget().use(page);
    });

    it('works where scripts need a nonce, and scripts that they load do not', async () => {
      const { page } = await open();
      const policy = [
        "default-src 'none'",
        "script-src 'nonce-bm9uY2U' 'strict-dynamic'",
        "style-src 'self'",
        `connect-src 'self' ${stage().ingest.origin}`,
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ];
      await page.goto(await publish({ policy: policy.join('; '), nonce: 'bm9uY2U' }));
      await widget().use(page);
    });

    it('works on a page that is isolated from other origins', async () => {
      const { page } = await open();
      const headers = {
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Opener-Policy': 'same-origin',
      };
      await page.goto(await publish({ headers }));
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      await widget().use(page);
    });

    it('works in a sandboxed frame of another site that keeps its origin', async () => {
      const { page, faults } = await open();
      faults.allow(/^asked another origin: https:\/\/stranger/);
      await widget().use(await frameOn(page, await publish(), 'allow-scripts allow-same-origin'));
    });

    it('says what it cannot do in a sandboxed frame without an origin and storage', async () => {
      const { page, faults } = await open();
      faults.allow(/^asked another origin: https:\/\/stranger|CORS policy|net::ERR_FAILED|status of 403/);
      const frame = await frameOn(page, await publish(), 'allow-scripts');
      expect(await frame.evaluate(() => origin)).toBe('null');
      await widget().useRefused(frame);
      await frame.getByText(widget().refused).waitFor();
    });

    it.each(BROKEN_PAGES)('works with %s', async (_what, before) => {
      const { page } = await open();
      await page.addInitScript(before);
      await page.goto(await publish());
      await widget().use(page);
    });

    it('is read and used at 400 % zoom without scrolling sideways', async () => {
      const { page } = await open(ZOOMED);
      await page.goto(await publish());
      await widget().use(page);
      await expectNoAxeViolations(page);
      const widths = await page.evaluate(
        `[document.documentElement, ...${ROOTS}.flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('dialog, section')])].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`,
      );
      expect(new Set(widths as number[])).toEqual(new Set([0]));
    });

    it('has text that can be read in forced colours', async () => {
      const { page } = await open({ forcedColors: 'active' });
      await page.goto(await publish());
      await widget().begin(page);
      // The browser puts this ground behind each text. Text of the same colour is there only where a rule turns that off.
      const unreadable = await page.evaluate(`(() => {
        document.body.style.color = 'Canvas';
        const ground = getComputedStyle(document.body).color;
        document.body.style.color = '';
        return ${ROOTS}.flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('*')])
          .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
          .filter((each) => getComputedStyle(each).color === ground && getComputedStyle(each).forcedColorAdjust === 'auto')
          .map((each) => each.textContent);
      })()`);
      expect(unreadable).toEqual([]);
    });

    it('moves nothing, so that reduced motion has nothing to reduce', async () => {
      const { page } = await open({ reducedMotion: 'no-preference' });
      await page.goto(await publish());
      await widget().use(page);
      const moving = await page.evaluate(
        `${ROOTS}.flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('*')]).map((each) => getComputedStyle(each)).filter(({ transitionDuration, animationDuration }) => transitionDuration !== '0s' || animationDuration !== '0s').length`,
      );
      expect(moving).toBe(0);
    });

    it('is there once after two copies of the script, a remount and two mounts', async () => {
      const { page } = await open();
      const { script, globalName } = widget();
      const mount = await widget().mount();
      await page.goto(
        await publish({
          scripts: [script, `${script}?copy`],
          script: `${mount}.destroy(); globalThis.first = ${mount}; globalThis.mounted = ${mount};`,
        }),
      );
      await widget().use(page);
      expect(await page.evaluate(`${ROOTS}.length`)).toBe(1);
      const names = await page.evaluate(() => Object.keys(globalThis).filter((each) => /svc/i.test(each)));
      expect(names).toEqual([globalName]);
      await page.evaluate(() => Reflect.get(globalThis, 'mounted').destroy());
      expect(await page.evaluate(`${ROOTS}.length`)).toBe(0);
    });

    it('leaves the page as it is when a blocker removes the script', async () => {
      const { page, faults } = await open();
      faults.allow(/net::ERR_FAILED|asked another origin/);
      await page.route(/widget/, (route) => route.abort());
      await page.route(/loader/, (route) => route.abort());
      const script = `globalThis.${widget().globalName}?.mount({}); document.title = 'continued';`;
      await page.goto(await publish({ script }));
      expect(await page.title()).toBe('continued');
      expect(await page.evaluate(`${ROOTS}.length`)).toBe(0);
    });

    it('sends the service no cookie, and stores nothing', async () => {
      const { page, context } = await open();
      const { origin } = stage().ingest;
      await context.addCookies([
        { name: 'tracked', value: 'yes', url: origin, sameSite: 'None', secure: true },
      ]);
      stage().ingest.forget();
      await page.goto(await publish());
      await widget().use(page);
      const requests = stage().ingest.passed(widget().requests);
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.filter(({ headers }) => headers['cookie'] !== undefined)).toEqual([]);
      expect((await context.cookies()).map((cookie) => cookie.name)).toEqual(['tracked']);
      expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    });
  });
});
