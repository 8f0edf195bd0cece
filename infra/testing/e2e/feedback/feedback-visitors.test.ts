import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/base/time.ts';
import { isOnCluster } from '../../../tools/service-process/service-process.ts';
import { refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { placesHolding } from '../stored-state.fixture.ts';
import { storedStateOf } from '../stored-state-of.fixture.ts';
import { FeedbackCustomer } from './feedback-customer.fixture.ts';

const { http, workspace } = ROOMY_LIMITS;
const WAIT = { timeout: 45_000, interval: 20 };

describe('visitors of one address', () => {
  let service: ServiceInProcess;

  afterEach(async () => {
    await service.dispose();
  });

  const submitFrom = (customer: FeedbackCustomer, address: string) =>
    customer.submit({ headers: { 'X-Forwarded-For': address } });

  it('send five submissions a minute to each widget; a forwarded address counts only behind a proxy', async () => {
    service = await ServiceInProcess.start({ limits: { workspace, http } });
    const customer = await FeedbackCustomer.of(service);
    const answers = [];
    for (let index = 0; index < 6; index += 1) answers.push(await submitFrom(customer, `192.0.2.${index}`));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    const last = answers.at(-1);
    expect(refusal(last ?? null)).toEqual([429, 'rate_limited']);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(last?.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect((await (await customer.another()).submit()).status).toBe(202);
  });

  it('are told apart behind a proxy, and appear nowhere', async () => {
    const environment = { TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'debug' };
    service = await ServiceInProcess.start({ limits: { workspace, http }, environment });
    const customer = await FeedbackCustomer.of(service);
    for (let index = 0; index < 6; index += 1) {
      // The left address is one that the visitor makes up.
      const answer = await submitFrom(customer, `198.51.100.${index}, 192.0.2.${index}`);
      expect(answer.status).toBe(202);
    }
    const statuses = [];
    for (let index = 0; index < 5; index += 1) {
      statuses.push((await submitFrom(customer, `198.51.100.${index}, 192.0.2.5`)).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429]);
    const stored = await storedStateOf(service);
    expect(await placesHolding(stored, '192.0.2.')).toEqual([]);
    expect(service.output).not.toContain('192.0.2.');
  });
});

// The clocks of servers cannot be moved; what time does is the same fold on both engines.
describe.skipIf(isOnCluster())('as time goes by', () => {
  let service: ServiceInProcess;
  let customer: FeedbackCustomer<ServiceInProcess>;

  beforeEach(async () => {
    const limits = { workspace, http: { ...http, visitorPerMinute: 1_000 } };
    service = await ServiceInProcess.start({ limits });
    customer = await FeedbackCustomer.of(service);
  });

  afterEach(async () => {
    await service.dispose();
  });

  const kinds = async () => (await storedStateOf(service)).rowKinds(customer.installationId);
  const blobs = async () => (await storedStateOf(service)).blobNames(customer.widgetId);

  it('keeps a message in its blob only: in no topic, table, log line or audit entry', async () => {
    const submissionId = await customer.submitted({ message: 'Zebras in the attic', path: '/of-ada' });
    await customer.verify(submissionId);
    await customer.inbox();
    await customer.move(submissionId, 'done');
    const stored = await storedStateOf(service);
    expect(await placesHolding(stored, 'Zebras in the attic')).toEqual(['blobs']);
    expect(await placesHolding(stored, '/of-ada')).toEqual(['blobs']);
    expect(service.output).not.toContain('Zebras');
    const audit = await customer.send('GET', '/v1/console/audit', { cookie: customer.cookie });
    const actions = audit.body.entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['feedback.read', 'feedback.move-submission']));
    expect(JSON.stringify(audit.body)).not.toContain('Zebras');
  });

  it('a message ends with the preview, and its bytes are swept up', async () => {
    await customer.submitted();
    await service.restartAfter(72 * HOUR_MS - MINUTE_MS);
    await customer.signIn();
    expect((await customer.inbox()).body.submissions).toHaveLength(1);
    await service.restartAfter(MINUTE_MS);
    await customer.signIn();
    expect((await customer.inbox()).body.submissions).toEqual([]);
    expect(refusal(await customer.submit())).toEqual([410, 'expired']);
    expect(await (await customer.loader()).text()).toMatch(/^\/\/ .*expired/);
    await service.restartAfter(2 * MINUTE_MS);
    await expect.poll(kinds, WAIT).not.toContain('submission');
    await expect.poll(blobs, WAIT).toEqual([]);
    expect(await kinds()).toContain('widget');
  });

  it('a message of a claimed workspace ends after 90 days, with its rows', async () => {
    await customer.verify(await customer.submitted());
    expect((await customer.owner('POST', '/claim', {})).status).toBe(200);
    for (let days = 0; days < 84; days += 12) {
      await service.restartAfter(12 * DAY_MS);
      await customer.signIn();
      expect((await customer.inbox()).body.submissions).toHaveLength(1);
    }
    await service.restartAfter(6 * DAY_MS);
    await customer.signIn();
    expect((await customer.inbox()).body.submissions).toEqual([]);
    for (let days = 0; days < 24; days += 12) await service.restartAfter(12 * DAY_MS);
    await expect.poll(kinds, WAIT).not.toContain('submission');
    await expect.poll(blobs, WAIT).toEqual([]);
    expect(await kinds()).toContain('widget');
  });
});
