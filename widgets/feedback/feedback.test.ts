import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { SHORTCUTS } from '../testing/hosts/page-scripts.ts';
import { WIDGET_LOOKS } from '../testing/hosts/widget-looks.ts';
import { expectNoAxeViolations } from '../testing/in-browser.ts';
import {
  dialogOn,
  FeedbackCustomer,
  launchOn,
  openDialog,
  SUBMISSIONS,
} from './feedback-customer.fixture.ts';
import type { SvcFeedbackWidget } from './svcfeedback-widget.d.ts';

const received = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'received'));
const lookAlike = { style: 'html { color-scheme: light dark }' };

describeWidget('the feedback widget', ({ stage, open }) => {
  let customer: FeedbackCustomer;
  beforeAll(async () => {
    customer = await FeedbackCustomer.start(stage());
  });

  const sends = () => stage().ingest.passed(SUBMISSIONS);
  const fillSlowly = async (page: Page, message: string) => {
    const text = await openDialog(page);
    await text.fill(message);
    // Faster than two seconds counts as a program.
    await page.clock.runFor(3_000);
  };

  describe('on a page with the documented policy', () => {
    it('sends feedback, says so after it is stored, and tells the page', async () => {
      const { page } = await open();
      await page.clock.install();
      await page.goto(customer.publish());
      const message = 'The map is quick. <b>Muting</b> is hard to find.';
      await fillSlowly(page, message);
      const dialog = dialogOn(page);
      await dialog.getByRole('radio', { name: '4, Well' }).check();
      await dialog.getByRole('button', { name: 'Send' }).click();
      await dialog.getByText('Received', { exact: true }).waitFor();
      const [submission] = await customer.inbox(message);
      expect(submission).toMatchObject({ rating: 4, path: new URL(page.url()).pathname, state: 'open' });
      expect(await received(page)).toEqual([[submission?.submissionId, submission?.submissionId]]);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await page.evaluate(() => document.cookie + Object.keys(localStorage).join())).toBe('');
      expect(await (await openDialog(page)).inputValue()).toBe('');
    });

    it('works by keyboard alone, and gives the focus back', async () => {
      const { page } = await open();
      await page.clock.install();
      await page.goto(customer.publish());
      await launchOn(page).focus();
      await page.keyboard.press('Enter');
      const text = dialogOn(page).getByRole('textbox');
      await text.waitFor();
      await text.pressSequentially('By keyboard');
      await page.clock.runFor(3_000);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await dialogOn(page).getByText('Received', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialogOn(page).waitFor({ state: 'hidden' });
      expect(await launchOn(page).evaluate((button) => button.matches(':focus'))).toBe(true);
      expect(await customer.inbox('By keyboard')).toMatchObject([{ rating: 1 }]);
    });

    it('keeps the text when the dialog is closed, and asks for one before it sends', async () => {
      const { page } = await open();
      await page.goto(customer.publish());
      stage().ingest.forget();
      const text = await openDialog(page);
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText('Write something first.').waitFor();
      await text.fill('half a thou');
      await page.keyboard.press('Escape');
      await dialogOn(page).waitFor({ state: 'hidden' });
      expect(await (await openDialog(page)).inputValue()).toBe('half a thou');
      expect(await dialogOn(page).getByText('11 of 2,000').count()).toBe(1);
      expect(sends()).toEqual([]);
    });

    it('cuts no text that is too long, and sends it once the visitor has shortened it', async () => {
      const { page } = await open();
      await page.clock.install();
      await page.goto(customer.publish());
      stage().ingest.forget();
      const message = '🙂'.repeat(2_000);
      await fillSlowly(page, `${message}!`);
      await dialogOn(page).getByText('2,001 of 2,000').waitFor();
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText('Write at most 2,000 characters.').waitFor();
      expect(sends()).toEqual([]);
      await page.keyboard.press('End');
      await page.keyboard.press('Backspace');
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText('Received', { exact: true }).waitFor();
      expect(await customer.inbox(message)).toHaveLength(1);
    });

    it('keeps the text when nothing is answered, and sends it again without doubling it', async () => {
      const { page, faults } = await open();
      faults.allow(/net::ERR/);
      await page.clock.install();
      await page.goto(customer.publish());
      await fillSlowly(page, 'Sent twice');
      stage().ingest.forget();
      // The service stores the first one; its answer is lost.
      stage().ingest.losing = SUBMISSIONS;
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText('Perhaps sent. Your text is kept here.').waitFor();
      expect(await dialogOn(page).getByText('Not sent.').count()).toBe(0);
      expect(await received(page)).toEqual([]);
      expect(await customer.inbox('Sent twice')).toHaveLength(1);
      stage().ingest.losing = null;
      await dialogOn(page).getByRole('button', { name: 'Send again' }).click();
      await dialogOn(page).getByText('Received', { exact: true }).waitFor();
      const stored = await customer.inbox('Sent twice');
      expect(stored).toHaveLength(1);
      expect(await received(page)).toEqual([[stored[0]?.submissionId, stored[0]?.submissionId]]);
    });

    it.each([
      [429, 'rate_limited', 'Too much was sent from here.'],
      [429, 'limit_reached', 'No feedback is taken at the moment.'],
      [403, 'workspace_paused', 'No feedback is taken at the moment.'],
      [503, 'unavailable', 'Perhaps sent.'],
    ])('says honestly what %i %s means, and keeps the text', async (status, code, words) => {
      const { page, faults } = await open();
      faults.allow(/the server responded with a status of/);
      await page.goto(customer.publish());
      const text = await openDialog(page);
      await text.fill('Refused');
      await page.route(SUBMISSIONS, (route) =>
        route.fulfill({
          status,
          json: { error: { code, message: '', request_id: '' } },
          headers: { 'access-control-allow-origin': stage().site.origin },
        }),
      );
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText(words).waitFor();
      expect(await text.inputValue()).toBe('Refused');
      expect(await received(page)).toEqual([]);
    });

    it.each(WIDGET_LOOKS)(
      'has nothing that axe finds, closed, open, failed and received: %s',
      async (_name, options, html) => {
        const { page } = await open(options);
        await page.goto(customer.publish({ html, ...lookAlike }));
        await launchOn(page).waitFor();
        await expectNoAxeViolations(page);
        const text = await openDialog(page);
        await expectNoAxeViolations(page);
        await dialogOn(page).getByRole('button', { name: 'Send' }).click();
        await dialogOn(page).getByText('Write something first.').waitFor();
        await expectNoAxeViolations(page);
        await text.fill(`Looks: ${_name}`);
        await dialogOn(page).getByRole('radio', { name: '5, Very well' }).check();
        await dialogOn(page).getByRole('button', { name: 'Send' }).click();
        await dialogOn(page).getByText('Received', { exact: true }).waitFor();
        await expectNoAxeViolations(page);
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
          ),
        ).toBe(true);
      },
    );

    it('takes a place and texts from the tag', async () => {
      const { page } = await open();
      const script = `const tag = document.createElement('script');
        tag.src = '${customer.widget.loaderUrl}';
        tag.dataset.target = '#here';
        tag.dataset.labels = '{"title":"Rückmeldung","unknown":"x","send":7}';
        document.head.append(tag);`;
      await page.goto(stage().site.publish({ script, policy: trustedScripts() }));
      await page.locator('#here').getByRole('button', { name: 'Rückmeldung' }).click();
      await page.getByRole('dialog', { name: 'Rückmeldung' }).getByRole('button', { name: 'Send' }).waitFor();
    });

    it('is small on a narrow page, sets the level of its heading, and is not printed', async () => {
      const { page } = await open({ viewport: { width: 320, height: 480 } });
      const { widgetId } = customer.widget;
      const options = JSON.stringify({ widgetId, ingestOrigin: stage().ingest.origin, headingLevel: 2 });
      await page.goto(customer.publish());
      await launchOn(page).waitFor();
      const box = await launchOn(page).boundingBox();
      expect([box?.width, box?.height]).toEqual([44, 44]);
      await page.evaluate(`SvcFeedback.mount(${options}).destroy(); SvcFeedback.mount(${options})`);
      await openDialog(page);
      const title = dialogOn(page).getByRole('heading', { name: 'Feedback', level: 2 });
      expect(await title.evaluate((element) => getComputedStyle(element).fontWeight)).toBe('600');
      await page.keyboard.press('Escape');
      await page.emulateMedia({ media: 'print' });
      await launchOn(page).waitFor({ state: 'hidden' });
    });

    it('calls the page back with what was received', async () => {
      const { page } = await open();
      await page.clock.install();
      await page.goto(customer.publish());
      await launchOn(page).waitFor();
      const { widgetId } = customer.widget;
      await page.evaluate(`globalThis.calls = [];
        const options = {
          widgetId: '${widgetId}',
          ingestOrigin: '${stage().ingest.origin}',
          onReceived: (...all) => calls.push(...all),
        };
        SvcFeedback.mount(options).destroy();
        SvcFeedback.mount(options)`);
      await fillSlowly(page, 'With a callback');
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText('Received', { exact: true }).waitFor();
      const [submission] = await customer.inbox('With a callback');
      expect(await page.evaluate('calls')).toEqual([{ submissionId: submission?.submissionId }]);
    });

    it('loads one release with integrity, without the loader', async () => {
      const { page } = await open();
      const capabilities = await (await fetch(`${stage().service.url}/v1/agent/capabilities`)).json();
      const { url, integrity } = capabilities.downloads.find(({ name }: { name: string }) =>
        /^svcfeedback-widget-v.*\.js$/.test(name),
      );
      const script = `const tag = document.createElement('script');
        Object.assign(tag, { src: '${url}', integrity: '${integrity}', crossOrigin: 'anonymous' });
        tag.dataset.widgetId = '${customer.widget.widgetId}';
        document.head.append(tag);`;
      await page.goto(stage().site.publish({ script, policy: trustedScripts() }));
      await launchOn(page).waitFor();
    });
  });

  /** The documented policy without Trusted Types, because these pages themselves make a script's tag by script. */
  const trustedScripts = () => stage().site.policy.replace(/; require-trusted-types-for 'script'/, '');

  describe('on a hostile page', () => {
    it('can send nothing from another origin', async () => {
      const { page, faults } = await open();
      faults.allow(/asked another origin: https:\/\/stranger|CORS policy|net::ERR_FAILED|status of 403/);
      stage().ingest.forget();
      await page.goto(customer.publish({}, stage().stranger));
      const text = await openDialog(page);
      await text.fill('From elsewhere');
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await dialogOn(page).getByText('Perhaps sent.').waitFor();
      expect(sends().map(({ status }) => status)).toEqual([403]);
      expect(await customer.inbox('From elsewhere')).toEqual([]);
    });

    it('keeps its looks under style sheets that reset or hide everything', async () => {
      const looks = async (style: string) => {
        const { page } = await open({ viewport: { width: 600, height: 700 } });
        await page.goto(customer.publish({ style }));
        await openDialog(page);
        await page.evaluate(() => {
          const host = document.querySelector('[data-svcfeedback]');
          const focused = host?.shadowRoot?.activeElement;
          if (focused instanceof HTMLElement) focused.blur();
        });
        return (await dialogOn(page).screenshot()).toString('base64');
      };
      const base = 'font: 16px/1.5 sans-serif !important; color-scheme: light !important;';
      const plain = await looks(`body { ${base} }`);
      const hostile = await looks(
        `* { all: unset !important; opacity: 0 !important; transform: rotate(9deg) !important; display: inline !important }
         dialog, button, textarea { background: red !important; content: "x" !important }
         head, script { display: none !important }
         html { opacity: 1 !important; transform: none !important }
         body { ${base} opacity: 1 !important; transform: none !important; display: block !important }`,
      );
      expect(hostile).toBe(plain);
    });

    it('is there once after two tags, two mounts and a remount, and again after the page was replaced', async () => {
      const { page } = await open();
      const { loaderUrl, widgetId } = customer.widget;
      await page.goto(stage().site.publish({ scripts: [loaderUrl, loaderUrl] }));
      await launchOn(page).waitFor();
      const counts = await page.evaluate(
        async ([id, ingestOrigin]) => {
          const count = () => document.querySelectorAll('[data-svcfeedback]').length;
          const options = { widgetId: String(id), ingestOrigin: String(ingestOrigin) };
          const { mount }: SvcFeedbackWidget = globalThis.SvcFeedback;
          const mounts = [mount(options), mount(options)];
          const counted = [count()];
          mounts[0]?.destroy();
          counted.push(count());
          mount(options);
          counted.push(count());
          document.body.replaceChildren();
          mount(options);
          counted.push(count());
          document.body.replaceChildren();
          await new Promise((resolve) => setTimeout(resolve));
          counted.push(count());
          // Destroyed in the same task as it was removed.
          document.body.replaceChildren();
          mount(options).destroy();
          await new Promise((resolve) => setTimeout(resolve));
          counted.push(count());
          return counted;
        },
        [widgetId, stage().ingest.origin],
      );
      expect(counts).toEqual([1, 0, 1, 1, 1, 0]);
      const names = await page.evaluate(() => Object.keys(globalThis).filter((name) => /svc/i.test(name)));
      expect(names).toEqual(['SvcFeedback']);
    });

    it('keeps from the page what a visitor types, pastes and ends with Escape', async () => {
      const { page } = await open();
      await page.goto(customer.publish({ script: SHORTCUTS }));
      const heard = () => page.evaluate(() => Reflect.get(globalThis, 'heard'));
      const text = await openDialog(page);
      await text.pressSequentially('fast / no spinner');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+c');
      await page.keyboard.press('End');
      await page.keyboard.press('Control+v');
      expect(await text.inputValue()).toBe('fast / no spinnerfast / no spinner');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => Reflect.get(globalThis, 'tabbed'))).toBe(true);
      await page.keyboard.press('Space');
      expect(await dialogOn(page).getByRole('radio', { name: '1, Badly' }).isChecked()).toBe(true);
      // Beside the fields, the focus would be on the page.
      await dialogOn(page)
        .getByText('Sent without your name')
        .click({ position: { x: 2, y: 2 } });
      await dialogOn(page).click({ position: { x: 4, y: 4 } });
      await page.keyboard.press('Escape');
      await dialogOn(page).waitFor({ state: 'hidden' });
      expect(await heard()).toEqual([]);
      // The page's shortcuts work where they should.
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press('f');
      expect(await heard()).toContain('keydown f');
    });

    it('keeps the text that a visitor has begun when the page replaces its body', async () => {
      const { page } = await open();
      await page.goto(customer.publish());
      const text = await openDialog(page);
      await text.fill('half a thou');
      await page.evaluate(() => {
        const copy = document.body.cloneNode(true);
        document.body.replaceWith(document.createElement('body'));
        document.body.append(...copy.childNodes);
      });
      await text.waitFor();
      expect(await text.inputValue()).toBe('half a thou');
      expect(await dialogOn(page).evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
      expect(await page.locator('svc-widget').count()).toBe(1);
    });

    it('leaves the page alone when it is called wrongly or cannot be loaded', async () => {
      const { page, faults } = await open();
      faults.allow(/SvcFeedback.mount needs|data-target has to be|ERR_|status of 404/);
      await page.route(/svcfeedback-widget/, (route) => route.abort());
      await page.goto(customer.publish({ script: `document.title = 'continued';` }));
      expect(await page.title()).toBe('continued');
      await page.unroute(/svcfeedback-widget/);
      await page.goto(customer.publish());
      await launchOn(page).waitFor();
      const before = await page.evaluate(() => {
        for (const wrong of [null, {}, { widgetId: 'x', ingestOrigin: 'y' }]) {
          const mount = globalThis.SvcFeedback.mount as (options: unknown) => { open(): void };
          mount(wrong).open();
        }
        return document.querySelectorAll('[data-svcfeedback]').length;
      });
      expect(before).toBe(1);
    });
  });
});
