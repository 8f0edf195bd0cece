import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { WIDGET_LOOKS } from '../testing/hosts/widget-looks.ts';
import { expectNoAxeViolations } from '../testing/in-browser.ts';
import {
  ChecklistCustomer,
  cardOn,
  expectCount,
  mounting,
  NAME,
  POLL_MS,
  PROGRESS,
  refresh,
  STEPS,
} from './checklist-customer.fixture.ts';

describeWidget('the checklist widget', ({ stage, open }) => {
  let customer: ChecklistCustomer;
  beforeAll(async () => {
    customer = await ChecklistCustomer.start(stage());
  });

  /** Lets time pass until a read begins, and waits for its answer. In one step, the read's own deadline would pass as well. */
  async function runToRead(page: Page, count: number): Promise<void> {
    while (customer.polls.length < count) await page.clock.runFor(500);
    await expect.poll(() => customer.polls.at(-1)?.status).not.toBeNull();
    // Twice: the answer is in the page, then the next read is planned.
    for (let turn = 0; turn < 2; turn += 1)
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  }

  describe('on a page with the documented policy', () => {
    it('shows the steps as text, with links to this origin only, and breaks no policy', async () => {
      await customer.users.report('ada', 'feed');
      const { page } = await open();
      await page.goto(customer.publish(mounting('ada')));
      await expectCount(page, '1 of 3');
      const steps = cardOn(page).getByRole('listitem');
      expect(await steps.allTextContents()).toEqual([
        'Connect a feed, done',
        'Run a first query, openAsk for one day.Open Run a first query',
        'Save an alert, open<img src=x onerror=alert(1)>Open Save an alert',
      ]);
      const link = cardOn(page).getByRole('link', { name: 'Open Run a first query' });
      expect(await link.evaluate((element) => (element as HTMLAnchorElement).href)).toBe(
        `${stage().site.origin}/query?day=1`,
      );
      expect(await page.evaluate(() => document.cookie + Object.keys(localStorage).join())).toBe('');
    });

    it.each(WIDGET_LOOKS)('has nothing that axe finds in any state: %s', async (name, options, html) => {
      const user = `looks-${name}`;
      const { page, faults } = await open(options);
      faults.allow(/net::ERR_FAILED/);
      await page.route(PROGRESS, (route) => route.abort());
      await page.goto(customer.publish(mounting(user, { html, style: 'html { color-scheme: light dark }' })));
      const retry = page.getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      await expectNoAxeViolations(page);
      await page.unroute(PROGRESS);
      await retry.click();
      await expectCount(page, '0 of 3');
      await expectNoAxeViolations(page);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        ),
      ).toBe(true);
      for (const { key } of STEPS) await customer.users.report(user, key);
      await refresh(page);
      await cardOn(page).getByText('All steps are done').waitFor();
      await expectNoAxeViolations(page);
      await cardOn(page).getByRole('button', { name: 'Fold away' }).click();
      const folded = cardOn(page).locator('summary').getByText(NAME);
      await folded.waitFor();
      await expectNoAxeViolations(page);
      await folded.click();
      await cardOn(page).getByRole('listitem').first().waitFor();
      await expectNoAxeViolations(page);
    });

    it('says what was completed when the page refreshes it, and keeps the focus', async () => {
      const { page } = await open();
      await page.goto(customer.publish(mounting('refresh')));
      await expectCount(page, '0 of 3');
      await cardOn(page).getByRole('link', { name: 'Open Save an alert' }).focus();
      await customer.users.report('refresh', 'query');
      await refresh(page);
      await expectCount(page, '1 of 3');
      expect(await page.locator('#here [role=status]').textContent()).toBe('Run a first query, done. 1 of 3');
      expect(
        await page.evaluate(
          () => document.querySelector('#here svc-widget')?.shadowRoot?.activeElement?.textContent,
        ),
      ).toBe('Open Save an alert');
    });

    it('says once that the list is complete, then folds it, and stops asking', async () => {
      for (const key of ['feed', 'query']) await customer.users.report('complete', key);
      const { page } = await open();
      await page.clock.install();
      await page.goto(customer.publish(mounting('complete')));
      await expectCount(page, '2 of 3');
      await customer.users.report('complete', 'alert');
      await refresh(page);
      await cardOn(page).getByText('All steps are done').waitFor();
      await expectNoAxeViolations(page);
      stage().ingest.forget();
      await page.clock.runFor(3 * POLL_MS);
      expect(customer.polls).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const folded = cardOn(page).locator('summary').getByText(NAME);
      await folded.waitFor();
      await expectNoAxeViolations(page);
      await page.keyboard.press('Enter');
      expect(await cardOn(page).getByRole('listitem').count()).toBe(3);
      await page.keyboard.press('Enter');
      expect(await cardOn(page).getByRole('listitem').count()).toBe(0);
      await page.reload();
      await folded.waitFor();
    });

    it('has the links, the heading and the end that the page chooses, and tells it what happens', async () => {
      const { page, faults } = await open();
      faults.allow(/of the page/);
      const options = `{ sessionPath: '/api/session?user=events', links: { alert: 'Go to alerts' }, headingLevel: 2, dismissible: true, ...calls }`;
      await page.goto(
        customer.publish({
          script: `globalThis.told = [];
            const calls = {
              onCompleted: ({ complete }) => told.push(['onCompleted', complete]),
              onDismissed: () => { told.push(['onDismissed']); throw new Error('of the page'); },
            };
            for (const name of ['completed', 'dismissed']) {
              addEventListener('svcactivate:' + name, ({ detail }) => told.push([name, detail]));
            }
            globalThis.mounted = SvcActivate.mount(document.getElementById('here'), ${options});`,
        }),
      );
      const told = () => page.evaluate(() => Reflect.get(globalThis, 'told'));
      await cardOn(page).getByRole('heading', { name: NAME, level: 2 }).waitFor();
      await cardOn(page).getByRole('link', { name: 'Go to alerts Save an alert' }).waitFor();
      await expectNoAxeViolations(page);
      await customer.users.report('events', 'query');
      await refresh(page);
      for (const key of ['feed', 'alert']) await customer.users.report('events', key);
      await refresh(page);
      const completed = [
        ['completed', { steps: ['query'], complete: false }],
        ['onCompleted', false],
        ['completed', { steps: ['feed', 'alert'], complete: true }],
        ['onCompleted', true],
      ];
      expect(await told()).toEqual(completed);
      await expectNoAxeViolations(page);
      await cardOn(page).getByRole('button', { name: 'Dismiss' }).click();
      expect(await told()).toEqual([...completed, ['dismissed', null], ['onDismissed']]);
      expect(await page.locator('#here').evaluate((element) => element.childNodes.length)).toBe(0);
    });

    it('is dismissed once it is complete, and stays so in this browser for the key of the page', async () => {
      for (const { key } of STEPS) await customer.users.report('dismissed', key);
      const { page } = await open();
      const mountWith = (key: string) =>
        customer.publish({
          script: `SvcActivate.mount(document.getElementById('here'), { sessionPath: '/api/session?user=dismissed', dismissible: true, dismissalKey: '${key}' })`,
        });
      const here = page.locator('#here');
      const address = mountWith('one');
      await page.goto(address);
      await cardOn(page).getByText('All steps are done').waitFor();
      await cardOn(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
      // The focus is where the list was, and not at the start of the page.
      expect(await here.evaluate((element) => element.matches(':focus:empty'))).toBe(true);
      const before = customer.sessions('dismissed');
      await page.goto(address);
      expect(await here.evaluate((element) => element.childNodes.length)).toBe(0);
      await page.goto(mountWith('another'));
      await cardOn(page).getByRole('button', { name: 'Dismiss' }).waitFor();
      expect(customer.sessions('dismissed')).toBe(before + 1);
    });

    it('shows labels of the page in place of its English', async () => {
      const { page } = await open();
      const labels = { count: '{0} von {1}', go: 'Öffnen' };
      await page.goto(
        customer.publish({
          script: `SvcActivate.mount(document.getElementById('here'), { sessionPath: '/api/session?user=labels', labels: ${JSON.stringify(labels)} })`,
        }),
      );
      await expectCount(page, '0 von 3');
      await cardOn(page).getByRole('link', { name: 'Öffnen Save an alert' }).waitFor();
    });
  });

  describe('polling', () => {
    it('asks every 30 s with the entity tag, gets 304, and ends after 30 attempts, refreshes included', async () => {
      const { page } = await open();
      await page.clock.install();
      stage().ingest.forget();
      await page.goto(customer.publish(mounting('polling')));
      await expectCount(page, '0 of 3');
      for (let attempt = 2; attempt <= 3; attempt += 1) {
        await page.clock.runFor(POLL_MS - 2_000);
        expect(customer.polls).toHaveLength(attempt - 1);
        await runToRead(page, attempt);
      }
      for (let attempt = 4; attempt <= 30; attempt += 1) await refresh(page);
      expect(customer.polls.map(({ status }) => status)).toEqual([200, ...Array(29).fill(304)]);
      await page.clock.runFor(3 * POLL_MS);
      await refresh(page);
      expect(customer.polls).toHaveLength(30);
      expect(customer.sessions('polling')).toBe(1);
    });

    it('makes no request while the page is hidden, and one when it is seen again', async () => {
      const { page } = await open();
      await page.clock.install();
      await page.addInitScript(() => {
        Object.defineProperty(document, 'hidden', { get: () => Reflect.get(globalThis, 'away') ?? true });
        Object.defineProperty(document, 'visibilityState', {
          get: () => ((Reflect.get(globalThis, 'away') ?? true) ? 'hidden' : 'visible'),
        });
      });
      const turn = (away: boolean) =>
        page.evaluate((to) => {
          Reflect.set(globalThis, 'away', to);
          document.dispatchEvent(new Event('visibilitychange'));
        }, away);
      stage().ingest.forget();
      await page.goto(customer.publish(mounting('hidden')));
      await page.clock.runFor(3 * POLL_MS);
      await refresh(page);
      expect(customer.polls).toEqual([]);
      expect(customer.sessions('hidden')).toBe(0);
      await turn(false);
      await page.clock.runFor(100);
      await expectCount(page, '0 of 3');
      await turn(true);
      await page.clock.runFor(3 * POLL_MS);
      expect(customer.polls).toHaveLength(1);
    });

    it('is done once for several mounts of one session path', async () => {
      const { page } = await open();
      await page.clock.install();
      stage().ingest.forget();
      await page.goto(
        customer.publish(
          mounting(
            'shared',
            { body: '<main id="here"></main><aside id="there"></aside>' },
            "globalThis.told = []; addEventListener('svcactivate:completed', ({ detail }) => told.push(detail.steps)); globalThis.other = SvcActivate.mount(document.getElementById('there'), { sessionPath: '/api/onboarding/session?user=shared' });",
          ),
        ),
      );
      await expect.poll(() => page.getByText('0 of 3').count()).toBe(2);
      await runToRead(page, 2);
      expect(customer.polls.map(({ status }) => status)).toEqual([200, 304]);
      await customer.users.report('shared', 'feed');
      await refresh(page);
      expect(await page.evaluate(() => Reflect.get(globalThis, 'told'))).toEqual([['feed']]);
      await page.evaluate(() => Reflect.get(globalThis, 'other').destroy());
      expect(await page.getByText('1 of 3', { exact: true }).count()).toBe(1);
      await page.evaluate(() => Reflect.get(globalThis, 'mounted').destroy());
      await page.clock.runFor(3 * POLL_MS);
      expect(customer.polls).toHaveLength(3);
      expect(await page.locator('#here').evaluate((element) => element.childNodes.length)).toBe(0);
    });

    it('stands still while it is away, and continues with its session once it is back', async () => {
      const { page } = await open();
      await page.clock.install();
      stage().ingest.forget();
      await page.goto(customer.publish(mounting('away')));
      await expectCount(page, '0 of 3');
      await page.evaluate(() => {
        const element = document.getElementById('here');
        Reflect.set(globalThis, 'away', element);
        element?.remove();
      });
      await page.clock.runFor(100_000);
      expect(customer.polls).toHaveLength(1);
      await customer.users.report('away', 'feed');
      await page.evaluate(() => document.body.append(Reflect.get(globalThis, 'away')));
      await page.clock.runFor(100);
      await expectCount(page, '1 of 3');
      expect(customer.polls.map(({ status }) => status)).toEqual([200, 200]);
      expect(customer.sessions('away')).toBe(1);
    });

    it('opens a new session once when the token has ended', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 401/);
      await page.goto(customer.publish(mounting('evicted')));
      await expectCount(page, '0 of 3');
      // The sixth session of a subject ends the oldest one.
      for (let session = 0; session < 5; session += 1)
        await customer.users.openSession('evicted', stage().site.origin);
      await customer.users.report('evicted', 'feed');
      stage().ingest.forget();
      await refresh(page);
      await expectCount(page, '1 of 3');
      expect(customer.polls.map(({ status }) => status)).toEqual([401, 200]);
      expect(customer.sessions('evicted')).toBe(2);
    });
  });

  describe('without an answer', () => {
    const lost = /net::ERR_EMPTY_RESPONSE|net::ERR_SOCKET|net::ERR_CONNECTION/;

    it('says so, and tries again when a person asks for it', async () => {
      const { page, faults } = await open();
      faults.allow(lost);
      stage().ingest.silent = null;
      const address = customer.publish(mounting('outage'));
      await page.route(PROGRESS, (route) => route.abort());
      await page.goto(address);
      const retry = page.getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      faults.allow(/net::ERR_FAILED/);
      await expectNoAxeViolations(page);
      await page.unroute(PROGRESS);
      await retry.click();
      await expectCount(page, '0 of 3');
    });

    it('keeps the list that it has, and spreads the attempts after an outage over more than 30 s', async () => {
      const delays: number[] = [];
      for (let round = 0; round < 4; round += 1) {
        const { page, faults } = await open();
        faults.allow(/net::ERR_FAILED/);
        await page.clock.install({ time: 0 });
        await page.goto(customer.publish(mounting('spread')));
        await expectCount(page, '0 of 3');
        let aborted = 0;
        await page.route(PROGRESS, (route) => {
          aborted += 1;
          return route.abort();
        });
        await page.clock.runFor(POLL_MS);
        await expect.poll(() => aborted).toBe(1);
        await expectCount(page, '0 of 3');
        const first = await page.evaluate(() => performance.now());
        while (aborted === 1) {
          await page.clock.runFor(1_000);
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
        }
        delays.push((await page.evaluate(() => performance.now())) - first);
      }
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(POLL_MS - 2_000);
      expect(new Set(delays.map((ms) => Math.round(ms / 1_000))).size).toBeGreaterThan(1);
    });

    it('gives a request up after eight seconds', async () => {
      const { page } = await open();
      stage().ingest.silent = PROGRESS;
      try {
        const startedAt = Date.now();
        await page.goto(customer.publish(mounting('silent')));
        await page.getByText('Progress cannot be read').waitFor();
        expect(Date.now() - startedAt).toBeGreaterThanOrEqual(7_900);
      } finally {
        stage().ingest.silent = null;
      }
    });

    it('hides itself for good when the user is not signed in, without a second request', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 401/);
      await page.clock.install();
      await page.goto(customer.publish(mounting('signed-out')));
      await expect.poll(() => page.locator('#here section').isHidden()).toBe(true);
      await page.clock.runFor(5 * POLL_MS);
      expect(customer.sessions('signed-out')).toBe(1);
    });

    it('tells the author of the page with which status the session was refused', async () => {
      const { page, faults } = await open();
      faults.allow(/status of 403/);
      await page.goto(customer.publish(mounting('forbidden')));
      await expect.poll(() => faults.found).toEqual([expect.stringMatching(/SvcActivate.mount 403$/)]);
      expect(await page.locator('#here section').isHidden()).toBe(true);
      faults.allow(/SvcActivate/);
    });
  });
});
