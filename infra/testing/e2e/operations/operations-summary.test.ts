import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceOf } from '../../../../schemas/base/ids.ts';
import type { HistoryAnswer } from '../../../../schemas/operations/history.ts';
import type { OperationsSummary } from '../../../../schemas/operations/summary.ts';
import type { Activity } from '../../../../schemas/operations/tallies.ts';
import { TOPICS } from '../../../../topics/catalogue.ts';
import { cookieOf, exchange, ORIGIN, refusal, setUp } from '../customer.fixture.ts';
import { FeedbackCustomer } from '../feedback/feedback-customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

/** A process reports every 5 s. */
const SOON = { timeout: 45_000, interval: 250 };

let service: ServiceInProcess;
let cookie: string;
beforeAll(async () => {
  service = await ServiceInProcess.start();
  cookie = cookieOf(await setUp(service));
});
afterAll(() => service?.dispose());

it('the summary has the process, its engine, and every topic with all of its partitions', async () => {
  const read = async (): Promise<OperationsSummary> =>
    (await exchange(`${service.url}/v1/ops/summary`, 'GET', { cookie })).body;
  await expect.poll(async () => (await read()).topics.length).toBeGreaterThan(0);
  const { processes, engines, topics, isCurrent } = await read();
  expect(isCurrent).toBe(true);
  expect(processes).toMatchObject([{ state: 'up' }]);
  expect(engines.map(({ state }) => state)).toEqual(engines.map(() => 'up'));
  // Only a service with a mail server reads the mails to send.
  const consumed = Object.keys(TOPICS).filter((topic) => topic !== 'mail-sends');
  expect(new Set(topics.map(({ topic }) => topic))).toEqual(new Set(consumed));
  for (const { topic, partitions, isCurrent } of topics) {
    expect([topic, partitions, isCurrent]).toEqual([
      topic,
      Object.entries(TOPICS).find(([name]) => name === topic)?.[1].partitions,
      true,
    ]);
  }
});

it('the history has the requests and topics of the latest minutes', async () => {
  const read = async (): Promise<HistoryAnswer> =>
    (await exchange(`${service.url}/v1/ops/history`, 'GET', { cookie })).body;
  const known = async () => (await read()).others.perSecond.some((value) => value !== null && value > 0);
  await expect.poll(known, SOON).toBe(true);
  const { range, times, topics } = await read();
  expect([range, times.length]).toEqual(['15m', 90]);
  expect(topics.map(({ topic }) => topic)).toContain('workspaces');
  const day = await exchange(`${service.url}/v1/ops/history?range=24h`, 'GET', { cookie });
  expect(day.body.times).toHaveLength(72);
});

it('the activity counts workspaces, feedback by origin, and quotas near their end, until they are erased', async () => {
  const limits = { plans: { preview: { feedbackSubmissions: 10 } }, http: { visitorPerMinute: 20 } };
  const other = await ServiceInProcess.start({ limits });
  try {
    const customer = await FeedbackCustomer.of(other);
    await customer.submitted();
    await customer.submit({ body: { website: 'filled' } });
    for (const _ of [1, 2, 3, 4, 5, 6]) await customer.submitted();
    const read = async (): Promise<Activity> =>
      (await customer.send('GET', '/v1/ops/activity', { cookie: customer.cookie })).body;
    const origins = async () => (await read()).origins;
    const workspaces = [workspaceOf(customer.installationId)];
    await expect.poll(origins, SOON).toEqual([{ origin: ORIGIN, accepted: 7, held: 1, workspaces }]);
    await expect
      .poll(async () => (await read()).quotas, SOON)
      .toMatchObject([{ quota: 'submissions', used: 8, limit: 10, remaining: 2 }]);
    expect((await read()).hours[0]).toMatchObject({
      ...{ created: 1, attached: 1, claimed: 0 },
      workspaces: { created: workspaces, attached: workspaces, claimed: [], expired: [] },
    });
    const restart = async () => {
      await other.stop();
      await other.restart();
    };
    await restart();
    await expect.poll(origins, SOON).toEqual([{ origin: ORIGIN, accepted: 7, held: 1, workspaces }]);
    expect((await customer.owner('POST', '/erase', { confirm: 'Feedback' })).status).toBe(200);
    const counts = { created: 1, attached: 1, feedbackAccepted: 7, feedbackHeld: 1 };
    for (const before of [async () => {}, restart]) {
      await before();
      await expect.poll(async () => (await read()).hours[0], SOON).toMatchObject(counts);
      const names = JSON.stringify(await read());
      expect([ORIGIN, ...workspaces].filter((name) => names.includes(name))).toEqual([]);
    }
  } finally {
    await other.dispose();
  }
});

it('the numbers of the service are for operators', async () => {
  const person = { organization: 'Other', email: 'other@example.com', password: 'a password of another one' };
  const other = await exchange(`${service.url}/v1/console/sign-up`, 'POST', {
    json: person,
    origin: service.url,
  });
  for (const path of ['summary', 'topics', 'history', 'activity']) {
    const answer = await exchange(`${service.url}/v1/ops/${path}`, 'GET', { cookie: cookieOf(other) });
    expect(refusal(answer)).toEqual([404, 'not_found']);
  }
});
