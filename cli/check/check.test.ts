import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CheckedSite } from '../../infra/testing/checked-site.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

let site: CheckedSite;
let service: ServiceInProcess;
beforeAll(async () => {
  site = await CheckedSite.start();
  site.page('/', '<title>Shop</title><h1>Welcome</h1>');
  service = await ServiceInProcess.start({ environment: site.environment });
});
afterAll(async () => {
  await service?.dispose();
  await site?.close();
});

describe.each(SUITE_RUNTIMES)('svc check on $runtime', (runtime) => {
  it('proves an origin, creates a suite, runs it and reads the verified run', async () => {
    const project = new ProjectDirectory(runtime, '0.2.0');
    await project.json(['workspace', 'create', '--name', 'Pages', '--base-url', service.url]);
    const guess = 'https://wrong.example.com';
    await project.json(['check', 'origin', '--origin', guess]);
    const named = await project.json(['check', 'origin', '--origin', site.origin]);
    expect(named).toMatchObject({ origin: site.origin, replacedOrigin: guess });
    const { originId, challenge } = await project.json(['check', 'origin', '--origin', site.origin]);
    expect(originId).toBe(named.originId);
    const confirm = ['check', 'confirm', '--origin-id', originId];
    expect(await project.failure(confirm)).toMatchObject({ code: 'state_conflict', exitCode: 1 });
    site.publish(challenge);
    expect(await project.json(confirm)).toMatchObject({ originId, state: 'verified' });
    const create = ['check', 'create', '--origin-id', originId, '--url', `${site.origin}/`];
    const { suiteId } = await project.json([...create, '--heading', 'Welcome']);
    expect((await project.json([...create, '--heading', 'Welcome'])).suiteId).toBe(suiteId);
    expect((await project.json(['check', 'list'])).suites).toMatchObject([{ suiteId, originId }]);
    const run = ['check', 'run', '--suite', suiteId, '--idempotency-key', 'first'];
    const verified = await project.json([...run, '--wait']);
    expect(verified).toMatchObject({ status: 'passed', verified: true, failure: null });
    const status = ['check', 'status', '--run', verified.runId];
    expect(await project.json(status)).toEqual(verified);
    expect((await project.json(run)).runId).toBe(verified.runId);
    const unnamed = ['check', 'run', '--suite', suiteId, '--wait'];
    const [first, second] = [await project.json(unnamed), await project.json(unnamed)];
    expect(new Set([verified.runId, first.runId, second.runId]).size).toBe(3);
    const late = ['check', 'origin', '--origin', guess];
    expect(await project.failure(late)).toMatchObject({ code: 'limit_reached', exitCode: 6 });
    project.dispose();
  });

  it('spends nothing on a service without a browser, and doctor says so', async () => {
    const blind = await ServiceInProcess.start({ environment: { SVC_CHROMIUM: '/nowhere/chromium' } });
    const project = new ProjectDirectory(runtime, '0.4.0');
    try {
      await project.json(['workspace', 'create', '--name', 'Blind', '--base-url', blind.url]);
      const refused = await project.failure(['check', 'origin', '--origin', 'https://shop.example.com']);
      expect(refused).toMatchObject({
        code: 'no_browser',
        exitCode: 7,
        next: expect.stringMatching(/ doctor$/),
      });
      expect((await project.json(['workspace', 'status'])).limits.svccheck.origins.used).toBe(0);
      const { checks } = await project.json(['doctor']);
      expect(checks).toContainEqual(expect.objectContaining({ check: 'browser', result: 'warning' }));
    } finally {
      project.dispose();
      await blind.dispose();
    }
  });
});
