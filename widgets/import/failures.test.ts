import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { expectNoAxeViolations } from '../testing/in-browser.ts';
import { cardOn, choose, earthquakes, ImportCustomer, stepOf } from './import-customer.fixture.ts';

/** One look at an import, without its parts. */
const STATUS = /\/v1\/import\/browser\/imports\/[^/]+$/;

/** Returns the different values of a member of the JSON that a page sends. */
function sentBy(page: Page): (member: string) => unknown[] {
  const bodies: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') bodies.push(request.postDataJSON());
  });
  return (member) => [...new Set(bodies.flatMap((body) => (member in body ? [body[member]] : [])))];
}

describeWidget('the import widget, when something fails,', ({ stage, open }) => {
  let customer: ImportCustomer;
  beforeAll(async () => {
    customer = await ImportCustomer.start(stage());
  });

  const press = (page: Page, name: string | RegExp) => cardOn(page).getByRole('button', { name }).click();

  /** Opens a page and brings a file to the choice of its columns. */
  async function sent(content: string, page: Page): Promise<void> {
    await page.goto(customer.publish());
    await choose(page, content);
    await expect.poll(() => stepOf(page)).toBe('Columns');
  }

  it('sends a file once more with the same key if the connection is lost', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_FAILED/);
    await page.goto(customer.publish());
    let aborted = false;
    await page.route(/\/v1\/import\/uploads\//, (route) => {
      if (aborted || route.request().method() !== 'PUT') return route.continue();
      aborted = true;
      return route.abort();
    });
    stage().ingest.forget();
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(aborted).toBe(true);
    const reserved = stage()
      .ingest.passed(/browser\/imports$/)
      .map(({ status }) => status);
    expect(reserved).toEqual([201, 201]);
    expect(stage().ingest.passed(/uploads/)).toHaveLength(1);
  });

  it('neither reserves nor sends a file again that the service has', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_EMPTY_RESPONSE|net::ERR_CONNECTION/);
    const keys = sentBy(page);
    await page.goto(customer.publish());
    stage().ingest.losing = /browser\/imports\/|uploads/;
    await choose(page, earthquakes(3).replaceAll(',', ';'));
    await press(page, 'Use the corrected file');
    await cardOn(page).getByText('Importing is not possible right now').waitFor();
    stage().ingest.losing = null;
    // The browser itself repeats a PUT whose connection is lost.
    stage().ingest.forget();
    await press(page, 'Try again');
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(stage().ingest.passed(/uploads|imports$/)).toEqual([]);
    expect(keys('sha256')).toHaveLength(1);
    expect(keys('idempotencyKey')).toHaveLength(1);
  });

  it('validates once if what follows the validation fails', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_EMPTY_RESPONSE|net::ERR_CONNECTION/);
    await sent(earthquakes(3, 3), page);
    await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
    const keys = sentBy(page);
    stage().ingest.losing = /errors\?|validate$/;
    await press(page, /^Check/);
    await cardOn(page).getByText('Importing is not possible right now').waitFor();
    stage().ingest.losing = /errors\?/;
    await press(page, 'Try again');
    await expect.poll(() => stage().ingest.passed(/errors\?/).length).toBeGreaterThan(0);
    await cardOn(page).getByRole('button', { name: 'Try again', disabled: false }).waitFor();
    stage().ingest.losing = null;
    await press(page, 'Try again');
    await cardOn(page).getByText('3 of 3 rows cannot be read.').waitFor();
    expect(keys('revision')).toEqual([1]);
    expect(keys('idempotencyKey')).toHaveLength(1);
  });

  it('looks on at a validation through some failures', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_FAILED/);
    await sent(earthquakes(3), page);
    let failures = 0;
    await page.route(STATUS, (route) => {
      failures += stage().ingest.passed(/validate$/).length > 0 ? 1 : 0;
      return failures > 0 && failures < 7 ? route.abort() : route.continue();
    });
    stage().ingest.forget();
    await press(page, /^Check/);
    await cardOn(page).getByRole('button', { name: 'Approve 3 rows' }).waitFor();
    expect(failures).toBeGreaterThan(6);
  });

  it('says that rejected rows could not be read, and saves them at the next try', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_EMPTY_RESPONSE|net::ERR_CONNECTION/);
    await sent(earthquakes(3, 3), page);
    await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
    await press(page, /^Check/);
    await cardOn(page).getByText('3 of 3 rows cannot be read.').waitFor();
    stage().ingest.losing = /rows\?/;
    await press(page, 'Download 3 rows');
    await cardOn(page).getByText('No answer came, so it is not known whether this step was done.').waitFor();
    stage().ingest.losing = null;
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download 3 rows')]);
    expect(download.suggestedFilename()).toMatch(/^rejected-rows-.*\.csv$/);
    await cardOn(page).getByText('No answer came').waitFor({ state: 'detached' });
  });

  it('leaves the next step alone if a look fails after a cancellation', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_FAILED/);
    const answered = page.waitForResponse(STATUS);
    await sent(earthquakes(3), page);
    const uploaded = await (await answered).json();
    const looking = Promise.withResolvers<Route>();
    let looks = 0;
    await page.route(STATUS, async (route) => {
      if (stage().ingest.passed(/validate$/).length > 0) looks += 1;
      if (looks === 1) {
        const headers = { 'Access-Control-Allow-Origin': '*' };
        await route.fulfill({ headers, json: { ...uploaded, status: 'validating' } });
      } else if (looks === 2) looking.resolve(route);
      else await route.continue();
    });
    stage().ingest.forget();
    await press(page, /^Check/);
    const look = await looking.promise;
    await press(page, 'Cancel import');
    await cardOn(page).getByText('The import was cancelled.').waitFor();
    const failed = page.waitForEvent('requestfailed');
    await look.abort();
    await failed;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await cardOn(page).getByText('The import was cancelled.').waitFor();
  });

  it('continues with the file in another session, and tells the host each end', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 401/);
    const session = await customer.mint();
    await page.exposeFunction('mintAnother', () => customer.mint());
    await page.route(/browser\/imports$/, async (route) => {
      const isFirst = route.request().headers()['authorization'] === `Bearer ${session['sessionToken']}`;
      const headers = { 'Access-Control-Allow-Origin': '*' };
      if (isFirst && route.request().method() === 'POST')
        await route.fulfill({ status: 401, headers, json: {} });
      else await route.continue();
    });
    const options = `...${JSON.stringify(session)}, host: document.getElementById('here'), headingLevel: 2`;
    await page.goto(
      customer.publish({
        script: `globalThis.ends = [];
          addEventListener('svcimport:end', ({ detail }) => ends.push('event ' + detail.kind));
          const onEnd = ({ kind }) => ends.push('call ' + kind);
          SvcImport.mount({ ${options}, onEnd, renewSession: () => mintAnother() });`,
      }),
    );
    await choose(page, earthquakes(3));
    await expect.poll(() => stepOf(page)).toBe('Columns');
    await cardOn(page).getByRole('heading', { level: 2 }).waitFor();
    await press(page, /^Check/);
    await press(page, 'Approve 3 rows');
    await cardOn(page).getByText('3 rows are approved').waitFor();
    expect(await page.evaluate('ends')).toEqual(['event approved', 'call approved']);
    expect(stage().ingest.passed(/uploads/)).toHaveLength(1);
  });

  /** Opens a page whose host can renew the session, and that counts how often it was asked. */
  async function renewable(page: Page, renewSession: string): Promise<void> {
    const session = JSON.stringify(await customer.mint());
    await page.exposeFunction('mintAnother', () => customer.mint());
    const script = `globalThis.renewals = 0; globalThis.ends = [];
      SvcImport.mount({ ...${session}, host: document.getElementById('here'),
        onEnd: ({ kind }) => ends.push(kind),
        renewSession: () => { renewals += 1; return ${renewSession}; } });`;
    await page.goto(customer.publish({ script }));
  }

  it('reserves the same import again, once for each try, if the token of the upload is refused', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 401/);
    const keys = sentBy(page);
    await renewable(page, 'mintAnother()');
    await page.route(/v1\/import\/uploads/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 401, headers: { 'Access-Control-Allow-Origin': '*' }, json: {} })
        : route.continue(),
    );
    stage().ingest.forget();
    await choose(page, earthquakes(3));
    await cardOn(page).getByText('The service refused this step.').waitFor();
    expect(stage().ingest.passed(/browser\/imports$/)).toHaveLength(2);
    expect(await page.evaluate('renewals')).toBe(0);
    await page.unroute(/v1\/import\/uploads/);
    await press(page, 'Try again');
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(keys('idempotencyKey')).toHaveLength(1);
  });

  it('renews a session once, and again at a click, with the file of the user', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 401/);
    await renewable(page, `renewals === 2 ? Promise.reject(new Error('502')) : mintAnother()`);
    let isRefused = true;
    await page.route(/browser\/imports$/, (route) =>
      isRefused && route.request().method() === 'POST'
        ? route.fulfill({ status: 401, headers: { 'Access-Control-Allow-Origin': '*' }, json: {} })
        : route.continue(),
    );
    await choose(page, earthquakes(3));
    await cardOn(page).getByText('The session has ended').waitFor();
    expect(await page.evaluate('renewals')).toBe(1);
    await expectNoAxeViolations(page);
    await press(page, 'Try again');
    await expect.poll(() => page.evaluate('renewals')).toBe(2);
    await cardOn(page).getByRole('button', { name: 'Try again', disabled: false }).waitFor();
    isRefused = false;
    await press(page, 'Try again');
    await expect.poll(() => stepOf(page)).toBe('Columns');
    expect(await page.evaluate('[renewals, ends]')).toEqual([3, ['session-ended', 'session-ended']]);
  });

  it('renews a session that has ended before rejected rows are saved', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 401/);
    await renewable(page, 'mintAnother()');
    await choose(page, earthquakes(3, 3));
    await cardOn(page).getByLabel('Goes to, Mag').selectOption('magnitude');
    await press(page, /^Check/);
    await cardOn(page).getByText('3 of 3 rows cannot be read.').waitFor();
    await page.route(/source$/, (route) =>
      route.fulfill({ status: 401, headers: { 'Access-Control-Allow-Origin': '*' }, json: {} }),
    );
    await press(page, 'Download 3 rows');
    // The columns of the next import are refused as well.
    await cardOn(page).getByText('The session has ended').waitFor();
    expect(await page.evaluate('renewals')).toBe(1);
    await page.unroute(/source$/);
    await press(page, 'Try again');
    await expect.poll(() => stepOf(page)).toBe('Columns');
  });

  it('says that the session has ended', async () => {
    const { page, faults } = await open();
    faults.allow(/status of 401/);
    const session = { ...(await customer.mint()), sessionToken: `svc_import_${'0'.repeat(40)}` };
    await page.goto(
      customer.publish({
        script: `SvcImport.mount({ ...${JSON.stringify(session)}, host: document.getElementById('here') })`,
      }),
    );
    await cardOn(page).getByText('The session has ended').waitFor();
    await expectNoAxeViolations(page);
  });

  it('offers to try again when there is no answer', async () => {
    const { page, faults } = await open();
    faults.allow(/net::ERR_FAILED/);
    await page.route(/\/v1\/import\/browser/, (route) => route.abort());
    await page.goto(customer.publish());
    await cardOn(page).getByText('Importing is not possible right now').waitFor();
    await page.unroute(/\/v1\/import\/browser/);
    await press(page, 'Try again');
    await cardOn(page).getByText('Drop a CSV file').waitFor();
  });
});
