import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { CheckCustomer, headingFlow } from './checks-customer.fixture.ts';

const LIMITS = { plans: { preview: { checkRuns: 2, checkSuites: 2 } }, checks: { accessProfiles: 1 } };
const FLOW_MS_MAX = 30_000;

describe('the limits of browser checks in a preview', () => {
  let customer: CheckCustomer;
  let originId: string;
  let release = () => {};

  beforeAll(async () => {
    customer = await CheckCustomer.start({ limits: LIMITS });
    originId = await customer.prove();
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    customer.site.pages.set('/slow', (_request, response) => {
      void released.then(() => response.end('<h1>Welcome</h1>'));
    });
  });
  afterAll(() => customer.close());

  const home = () => `${customer.site.origin}/`;
  const flow = (changes: object = {}) => ({ ...headingFlow(home(), 'Welcome'), ...changes });
  const refused = async (flows: readonly object[], more: object = {}) =>
    (await customer.createSuite(originId, flows, more)).body.error;

  it('replaces the origin by another one before the first verified run, and charges it once', async () => {
    const own = await customer.beside();
    const guess = 'https://wrong.example.com';
    const { body: wrong } = await own.createOrigin(guess, { idempotencyKey: 'guess' });
    const { body: suite } = await own.createSuite(wrong.originId, [headingFlow(`${guess}/`, 'Welcome')]);
    const { status, body: right } = await own.createOrigin();
    expect([status, right.origin, right.replacedOrigin]).toEqual([201, own.site.origin, guess]);
    const again = (await own.createOrigin()).body;
    expect([again.originId, again.replacedOrigin]).toEqual([right.originId, undefined]);
    expect(refusal(await own.confirm(wrong.originId))).toEqual([404, 'not_found']);
    expect((await own.run(suite.suiteId)).body.error.message).toContain('another one has replaced');
    expect((await own.owner('GET', '/origins')).body.origins).toEqual([again]);
    expect((await own.product()).body.limits.origins).toMatchObject({ limit: 1, used: 1 });
    const back = (await own.createOrigin(guess, { idempotencyKey: 'guess' })).body;
    expect([back.origin, back.replacedOrigin]).toEqual([guess, own.site.origin]);
    expect(back.originId).not.toBe(wrong.originId);
  });

  it('refuses origins that no file can prove', async () => {
    for (const origin of [
      'http://app.example.com',
      'https://127.0.0.1',
      'https://[::1]',
      'https://localhost',
      'https://app.example.com:8443',
      'https://app.example.com/',
      'https://user@app.example.com',
    ]) {
      expect(refusal(await customer.createOrigin(origin)), origin).toEqual([400, 'bad_request']);
    }
    const foreign = await customer.createOrigin('http://127.0.0.1:1');
    expect(foreign.body.error.message).toContain('an origin of this machine');
  });

  it('refuses a suite beyond the preview when it is made', async () => {
    const two = [flow(), flow({ name: 'Second' })];
    expect(await refused(two)).toMatchObject({ message: expect.stringContaining('at most the 1 that') });
    const slow = await refused([flow({ timeoutMs: FLOW_MS_MAX + 1 })]);
    expect(slow).toMatchObject({ message: expect.stringContaining(`at most the ${FLOW_MS_MAX} ms`) });
  });

  it.each([
    { action: 'click', selector: '#buy' },
    { action: 'fill', selector: '#name', text: 'Ada' },
    { action: 'press', key: 'Enter' },
    { action: 'submit', selector: 'form' },
  ])('refuses the step $action', async (step) => {
    const error = await refused([flow({ steps: [{ action: 'goto', url: home() }, step] })]);
    expect(error).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('expected "goto" or'),
    });
  });

  it('refuses flows that open nothing, or another origin', async () => {
    const blind = await refused([flow({ steps: [{ action: 'expect_title', text: 'Shop' }] })]);
    expect(blind).toMatchObject({ message: expect.stringContaining('goto as the first step') });
    const foreign = await refused([headingFlow('https://example.com/', 'Example')]);
    expect(foreign).toMatchObject({ message: expect.stringContaining('another origin') });
    const file = await refused([headingFlow('file:///etc/passwd', 'root')]);
    expect(file).toMatchObject({ code: 'bad_request' });
  });

  it('allows as many access profiles as the limit, which suites of their origin can use', async () => {
    const profile = { originId, name: 'Phone', device: 'mobile', locale: 'de-DE', timezone: 'Europe/Berlin' };
    const { status, body } = await customer.agent('POST', '/access-profiles', profile);
    expect(status).toBe(201);
    expect(refusal(await customer.agent('POST', '/access-profiles', profile))).toEqual([
      429,
      'limit_reached',
    ]);
    const { body: listed } = await customer.owner('GET', '/access-profiles');
    expect(listed.accessProfiles).toEqual([body]);
    const unknown = `acc_${'a'.repeat(24)}`;
    const missing = await customer.createSuite(originId, [flow()], { accessProfileId: unknown });
    expect(refusal(missing)).toEqual([404, 'not_found']);
    const { accessProfileId } = body;
    const suite = await customer.createSuite(originId, [flow()], { accessProfileId });
    expect(suite).toMatchObject({ status: 201, body: { accessProfileId } });
  });

  it('runs one at a time, and as many as the plan allows', async () => {
    const slow = headingFlow(`${customer.site.origin}/slow`, 'Welcome');
    const { body: suite } = await customer.createSuite(originId, [slow]);
    expect(refusal(await customer.createSuite(originId, [slow]))).toEqual([429, 'limit_reached']);
    const { body: first } = await customer.run(suite.suiteId);
    const second = await customer.run(suite.suiteId);
    expect(refusal(second)).toEqual([429, 'limit_reached']);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = 'https://other.example.com';
    expect(refusal(await customer.createOrigin(other))).toEqual([429, 'limit_reached']);
    release();
    expect(await customer.end(first.runId)).toMatchObject({ status: 'passed' });
    expect(refusal(await customer.createOrigin(other))).toEqual([429, 'limit_reached']);
    expect((await customer.createOrigin()).body.originId).toBe(originId);
    expect(await customer.check(suite.suiteId)).toMatchObject({ status: 'passed' });
    const third = await customer.run(suite.suiteId);
    expect(refusal(third)).toEqual([429, 'limit_reached']);
    const { body: used } = await customer.product();
    expect(used.limits.runs).toEqual({ limit: 2, used: 2, remaining: 0, resetsAt: null });
  });
});

