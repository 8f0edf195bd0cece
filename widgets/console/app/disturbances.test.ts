import { expect, it } from 'vitest';
import {
  ServiceProcess,
  type ServiceProcessOptions,
} from '../../../infra/tools/service-process/service-process.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../testing/in-browser.ts';

/** The addresses of the service that a page asks, with the one by which it learns that the service is away. */
const SERVICE = /\/(v1|livez)\b/;

/** The browser notes each request that meets no service. */
const NO_ANSWER = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 503/;

let service: ServiceProcess;
const startService = async (options: ServiceProcessOptions) => {
  service = await ServiceProcess.start(options);
  return service;
};

describeInBrowser(
  'a page whose service is disturbed',
  ({ open, seeds }) => {
    it('keeps what it shows while the service is down, says so in place, and continues after its restart', async () => {
      const { workspaceId } = await seeds().workspace('through-a-restart');
      const { page, faults } = await open();
      faults.allow(NO_ANSWER);
      await page.goto(`/agent-workspaces/${workspaceId}`);
      await page.getByRole('button', { name: 'Create credential' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create credential' });
      await dialog.getByLabel('Name').fill('typed-before');
      await service.kill();
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.postDataJSON());
      });
      await dialog.getByRole('button', { name: 'Create credential' }).click();
      await dialog.getByText('The service did not answer.').waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('typed-before');
      const away = page.getByText('The service cannot be reached').first();
      await away.waitFor();
      await expectNoAxeViolations(page);
      await service.restart();
      await away.waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Secret of “typed-before”' }).waitFor();
      // All tries are one request for the service, whether or not the first one arrived.
      expect(sent).toHaveLength(3);
      expect(sent).toEqual([sent[0], sent[0], sent[0]]);
      await page.getByRole('rowheader', { name: 'typed-before' }).waitFor();
    });

    it('says once that the service cannot be reached, and reads everything again by itself', async () => {
      const { page, faults } = await open();
      faults.allow(/ERR_FAILED/);
      await page.goto('/members');
      await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
      await page.route(SERVICE, (route) => route.abort());
      await page.getByRole('link', { name: 'Keys' }).click();
      await page.getByText('The keys could not be read.').waitFor();
      await page.getByText('The service cannot be reached').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(
        await page.getByRole('heading', { name: 'Revoked and expired keys' }).locator('..').textContent(),
      ).not.toContain('0');
      await expectNoAxeViolations(page);
      await page.unroute(SERVICE);
      await page.getByText('The keys could not be read.').waitFor({ state: 'detached' });
      await page.getByText('The service cannot be reached').waitFor({ state: 'detached' });
    });

    it('says at once that the browser is offline, in a dialog too, and continues by itself', async () => {
      const { context, page, faults } = await open();
      faults.allow(/ERR_INTERNET_DISCONNECTED/);
      await page.goto('/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill('made-online');
      await context.setOffline(true);
      await dialog.getByText('The service cannot be reached').waitFor();
      await expectNoAxeViolations(page);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('It is not known whether the key was created').waitFor();
      await context.setOffline(false);
      await dialog.getByText('The service cannot be reached').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Key “made-online” created' }).waitFor();
    });

    it('that is opened while requests are not answered loads once they are', async () => {
      const { page, faults } = await open();
      faults.allow(/ERR_FAILED/);
      await page.goto('/members');
      await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
      await page.route('**/v1/**', (route) => route.abort());
      await page.getByRole('link', { name: 'Keys' }).click();
      const failed = page.getByText('The keys could not be read');
      await failed.waitFor();
      await expectNoAxeViolations(page);
      await page.unroute('**/v1/**');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await failed.waitFor({ state: 'detached' });
    });

    it('shows its shape while the service is slow, and makes one thing of a form that is sent twice', async () => {
      const { workspaceId } = await seeds().workspace('slowly');
      const { page } = await open();
      const held = Promise.withResolvers<void>();
      await page.route('**/v1/console/workspaces/**', async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.goto(`/agent-workspaces/${workspaceId}`);
      await page.locator('[aria-busy=true]').first().waitFor();
      held.resolve();
      await page.getByRole('heading', { name: 'slowly', level: 1 }).waitFor();
      const answered = Promise.withResolvers<void>();
      const keys: string[] = [];
      await page.route('**/credentials', async (route) => {
        keys.push(route.request().postDataJSON().idempotencyKey);
        await answered.promise;
        await route.continue();
      });
      await page.getByRole('button', { name: 'Create credential' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create credential' });
      await dialog.getByLabel('Name').fill('once');
      await page.keyboard.press('Enter');
      await expect.poll(() => keys.length).toBe(1);
      await page.keyboard.press('Enter');
      const create = dialog.getByRole('button', { name: 'Creating credential' });
      await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true');
      await create.hover();
      const look = create.evaluate((button) => {
        const { color, backgroundColor } = getComputedStyle(button);
        const probe = document.createElement('button');
        probe.className = 'btn';
        probe.disabled = true;
        document.body.append(probe);
        const readable = getComputedStyle(probe);
        const isReadable = readable.color === color && readable.backgroundColor === backgroundColor;
        probe.remove();
        return isReadable;
      });
      expect(await look).toBe(true);
      await expectNoAxeViolations(page);
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(true);
      answered.resolve();
      await page.getByRole('region', { name: 'Secret of “once”' }).waitFor();
      expect(keys).toHaveLength(1);
      await expect.poll(() => page.getByRole('rowheader', { name: 'once', exact: true }).count()).toBe(1);
    });
  },
  { startService },
);

const HOUR_MS = 3_600_000;

describeInBrowser('a browser whose clock is wrong', ({ open, seeds }) => {
  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ])('by %s counts down by the clock of the service', async (_name, skewMs) => {
    const workspace = await seeds().workspace(`skewed by ${skewMs}`);
    const { page } = await open();
    await page.clock.install({ time: Date.now() + skewMs });
    await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
    // A preview lives for 72 hours from its creation, which was a moment ago. The header that tells the service's time has whole seconds.
    await page
      .locator('.head')
      .getByText(/ends in (2 d 23|3 d 0) h/)
      .waitFor();
    await page.goto('/agent-workspaces');
    const row = page.getByRole('row', { name: `skewed by ${skewMs}` });
    await row.getByText(/in (2 d 23|3 d 0) h/).waitFor();
    await page.goto('/audit');
    await page
      .getByRole('cell', { name: /^(now|\d+ min ago)$/ })
      .first()
      .waitFor();
  });
});

describeInBrowser(
  'limits that are nearly used',
  ({ open, seeds }) => {
    it('warn from 80 % on, and at their end say what happens', async () => {
      const workspace = await seeds().workspace('nearly-full');
      await seeds().verifiedResult(workspace);
      await seeds().owner.claim(workspace.workspaceId);
      const { backend, configuration } = await seeds().checklist(workspace, 3);
      const { page } = await open();
      await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
      const meter = (name: string) => page.locator('.limits dl > div', { hasText: name });
      await meter('Enrollments').locator('.count-warn').waitFor();
      await expectNoAxeViolations(page);
      await backend.report('user-last', configuration.steps[0]?.key ?? '', 'last');
      await page.reload();
      await meter('Enrollments').locator('.count-bad').waitFor();
      await meter('Enrollments').locator('.hint').waitFor();
      await expectNoAxeViolations(page);
    });
  },
  { limits: { plans: { free: { checklistEnrollments: 5 } } } },
);

/** Long enough to attach it and to open its page, and short enough to wait for. */
const PREVIEW_MS = 20_000;

describeInBrowser(
  'a preview that ends while its page is open',
  ({ open, seeds }) => {
    it('turns into an expired one by itself, and can only be erased', async () => {
      const workspace = await seeds().workspace('short-lived');
      const { page } = await open();
      await page.goto(`/agent-workspaces/${workspace.workspaceId}`);
      await page.getByRole('button', { name: 'Create credential' }).waitFor();
      await page.locator('.head .badge', { hasText: 'Expired' }).waitFor({ timeout: 90_000 });
      await page
        .getByText('The preview ended before anyone claimed it. You can erase it under Danger.')
        .waitFor();
      expect(await page.getByRole('button', { name: 'Create credential' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0);
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByLabel('Type short-lived to erase it').fill('short-lived');
      await page.getByRole('button', { name: 'Erase workspace' }).click();
      await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
      await page.goBack();
      await expect.poll(() => page.locator('main').getByText('short-lived').count()).toBe(0);
    });
  },
  { limits: { workspace: { previewMs: PREVIEW_MS } } },
);
