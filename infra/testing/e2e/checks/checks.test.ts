import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { CheckCustomer, headingFlow } from './checks-customer.fixture.ts';

const PAGE = '<!doctype html><title>Shop</title><h1>Welcome</h1><p>Open all day</p>';
const PNG = [0x89, 0x50, 0x4e, 0x47];

describe('the browser check', () => {
  let customer: CheckCustomer<ServiceProcess>;
  let originId: string;

  beforeAll(async () => {
    customer = await CheckCustomer.with(ServiceProcess.start);
    customer.site.page('/', PAGE);
  });
  afterAll(() => customer.close());

  it('is part of every workspace', async () => {
    const { body } = await customer.send('GET', '/v1/agent/capabilities', {});
    const described = body.products.find(({ name }: { name: string }) => name === 'svccheck');
    expect(described).toMatchObject({
      optIn: false,
      contractVersion: '2026-08-24',
      limits: {
        preview: { checkOrigins: 1, checkSuites: 2, checkRuns: 20, checkFlows: 1, checkFlowMs: 30_000 },
      },
    });
  });

  it('refuses to confirm an origin without its proof, and says what it found instead', async () => {
    const { status, body: origin } = await customer.createOrigin();
    expect(status).toBe(201);
    expect(origin).toMatchObject({ state: 'pending', verifiedAt: null, origin: customer.site.origin });
    originId = origin.originId;
    const refused = await customer.confirm(originId);
    expect(refusal(refused)).toEqual([409, 'state_conflict']);
    expect(refused.body.error.message).toContain('status 404 with no type and 0 bytes');
    const suite = await customer.createSuite(originId, [headingFlow(`${customer.site.origin}/`, 'Welcome')]);
    expect(refusal(await customer.run(suite.body.suiteId))).toEqual([409, 'state_conflict']);
  });

  it('runs a suite of a proved origin to a verified result, on which a claim can rest', async () => {
    expect(await customer.prove()).toBe(originId);
    const { body: suite } = await customer.createSuite(originId, [
      {
        name: 'Home',
        timeoutMs: 20_000,
        steps: [
          { action: 'goto', url: `${customer.site.origin}/` },
          { action: 'expect_status', status: 200 },
          { action: 'expect_title', text: 'Shop' },
          { action: 'expect_heading', text: 'Welcome', level: 1 },
          { action: 'expect_text', text: 'open all day' },
        ],
      },
    ]);
    expect(refusal(await customer.owner('POST', '/claim', {}))).toEqual([409, 'state_conflict']);
    const run = await customer.check(suite.suiteId);
    expect(run).toMatchObject({
      status: 'passed',
      verified: true,
      failure: null,
      consoleErrors: 0,
      blockedRequests: 0,
      finalUrl: `${customer.site.origin}/`,
      flows: [{ name: 'Home', status: 'passed' }],
    });
    expect(run.flows[0].steps.map(({ message }: { message: string }) => message)).toEqual([
      'Opened / with the status 200.',
      'The status is 200.',
      'The title is "Shop".',
      'Found the heading of level 1 "Welcome".',
      'Found the text "open all day".',
    ]);
    const { status, body } = await customer.owner('POST', '/claim', {});
    expect(status).toBe(200);
    expect(body.results).toContainEqual(expect.objectContaining({ kind: 'run', id: run.runId }));
  });

  it('shows origins, suites, runs and the screenshot to the owner', async () => {
    const { body: origins } = await customer.owner('GET', '/origins');
    expect(origins.origins).toMatchObject([{ originId, state: 'verified' }]);
    const { body: suites } = await customer.owner('GET', '/suites');
    expect(suites.suites).toHaveLength(2);
    const { body: runs } = await customer.owner('GET', '/runs');
    expect(runs).toMatchObject({ runs: [{ status: 'passed' }], nextCursor: null });
    const [{ runId }] = runs.runs;
    expect((await customer.owner('GET', `/runs/${runId}`)).body).toEqual(runs.runs[0]);
    const path = `/v1/console/workspaces/${customer.workspaceId}/runs/${runId}/screenshot`;
    const response = await fetch(new URL(path, customer.service.url), {
      headers: { Cookie: customer.cookie },
    });
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, PNG.length)]).toEqual(PNG);
    const { body: audit } = await customer.send('GET', '/v1/console/audit', { cookie: customer.cookie });
    expect(audit.entries).toContainEqual(
      expect.objectContaining({
        action: 'checks.read-screenshot',
        detail: expect.objectContaining({ runId }),
      }),
    );
  });

  it('is found in the console by the address of the origin, the name of the suite and the id of the run', async () => {
    const search = async (text: string) => {
      const target = `/v1/console/search?text=${encodeURIComponent(text)}`;
      return (await customer.send('GET', target, { cookie: customer.cookie })).body.matches;
    };
    const { workspaceId } = customer;
    const { body: runs } = await customer.owner('GET', '/runs');
    const [{ runId, suiteId }] = runs.runs;
    const origin = { kind: 'origin', id: originId, name: customer.site.origin, workspaceId };
    expect(await search(customer.site.origin)).toMatchObject([origin]);
    expect(await search(suiteId)).toMatchObject([{ kind: 'suite', id: suiteId, name: 'Smoke' }]);
    expect(await search('smoke')).toMatchObject([{ kind: 'suite' }, { kind: 'suite' }]);
    expect(await search(runId)).toMatchObject([{ kind: 'run', id: runId, name: 'Smoke', workspaceId }]);
  });

  it('answers a repeated run request with the same run, and other input with a conflict', async () => {
    const { body } = await customer.owner('GET', '/suites');
    const [first, second] = body.suites.map(({ suiteId }: { suiteId: string }) => suiteId);
    const runs = [];
    for (let repeat = 0; repeat < 2; repeat += 1) {
      runs.push(await customer.run(first, { idempotencyKey: 'the same' }));
    }
    expect(runs[1]).toMatchObject({ status: 202, body: runs[0]?.body });
    const other = await customer.run(second, { idempotencyKey: 'the same' });
    expect(refusal(other)).toEqual([409, 'idempotency_conflict']);
    await customer.end(runs[0]?.body.runId);
  });

  it('keeps runs, suites and origins from other workspaces', async () => {
    const other = await customer.beside();
    const { body } = await customer.owner('GET', '/runs');
    const { runId, suiteId } = body.runs[0];
    expect(refusal(await other.read(runId))).toEqual([404, 'not_found']);
    expect(refusal(await other.run(suiteId))).toEqual([404, 'not_found']);
    expect(refusal(await other.confirm(originId))).toEqual([404, 'not_found']);
    const suite = await other.createSuite(originId, [headingFlow(`${customer.site.origin}/`, 'Welcome')]);
    expect(refusal(suite)).toEqual([404, 'not_found']);
    expect(refusal(await other.owner('GET', `/runs/${runId}/screenshot`))).toEqual([404, 'not_found']);
  });

  it('ends a run whose proof was removed, without opening a page', async () => {
    const { body } = await customer.owner('GET', '/origins');
    const { pathname } = new URL(body.origins[0].challenge.url);
    customer.site.pages.delete(pathname);
    const { body: suites } = await customer.owner('GET', '/suites');
    const before = customer.site.requested.filter((path) => path === '/').length;
    const run = await customer.check(suites.suites[0].suiteId);
    expect(run).toMatchObject({
      status: 'errored',
      verified: false,
      failure: { reason: 'ownership_lost' },
    });
    expect(customer.site.requested.filter((path) => path === '/')).toHaveLength(before);
    const screenshot = await customer.owner('GET', `/runs/${run.runId}/screenshot`);
    expect(refusal(screenshot)).toEqual([404, 'not_found']);
    expect(screenshot.body.error.message).toContain('a run without a screenshot');
  });

  it('does for an owner in the console what it does for an agent, and notes it', async () => {
    const other = await customer.beside();
    const made = (idempotencyKey: string) => ({ schemaVersion: '2026-08-24', idempotencyKey });
    const { site } = customer;
    const named = await other.owner('POST', '/origins', {
      ...made('name'),
      origin: site.origin,
      verificationMethod: 'well_known_file',
    });
    expect(named.status).toBe(201);
    const { originId, challenge } = named.body;
    const confirm = () => other.owner('POST', `/origins/${originId}/confirm`, made('confirm'));
    expect(refusal(await confirm())).toEqual([409, 'state_conflict']);
    site.publish(challenge);
    expect((await confirm()).body).toMatchObject({ originId, state: 'verified' });
    const { body: suite } = await other.createSuite(originId, [headingFlow(`${site.origin}/`, 'Welcome')]);
    const run = { ...made('run'), suiteId: suite.suiteId };
    const asked = await other.owner('POST', '/runs', run);
    expect([asked.status, asked.body.status]).toEqual([202, 'queued']);
    expect((await other.owner('POST', '/runs', run)).body.runId).toBe(asked.body.runId);
    expect(await other.end(asked.body.runId)).toMatchObject({ verified: true });
  });
});