describe('a challenge that has expired', () => {
  it('proves nothing, and the same origin gets another one', async () => {
    const customer = await CheckCustomer.start({ limits: { checks: { challengeMs: 1 } } });
    try {
      const { body: first } = await customer.createOrigin();
      customer.site.publish(first.challenge);
      const ended = await customer.confirm(first.originId);
      expect(refusal(ended)).toEqual([409, 'state_conflict']);
      expect(ended.body.error.message).toContain('a challenge that has expired');
      const { body: second } = await customer.createOrigin();
      expect(second.originId).toBe(first.originId);
      expect(second.challenge.content).not.toBe(first.challenge.content);
    } finally {
      await customer.close();
    }
  });
});

describe('runs whose service stops', () => {
  it('end if they were under way, and are driven by the next process if they waited', async () => {
    const customer = await CheckCustomer.start({
      limits: { plans: { preview: { checkRunsAtOnce: 4, checkSuites: 2 } } },
      environment: { SVC_RUNNER_BROWSERS: '1' },
    });
    try {
      const originId = await customer.prove();
      const asked = new Promise<void>((resolve) => {
        customer.site.pages.set('/never', () => resolve());
      });
      const flows = [headingFlow(`${customer.site.origin}/never`, 'Welcome')];
      const { body: never } = await customer.createSuite(originId, flows);
      const { body: first } = await customer.run(never.suiteId);
      await asked;
      customer.site.page('/fine', '<h1>Welcome</h1>');
      const { body: fine } = await customer.createSuite(originId, [
        headingFlow(`${customer.site.origin}/fine`, 'Welcome'),
      ]);
      const waiting = await Promise.all([1, 2, 3].map(() => customer.run(fine.suiteId)));
      await customer.service.stop();
      await customer.service.restart();
      expect(await customer.end(first.runId)).toMatchObject({
        status: 'errored',
        failure: { reason: 'internal' },
      });
      for (const { body: run } of waiting) {
        expect(await customer.end(run.runId)).toMatchObject({ status: 'passed' });
      }
    } finally {
      await customer.close();
    }
  });
});

describe('a run that no runner takes in time', () => {
  it('ends for every reader, and is not charged', async () => {
    // The time is over before any runner can take it.
    const customer = await CheckCustomer.start({ limits: { checks: { queueMs: 1 } } });
    try {
      const originId = await customer.prove();
      const { body: suite } = await customer.createSuite(originId, [
        headingFlow(`${customer.site.origin}/`, 'Welcome'),
      ]);
      const { body: run } = await customer.run(suite.suiteId);
      const ended = await customer.end(run.runId);
      expect(ended).toMatchObject({ status: 'errored', verified: false, failure: { reason: 'internal' } });
      expect(Date.parse(ended.endedAt) - Date.parse(ended.requestedAt)).toBe(1);
      expect((await customer.product()).body.limits.runs).toMatchObject({ used: 0 });
      expect((await customer.read(run.runId)).body).toEqual(ended);
    } finally {
      await customer.close();
    }
  });
});

describe('a run whose service is killed', () => {
  it('ends as errored with the reason internal, long before its time is over, and is not driven again', async () => {
    const customer = await CheckCustomer.with(ServiceProcess.start, {
      limits: { checks: { graceMs: 600_000 } },
    });
    try {
      const originId = await customer.prove();
      const asked = new Promise<void>((resolve) => {
        customer.site.pages.set('/never', () => resolve());
      });
      const never = headingFlow(`${customer.site.origin}/never`, 'Welcome', 5_000);
      const { body: suite } = await customer.createSuite(originId, [never]);
      const { body: run } = await customer.run(suite.suiteId);
      await asked;
      const killed = customer.service.pid;
      await customer.service.kill();
      await customer.service.restart();
      expect(await customer.end(run.runId)).toMatchObject({
        status: 'errored',
        verified: false,
        failure: { reason: 'internal' },
      });
      expect(customer.site.requested.filter((path) => path === '/never')).toHaveLength(1);
      const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`svc-runner-${killed}-`));
      await vi.waitUntil(() => left().length === 0, { timeout: 90_000 });
    } finally {
      await customer.close();
    }
  });
});
