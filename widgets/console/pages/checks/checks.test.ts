import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';
import { isFocused, Keyboard } from '../../../testing/keyboard.ts';
import { openWithClock, readAgainUntil } from '../../../testing/page-clock.ts';
import { CheckingAgent, type SeededChecks, seedChecks } from '../../../testing/seeded-checks.ts';
import type { SeededWorkspace } from '../../../testing/seeds.ts';

const show = (page: Page) => page.getByRole('button', { name: 'Show the screenshot' });
const picture = (page: Page) => page.getByRole('img', { name: 'The last page as the run left it' });

describeInBrowser(
  'the checks of a workspace',
  ({ open, opened, seeds }) => {
    let workspace: SeededWorkspace;
    let checks: SeededChecks;
    const at = (path = '') => `/agent-workspaces/${workspace.workspaceId}/checks${path}`;

    beforeAll(async () => {
      workspace = await seeds().workspace('checked-pages');
      await seeds().verifiedResult(workspace);
      await seeds().owner.claim(workspace.workspaceId);
      checks = await seedChecks(seeds(), workspace, opened().site);
    });

    it('are origins with their proof, suites, access profiles and runs', async () => {
      const { page } = await open();
      await page.goto(at());
      const proved = page.getByRole('listitem', { name: opened().site.origin });
      await proved.getByText('Proved').waitFor();
      await proved.getByText(/ends in 89 d/).waitFor();
      const pending = page.getByRole('listitem', { name: 'https://quakes.northwind.example' });
      await pending.getByText('Not proved').waitFor();
      await pending.getByText(/\.well-known\/svccheck\/ori_[a-z2-7]+\.txt$/).waitFor();
      await pending.getByText(/^bun .+ svc-cli-\S+ check confirm --origin-id ori_/s).waitFor();
      await page.getByRole('cell', { name: 'Phone, 390 by 844' }).waitFor();
      await page.getByRole('row', { name: /Failed The heading is missing/ }).waitFor();
      await page.getByRole('row', { name: /Passed none/ }).waitFor();
      await expectNoAxeViolations(page);
    });

    it('narrow the runs to a suite in the address, and open a run by keyboard', async () => {
      const { page } = await open();
      const keyboard = new Keyboard(page);
      await keyboard.open(at());
      await keyboard.press(page.getByRole('link', { name: 'Catalogue', exact: true }));
      await page.getByText('Expects the heading “Latest earthquakes”').waitFor();
      await page.getByRole('row', { name: /heading is missing/ }).waitFor({ state: 'detached' });
      await page.reload();
      await page.getByText('Expects the heading “Latest earthquakes”').waitFor();
      const rows = page.getByRole('region', { name: 'Runs table' }).locator('tbody tr');
      await expect.poll(() => rows.count()).toBe(1);
      await keyboard.press(rows.first());
      await page.getByRole('heading', { name: 'Catalogue', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(at(`/${checks.verified}`));
      await page.goBack();
      await expect.poll(() => rows.count()).toBe(1);
    });

    it('say why a run failed, with every step and its time', async () => {
      const { page } = await open();
      await page.goto(at(`/${checks.failed}`));
      const reason = page.getByRole('region', { name: 'Reason' });
      await reason.getByText('The heading is missing').waitFor();
      await reason.getByText('No visible heading "Seismic events".').waitFor();
      await reason.getByText('The heading has to be visible within 5 seconds').waitFor();
      const steps = page.getByRole('region', { name: 'Steps of Home' });
      await steps.getByRole('row', { name: /^Opens \/ .* Passed \d/ }).waitFor();
      await steps.getByRole('row', { name: /^Expects the heading “Seismic events” .* Failed \d/ }).waitFor();
      await steps.getByRole('row', { name: 'Expects the text “900 events” Skipped none' }).waitFor();
      await page.getByText(`${opened().site.origin}/`, { exact: true }).waitFor();
      expect(await page.locator('main').getByRole('link', { name: opened().site.origin }).count()).toBe(0);
      await expectNoAxeViolations(page);
    });

    it('show the picture of a run when a person asks for it, and the audit log notes the look', async () => {
      const { page } = await open();
      const looks: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/screenshot')) looks.push(request.url());
      });
      await page.goto(at(`/${checks.verified}`));
      await page.getByRole('region', { name: 'Result' }).getByText('Verified').waitFor();
      await show(page).waitFor();
      expect(looks).toEqual([]);
      await page.keyboard.press('s');
      await expect.poll(() => isFocused(show(page))).toBe(true);
      await page.keyboard.press('Enter');
      await picture(page).waitFor();
      await expect
        .poll(() => picture(page).evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBe(1280);
      expect(looks).toHaveLength(1);
      await expectNoAxeViolations(page);
      await expect.poll(() => seeds().auditedActions()).toContain('checks.read-screenshot');
    });

    it('show a member everything but the picture', async () => {
      const { page } = await open({ cookie: await seeds().join('member', 'mia@northwind.example') });
      const looks: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('screenshot')) looks.push(request.url());
      });
      await page.goto(at(`/${checks.verified}`));
      await page.getByText('Owners and admins see it; you are a member.').waitFor();
      await page.getByRole('row', { name: /^Opens \// }).waitFor();
      await page.keyboard.press('s');
      expect(await page.locator('main button, main img').filter({ hasText: 'screenshot' }).count()).toBe(0);
      expect(looks).toEqual([]);
    });

    it('follow a run from its request to its end without a reload', async () => {
      const { site } = opened();
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      site.pages.set('/slow', (_request, response) => {
        void released.then(() =>
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Late</h1>'),
        );
      });
      const agent = new CheckingAgent(seeds(), workspace, site, 'live');
      const suiteId = await agent.createSuite(
        await agent.prove(),
        'Slow page',
        agent.headingAt('/slow', 'Late'),
      );
      const { page } = await open();
      await openWithClock(page, at(`?suite=${suiteId}`));
      await page.getByText('Waiting for the first run.').waitFor();
      const runId = await agent.request(suiteId);
      await readAgainUntil(page, page.getByRole('row', { name: /Slow page (Queued|Running)/ }));
      await page.goto(at(`/${runId}`));
      await page.getByText('The result appears here automatically.').waitFor();
      await page.getByRole('row', { name: 'Expects the heading “Late” none yet none' }).waitFor();
      release();
      await readAgainUntil(page, page.getByRole('region', { name: 'Result' }).getByText('Verified'));
      await show(page).waitFor();
    });

    it('begin with the commands, and show the first origin by themselves', async () => {
      const quiet = await seeds().workspace('not-checked-yet');
      const { page } = await open();
      await openWithClock(page, `/agent-workspaces/${quiet.workspaceId}/checks`);
      await page.getByRole('heading', { name: 'No origin yet' }).waitFor();
      await page.getByText(/^bun .+ svc-cli-\S+ check origin --origin/s).waitFor();
      await expectNoAxeViolations(page);
      await new CheckingAgent(seeds(), quiet, opened().site).nameOrigin('https://quakes.northwind.example');
      await readAgainUntil(page, page.getByText('Not proved'));
      await page.getByText(/ check create --origin-id /).waitFor();
    });

    it('say that a paused workspace takes no runs, what is missing, and what was erased', async () => {
      const other = await seeds().workspace('to-be-erased');
      await seeds().verifiedResult(other);
      await seeds().owner.claim(other.workspaceId);
      const post = (change: string, json: object) =>
        seeds().client.send('POST', `/v1/console/workspaces/${other.workspaceId}/${change}`, 200, {
          cookie: seeds().cookie,
          json,
        });
      const page = (await open()).page;
      const own = `/agent-workspaces/${other.workspaceId}/checks`;
      await post('pause', {});
      await page.goto(own);
      await page.getByText('New runs are refused').waitFor();
      await page.goto(`${own}/run_${'a'.repeat(24)}`);
      await page.getByRole('heading', { name: 'There is no such run' }).waitFor();
      await post('erase', { confirm: 'to-be-erased' });
      await page.goto(own);
      await page.getByRole('heading', { name: 'This workspace was erased' }).waitFor();
    });

    it('are named, confirmed and run by an owner, and refused with the reason', async () => {
      const { page } = await open();
      await page.goto(at('?do=name-origin'));
      const dialog = page.getByRole('dialog', { name: 'Add an origin' });
      await dialog.getByLabel('Origin').fill('https://quakes.northwind.example');
      await expectNoAxeViolations(page);
      await dialog.getByRole('button', { name: 'Add origin' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Confirm https://quakes.northwind.example' }).click();
      const pending = page.getByRole('listitem', { name: 'https://quakes.northwind.example' });
      await pending.getByText('The origin is not proved').waitFor();
      await expectNoAxeViolations(page);
      await page.getByRole('button', { name: 'Run Catalogue', exact: true }).click();
      await page.getByRole('heading', { name: 'Catalogue', level: 1 }).waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/checks\/run_/);
    });

    it('get a suite from an owner, who runs it at once and copies it', async () => {
      opened().site.pages.set('/made', (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Made by hand</h1>');
      });
      const { page } = await open();
      const keyboard = new Keyboard(page);
      await page.goto(at());
      await keyboard.press(page.getByRole('button', { name: 'Create suite' }));
      const dialog = page.getByRole('dialog', { name: 'Create suite' });
      await expectNoAxeViolations(page);
      await dialog.getByLabel('Name').fill('Hand');
      await dialog.getByLabel('Path').fill('made');
      await dialog.getByLabel('Heading', { exact: true }).fill('Made by hand');
      await dialog.getByRole('button', { name: 'Create suite' }).click();
      await dialog.getByText('such as /sign-up').waitFor();
      await dialog.getByLabel('Path').fill(`${opened().site.origin}/made`);
      expect(await dialog.getByLabel('Path').inputValue()).toBe('/made');
      await keyboard.press(dialog.getByRole('button', { name: 'Add step' }));
      await dialog.getByLabel('Step 3', { exact: true }).selectOption('expect_status');
      await dialog.getByLabel('Status').fill('200');
      await dialog.getByRole('button', { name: 'Create suite' }).click();
      await page.getByRole('heading', { name: 'Hand', level: 1 }).waitFor();
      await page.getByRole('row', { name: /^Expects the status 200/ }).waitFor();
      await page.getByRole('link', { name: 'Suite and its runs' }).click();
      await keyboard.press(page.getByRole('button', { name: 'Copy and change…' }));
      const copy = page.getByRole('dialog', { name: 'Copy Hand' });
      expect(await copy.getByLabel('Path').inputValue()).toBe('/made');
      await copy.getByLabel('Name').fill('Hand, again');
      await copy.getByRole('button', { name: 'Remove step 3' }).click();
      await copy.getByLabel('Run it as soon as it is created').uncheck();
      await copy.getByRole('button', { name: 'Create suite' }).click();
      await page.getByRole('row', { name: /^Hand, again 1 flow, 2 steps/ }).waitFor();
      await page.goto('/audit');
      await page
        .getByRole('row', { name: /Create suite/ })
        .first()
        .waitFor();
    });

    it('get a suite in a form whose steps begin and end where its other fields do', async () => {
      const { page } = await open();
      for (const width of [1_280, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(at('?do=create-suite'));
        const form = page.getByRole('dialog').locator('form');
        await form.getByRole('button', { name: 'Remove step 2' }).waitFor();
        const { starts, ends, values } = await form.evaluate(edgesOf);
        expect(new Set(values).size).toBe(1);
        expect(new Set(starts).size).toBe(1);
        expect(new Set(ends).size).toBe(1);
      }
    });

    it('get no suite from a member', async () => {
      const { page } = await open({ cookie: await seeds().join('member', 'suites@northwind.example') });
      await page.goto(at('?do=create-suite'));
      await page.getByText('An owner or admin creates and runs suites').waitFor();
      expect(await page.getByRole('button', { name: 'Create suite' }).count()).toBe(0);
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  },
  { hasSite: true },
);

/** Runs in the page. Returns where the words of each label and the value of each step begin, and where each row of fields ends. */
function edgesOf(form: Element) {
  const words = document.createRange();
  const starts = [...form.querySelectorAll('.fields > .field > :is(label, legend)')].map((label) => {
    words.selectNodeContents(label);
    return words.getBoundingClientRect().left;
  });
  const rows = form.querySelectorAll('.fields > .field > :is(input, select), li > :last-child');
  return {
    starts,
    ends: [...rows].map((row) => row.getBoundingClientRect().right),
    values: [...form.querySelectorAll('li input')].map((value) => value.getBoundingClientRect().left),
  };
}
