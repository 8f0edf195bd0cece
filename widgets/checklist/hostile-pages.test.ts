import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import {
  ChecklistCustomer,
  cardOn,
  expectCount,
  mounting,
  NAME,
  PROGRESS,
  STEPS,
} from './checklist-customer.fixture.ts';

describeWidget('the checklist widget on a hostile page', ({ stage, open }) => {
  let customer: ChecklistCustomer;
  beforeAll(async () => {
    customer = await ChecklistCustomer.start(stage());
    await customer.users.report('ada', 'feed');
  });

  it('shows nothing to another origin that has a session of this one', async () => {
    const { page, faults } = await open();
    faults.allow(/asked another origin: https:\/\/stranger|blocked by CORS policy|net::ERR_FAILED/);
    stage().ingest.forget();
    await page.goto(stage().stranger.publish({ scripts: [customer.script], ...mounting('ada') }));
    await page.getByText('Progress cannot be read').waitFor();
    expect(customer.polls.map(({ status }) => status)).toEqual([403]);
    expect(await page.locator('#here section').textContent()).not.toContain('feed');
  });

  it('keeps its looks under style sheets that reset or hide everything', async () => {
    const looks = async (style: string) => {
      const { page } = await open({ viewport: { width: 600, height: 600 } });
      await page.goto(customer.publish(mounting('ada', { style })));
      await expectCount(page, '1 of 3');
      return (await page.locator('#here section').screenshot()).toString('base64');
    };
    const plain = await looks('main { font: 16px/1.5 sans-serif; color-scheme: light; width: 400px }');
    const hostile = await looks(
      `* { all: unset !important; display: inline !important; opacity: 0 !important; transform: rotate(9deg) !important }
         section, li, button { background: red !important; content: "x" !important }
         head, script { display: none !important }
         body { display: block !important; padding: 8px !important; opacity: 1 !important; transform: none !important }
         html { opacity: 1 !important; transform: none !important }
         main { font: 16px/1.5 sans-serif !important; color-scheme: light !important; display: block !important; width: 400px !important; opacity: 1 !important; transform: none !important }`,
    );
    expect(hostile).toBe(plain);
  });

  it('opens its links in the window of the page, whatever its base says', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 404/);
    await page.goto(
      customer.publish(mounting('ada', { body: '<base target="_blank"><main id="here"></main>' })),
    );
    await cardOn(page).getByRole('link').first().click();
    await page.waitForURL(/\/query\?day=1$/);
    expect(page.context().pages()).toHaveLength(1);
  });

  it('tells the developer of a page that its sessionPath redirects', async () => {
    const { page, faults } = await open();
    faults.allow(/answers with a redirect/);
    const { backend } = stage().site;
    stage().site.backend = async ({ path }) => ({ status: 308, json: {}, headers: { Location: `${path}/` } });
    const told = page.waitForEvent('console', (message) => message.type() === 'error');
    await page.goto(customer.publish(mounting('redirected')));
    await page.getByText('Progress cannot be read').waitFor();
    stage().site.backend = backend;
    const address = `${stage().site.origin}/api/onboarding/session?user=redirected`;
    expect((await told).text()).toBe(`SvcActivate: ${address} answers with a redirect`);
  });

  it('never throws into the page, and says that it does not work', async () => {
    const { page, faults } = await open();
    faults.allow(/SvcActivate.mount TypeError/);
    const script = `globalThis.CSSStyleSheet = undefined; ${mounting('ada').script} document.title = 'continued'; mounted.destroy();`;
    await page.goto(customer.publish({ script }));
    await page.getByText('Progress cannot be read').waitFor();
    expect(await page.title()).toBe('continued');
  });

  it('has a bar that looks empty in forced colours at the start', async () => {
    const { page } = await open({ forcedColors: 'active' });
    await page.goto(customer.publish(mounting('nobody-yet')));
    await expectCount(page, '0 of 3');
    const colours = await page.locator('#here .bar').evaluate((bar) => {
      const [track, filled] = [getComputedStyle(bar), getComputedStyle(bar.firstElementChild as Element)];
      return { track: track.backgroundColor, outline: track.outlineColor, filled: filled.backgroundColor };
    });
    expect(colours.track).toBe('rgb(255, 255, 255)');
    expect(new Set(Object.values(colours)).size).toBe(3);
  });

  it('is there once after two mounts, a remount and two copies of the script', async () => {
    const { page } = await open();
    stage().ingest.forget();
    const mount = `SvcActivate.mount(document.getElementById('here'), { sessionPath: '/api/onboarding/session?user=twice' })`;
    await page.goto(
      stage().site.publish({
        scripts: [customer.script, `${customer.script}?copy`],
        script: `${mount}.destroy(); globalThis.first = ${mount}; globalThis.mounted = ${mount}; first.destroy();`,
      }),
    );
    await expectCount(page, '0 of 3');
    expect(await cardOn(page).count()).toBe(1);
    expect(customer.polls).toHaveLength(1);
    expect(customer.sessions('twice')).toBe(1);
    const names = await page.evaluate(() => Object.keys(globalThis).filter((name) => /svc/i.test(name)));
    expect(names).toEqual(['SvcActivate']);
  });

  it('leaves the page alone when it is called wrongly', async () => {
    const { page, faults } = await open();
    faults.allow(/SvcActivate.mount needs an element/);
    await page.goto(
      customer.publish({
        script: `for (const args of [[null], [document.getElementById('here')], [document.getElementById('here'), { sessionPath: 'https://elsewhere.example/' }]]) SvcActivate.mount(...args).refresh().then(() => 0);
                   document.title = 'continued';`,
      }),
    );
    expect(await page.title()).toBe('continued');
    expect(await page.locator('#here').evaluate((element) => element.childNodes.length)).toBe(0);
  });

  it('makes no link of an address that leaves this origin', async () => {
    const { page } = await open();
    await page.route(PROGRESS, async (route) => {
      const paths = ['//elsewhere.example/', 'javascript:alert(1)', '/fine'];
      const steps = STEPS.map((step, index) => ({ ...step, actionPath: paths[index], completed: false }));
      const json = { name: NAME, steps, completedSteps: 0, totalSteps: 3, complete: false };
      const headers = { 'access-control-allow-origin': stage().site.origin };
      await route.fulfill({ json, headers });
    });
    await page.goto(customer.publish(mounting('ada')));
    await expectCount(page, '0 of 3');
    const links = cardOn(page).getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))).toEqual([
      `${stage().site.origin}/fine`,
    ]);
  });
});
