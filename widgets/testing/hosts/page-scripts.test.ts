import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ChecklistCustomer,
  cardOn,
  expectCount,
  mounting,
} from '../../checklist/checklist-customer.fixture.ts';
import {
  dialogOn,
  FeedbackCustomer,
  launchOn,
  openDialog,
  SUBMISSIONS,
} from '../../feedback/feedback-customer.fixture.ts';
import { choose, earthquakes, ImportCustomer, stepOf } from '../../import/import-customer.fixture.ts';
import { describeWidget } from './describe-widget.ts';
import { NAVIGATIONS, SHORTCUTS, TRANSLATION } from './page-scripts.ts';

const NEXT = '<h1>Another page</h1><main id="here"></main>';

describeWidget('a widget on a page whose scripts reach everywhere', ({ stage, open }) => {
  let feedback: FeedbackCustomer;
  let checklist: ChecklistCustomer;
  let imports: ImportCustomer;
  beforeAll(async () => {
    feedback = await FeedbackCustomer.start(stage());
    checklist = await ChecklistCustomer.start(stage());
    const { backend } = stage().site;
    imports = await ImportCustomer.start(stage());
    stage().site.backend = backend;
  });

  /** The documented policy for pages whose libraries parse HTML. */
  const policy = () => stage().site.policy.replace("; require-trusted-types-for 'script'", '');
  const importing = async () =>
    `globalThis.mounted = SvcImport.mount({ ...${JSON.stringify(await imports.mint())}, host: document.getElementById('here') });`;
  const heard = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'heard'));
  const navigate = (page: Page, how: string, html = NEXT) =>
    page.evaluate(([name, next]) => Reflect.get(globalThis, 'navigations')[String(name)](next), [how, html]);
  const widgetsOn = (page: Page) => page.evaluate(() => document.querySelectorAll('svc-widget').length);
  /** Presses keys of shortcuts where the focus is, but for Escape. */
  const pressKeys = async (page: Page) => {
    for (const key of ['f', '/', 'ArrowDown', 'Backspace', 'Control+k', 'Control+c'])
      await page.keyboard.press(key);
  };

  /** Expects that a dialog of the page hears of an Escape that does nothing in the widget. */
  const leavesEscape = async (page: Page) => {
    await page.keyboard.press('Escape');
    const keys = ['keydown Escape', 'keyup Escape'];
    expect(await heard(page)).toEqual(keys.flatMap((key) => [key, key]));
  };

  describe('with shortcuts', () => {
    it('hears no release of the key that has closed a dialog which the page has opened', async () => {
      const { page } = await open();
      const body = '<button id="mine">Feedback of the page</button>';
      await page.goto(feedback.publish({ script: SHORTCUTS, body }));
      await launchOn(page).waitFor();
      await page.locator('#mine').focus();
      await page.evaluate(
        `SvcFeedback.mount({ widgetId: '${feedback.widget.widgetId}', ingestOrigin: '${stage().ingest.origin}' }).open()`,
      );
      await dialogOn(page).waitFor();
      await page.keyboard.press('Escape');
      await dialogOn(page).waitFor({ state: 'hidden' });
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('mine');
      expect(await heard(page)).toEqual([]);
    });

    it('keeps the keys of an import in a shadow root of the page', async () => {
      const { page } = await open();
      const script = `${SHORTCUTS}
        const host = document.createElement('div');
        document.getElementById('here').attachShadow({ mode: 'open' }).append(host);
        SvcImport.mount({ ...${JSON.stringify(await imports.mint())}, host });`;
      await page.goto(imports.publish({ script }));
      const asks = page.getByLabel('Show the file before it is sent');
      await asks.focus();
      await page.keyboard.press('Space');
      expect(await asks.isChecked()).toBe(true);
      await page.locator('input[type=file]').setInputFiles({
        name: 'events.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(earthquakes(3)),
      });
      const lines = page.getByLabel('Lines to drop, such as 3, 7-9');
      await lines.pressSequentially('3, 4');
      expect(await lines.inputValue()).toBe('3, 4');
      await pressKeys(page);
      expect(await heard(page)).toEqual([]);
      await leavesEscape(page);
    });

    it('keeps the keys of a checklist', async () => {
      const { page } = await open();
      await page.goto(checklist.publish(mounting('keys', {}, SHORTCUTS)));
      await cardOn(page).getByRole('link').first().focus();
      await pressKeys(page);
      expect(await heard(page)).toEqual([]);
      await leavesEscape(page);
    });
  });

  describe.each(['turbo', 'htmx', 'astro', 'morph'])('when %s shows another page', (how) => {
    it('keeps feedback that a visitor has begun, and sends it once', async () => {
      const { page } = await open();
      await page.clock.install();
      await page.goto(feedback.publish({ script: NAVIGATIONS, policy: policy() }));
      const text = await openDialog(page);
      await text.fill(`Begun before ${how}`);
      await navigate(page, how);
      await page.clock.runFor(3_000);
      await text.waitFor();
      expect(await text.inputValue()).toBe(`Begun before ${how}`);
      expect(await widgetsOn(page)).toBe(1);
      stage().ingest.forget();
      // Above the page, and not beside it.
      expect(await dialogOn(page).evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
      await dialogOn(page).getByRole('button', { name: 'Send' }).click();
      await navigate(page, how);
      await page.clock.runFor(1_000);
      await dialogOn(page).getByText('Received', { exact: true }).waitFor();
      expect(stage().ingest.passed(SUBMISSIONS)).toHaveLength(1);
      for (const again of [how, how]) await navigate(page, again);
      await page.clock.runFor(1_000);
      expect(await widgetsOn(page)).toBe(1);
    });

    it('ends a checklist that went with its page, and leaves nothing of it in a copy', async () => {
      const { page } = await open();
      await page.clock.install();
      stage().ingest.forget();
      await page.goto(checklist.publish(mounting(`gone-${how}`, { policy: policy() }, NAVIGATIONS)));
      await expectCount(page, '0 of 3');
      await navigate(page, how);
      await page.clock.runFor(100_000);
      expect(checklist.polls).toHaveLength(1);
      expect(await widgetsOn(page)).toBe(0);
      if (how !== 'turbo' && how !== 'htmx') return;
      await navigate(page, `${how}Back`);
      await page.clock.runFor(100_000);
      expect(await widgetsOn(page)).toBe(0);
      expect(checklist.polls).toHaveLength(1);
    });
  });

  describe('that a page moves', () => {
    const kept = '<main id="here" data-turbo-permanent data-astro-transition-persist="here"></main>';

    it.each(['turbo', 'astro', 'morph'])('continues with %s: a checklist', async (how) => {
      const { page } = await open();
      stage().ingest.forget();
      const user = `moved-${how}`;
      await page.goto(checklist.publish(mounting(user, { body: kept, policy: policy() }, NAVIGATIONS)));
      await expectCount(page, '0 of 3');
      await navigate(page, how, kept);
      await checklist.users.report(user, 'feed');
      await page.evaluate(() => Reflect.get(globalThis, 'mounted').refresh());
      await expectCount(page, '1 of 3');
      expect(checklist.polls.map(({ status }) => status)).toEqual([200, 200]);
      expect(checklist.sessions(user)).toBe(1);
    });

    it.each(['turbo', 'astro', 'morph'])('continues with %s: an import', async (how) => {
      imports.delegates = true;
      const { page } = await open();
      const script = `${NAVIGATIONS} ${await importing()}`;
      await page.goto(imports.publish({ script, body: kept, policy: policy() }));
      stage().ingest.forget();
      await choose(page, earthquakes(3));
      await expect.poll(() => stepOf(page)).toBe('Columns');
      await navigate(page, how, kept);
      await page.locator('#here button', { hasText: 'Check 3 rows' }).click();
      await navigate(page, how, kept);
      await page.locator('#here button', { hasText: 'Approve 3 rows' }).waitFor();
      expect(stage().ingest.passed(/browser\/imports$/)).toHaveLength(1);
    });
  });

  it('shows the rows of a table that was scrolled before the page has moved it', async () => {
    const { page } = await open();
    await page.goto(imports.publish({ script: await importing() }));
    await choose(page, earthquakes(90, 90));
    await page.locator('#here select').nth(2).selectOption('magnitude');
    await page.locator('#here button', { hasText: 'Check 90 rows' }).click();
    const scroller = page.locator('#here .scroll').first();
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await scroller.locator('[aria-rowindex="91"]').waitFor();
    const rowInSight = () =>
      scroller.evaluate((element) => {
        const { left, top, height } = element.getBoundingClientRect();
        const root = element.getRootNode() as ShadowRoot;
        return root
          .elementFromPoint(left + 20, top + height / 2)
          ?.closest('tr')
          ?.getAttribute('aria-rowindex');
      });
    await expect.poll(rowInSight).toEqual(expect.any(String));
    await page.evaluate(() => {
      const place = document.body.appendChild(document.createElement('section'));
      place.append(document.getElementById('here') as HTMLElement);
    });
    await expect.poll(rowInSight).toEqual(expect.any(String));
  });

  it('begins a checklist once the page has put its element in', async () => {
    const { page } = await open();
    const script = `const element = document.createElement('div');
      SvcActivate.mount(element, { sessionPath: '/api/onboarding/session?user=later' });
      setTimeout(() => document.getElementById('here').append(element));`;
    await page.goto(checklist.publish({ script }));
    await expectCount(page, '0 of 3');
  });

  describe('that the browser translates', () => {
    const translate = (page: Page) =>
      page.evaluate(`translatePage(document.querySelector('svc-widget').shadowRoot)`);

    it('brings an import to its end, with names and values as they are in the file', async () => {
      imports.delegates = true;
      const { page } = await open();
      await page.goto(imports.publish({ script: `${TRANSLATION} ${await importing()}` }));
      await translate(page);
      await choose(page, earthquakes(4, 1), 'my events.csv');
      await page.getByText('«Goes to»').waitFor();
      const names = await page.locator('#here th[scope=row]').allTextContents();
      expect(names[1]).toBe('Date2026-08-01, 2026-08-01, 2026-08-01');
      const options = page.locator('#here select').first().locator('option');
      expect(await options.allTextContents()).toContain('magnitude');
      await page.locator('#here select').nth(2).selectOption('magnitude');
      await page.getByRole('button', { name: '«Check 4 rows»' }).click();
      const errors = page.locator('#here .scroll').first();
      await errors.getByText('4;60').waitFor();
      expect(await errors.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
        '2',
        '1',
        'Mag',
        '4;60',
        expect.stringMatching(/^«.*»$/),
      ]);
      await page.getByRole('button', { name: '«Choose a corrected file»' }).click();
      await choose(page, earthquakes(4), 'my events.csv');
      await page.getByRole('button', { name: '«Check 4 rows»' }).click();
      await page.getByRole('button', { name: '«Approve 4 rows»' }).click();
      await page.getByText('«4 rows are approved»').waitFor();
    });

    it('leaves the name and the rows of a file alone where it is corrected', async () => {
      const { page } = await open();
      await page.goto(imports.publish({ script: `${TRANSLATION} ${await importing()}` }));
      await translate(page);
      await choose(page, `Report 2026\n\n${earthquakes(4)}Total\n`, 'my events.csv');
      await page.getByText('« can be corrected here»').waitFor();
      expect(await page.locator('#here .fixes b').first().textContent()).toMatch(/^my events\.csv«/);
      await page.getByText(/^\d+: Total$/).waitFor();
    });

    it('shows a checklist and feedback as they are after each change', async () => {
      const { page } = await open();
      await page.goto(checklist.publish(mounting('translated', {}, TRANSLATION)));
      await expectCount(page, '0 of 3');
      await translate(page);
      await checklist.users.report('translated', 'feed');
      await page.evaluate(() => Reflect.get(globalThis, 'mounted').refresh());
      await expectCount(page, '«1 of 3»');
      await page.goto(feedback.publish({ script: TRANSLATION }));
      await launchOn(page).waitFor();
      await translate(page);
      await page.getByRole('button', { name: '«Feedback»' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: '«Send»' }).click();
      await dialog.getByText('«Not sent.»').waitFor();
      await dialog.getByRole('textbox').fill('abc');
      await dialog.getByText('«3 of 2,000. Sent without your name.»').waitFor();
    });
  });
});
