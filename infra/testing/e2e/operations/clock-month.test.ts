import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, endOfUtcMonth, MINUTE_MS, SECOND_MS, utcMonth } from '../../../../schemas/base/time.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ChecklistsCustomer } from '../checklists/checklists-customer.fixture.ts';
import { type Received, refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { SteppedClock } from './stepped-clock.fixture.ts';

/** On a cluster months go by the clocks of its servers, which a test cannot set. */
const EMBEDDED = { SVC_ENGINE: 'embedded' };
const KEYS = ['connect', 'import', 'invite'];
const QUOTA = 3;
const PUBLISHED = { timeout: 90_000, interval: 50 };

/** When the month of the real clock ends, where all of this takes place. */
const END = endOfUtcMonth(utcMonth(Date.now()));
const NEXT_END = endOfUtcMonth(utcMonth(END));

interface Key {
  readonly keyId: string;
  readonly key: string;
}

let clock: SteppedClock;
let service: ServiceProcess;
let customer: ChecklistsCustomer<ServiceProcess>;
let test: Key;
let live: Key;

beforeEach(async () => {
  clock = new SteppedClock(END - 5 * MINUTE_MS - Date.now());
  const { http, workspace } = ROOMY_LIMITS;
  const plans = { free: { checklistEvents: QUOTA } };
  service = await ServiceProcess.start({
    limits: { http, workspace, plans, limiter: { testPerMonth: QUOTA } },
    environment: { ...EMBEDDED, ...clock.environment },
  });
  customer = await ChecklistsCustomer.of(service, KEYS);
  await customer.event('ada', 'connect');
  await customer.claim();
  await owner('POST', '/v1/subscription', { plan: 'free' });
  [test, live] = [await newKey('test'), await newKey('live')];
});

afterEach(async () => {
  await service.dispose();
  clock.remove();
});

/** Sets the clock of the process to a time that is so far from the month's end. */
const setTo = (fromEndMs: number) => clock.set(service, END + fromEndMs - Date.now());

const owner = (method: string, path: string, json?: unknown) =>
  customer.send(method, path, { cookie: customer.cookie, json });

async function newKey(mode: 'test' | 'live'): Promise<Key> {
  const json = { idempotencyKey: randomUUID(), product: 'limiter', mode, name: 'Backend' };
  const { status, body } = await owner('POST', '/v1/keys', json);
  expect(status).toBe(201);
  return body;
}

function check({ key }: Key): Promise<Received> {
  const json = { namespace: 'api', identifier: 'user', limit: 1_000, window: DAY_MS };
  return customer.send('POST', '/v1/check', { bearer: key, json });
}

async function expectChecks(key: Key, count: number): Promise<void> {
  for (let call = 0; call < count; call += 1) expect((await check(key)).status).toBe(200);
}

/** Reports milestones of a new user. Each counts as a new event. */
async function expectEvents(user: string, count: number): Promise<void> {
  for (const key of KEYS.slice(0, count)) expect((await customer.event(user, key)).status).toBe(200);
}

const refusedEvent = async () => {
  const refused = await customer.event(`user ${randomUUID()}`, 'connect');
  expect(refusal(refused)).toEqual([429, 'limit_reached']);
  return retryMs(refused);
};

const refusedCheck = async () => {
  const refused = await check(test);
  expect(refusal(refused)).toEqual([429, 'rate_limited']);
  return retryMs(refused);
};

const retryMs = ({ headers }: Received) => Number(headers.get('retry-after')) * SECOND_MS;

/** Calls of a key on the last day of the month and on the first one of the next. */
async function usedAround({ keyId }: Key): Promise<number[]> {
  const query = `unit=day&from=${isoDay(END - DAY_MS)}&to=${isoDay(END + DAY_MS)}`;
  const { body } = await owner('GET', `/v1/keys/${keyId}/usage?${query}`);
  return [END - DAY_MS, END].map((day) => {
    const point = body.points.find(({ at }: { at: string }) => Date.parse(at) === day);
    return point === undefined ? 0 : point.allowed + point.denied;
  });
}

const isoDay = (at: number) => new Date(at).toISOString();

/** The times of the audit log's entries about API keys, the newest first. */
async function keysMadeAt(): Promise<number[]> {
  const { body } = await owner('GET', '/v1/console/audit?action=organizations.create-key');
  return body.entries.map(({ at }: { at: string }) => Date.parse(at));
}

const isNextMonth = (at: number) => at >= END;

/** Uses up everything of the month that ends. */
async function useUp(): Promise<void> {
  await expectEvents('berta', QUOTA - 1);
  expect(await refusedEvent()).toBeLessThanOrEqual(5 * MINUTE_MS);
  await expectChecks(test, QUOTA);
  expect(await refusedCheck()).toBeLessThanOrEqual(5 * MINUTE_MS);
  await expectChecks(live, 2);
}

function expectNoTrouble(): void {
  expect(service.output).not.toContain('PartitionHalted');
  expect(service.output).not.toContain('"status":50');
}

describe("a process at a month's end", () => {
  it('begins new quotas, usage and audit log, and loses nothing of the old month', async () => {
    await useUp();
    // What was counted a moment ago is not published yet.
    await setTo(MINUTE_MS);
    await expectEvents('carla', 1);
    const { events } = await customer.limits();
    expect(events).toMatchObject({ used: 1, remaining: QUOTA - 1 });
    expect(Date.parse(events.resetsAt)).toBe(NEXT_END);
    await expectChecks(test, QUOTA);
    expect(await refusedCheck()).toBeGreaterThan(27 * DAY_MS);
    await expectChecks(live, 3);
    await newKey('live');
    await expect.poll(() => usedAround(live), PUBLISHED).toEqual([2, 3]);
    await expect.poll(() => usedAround(test), PUBLISHED).toEqual([QUOTA, QUOTA]);
    expect((await owner('GET', `/v1/keys/${test.keyId}/usage`)).body.month.used).toBe(QUOTA);
    await expect
      .poll(async () => (await owner('GET', '/v1/subscription')).body.month.used, PUBLISHED)
      .toBe(3);
    await expect
      .poll(async () => (await keysMadeAt()).map(isNextMonth), PUBLISHED)
      .toEqual([true, false, false]);
    expectNoTrouble();
  });

  it('continues the new month when it is set back over the end, and forward again', async () => {
    await useUp();
    await setTo(MINUTE_MS);
    await expectEvents('carla', 1);
    await expectChecks(test, 1);
    await expectChecks(live, 3);
    await expect.poll(() => usedAround(live), PUBLISHED).toEqual([2, 3]);

    await setTo(-4 * MINUTE_MS);
    // Neither does the month that was used up come back, nor does the new one begin a second time.
    expect((await customer.limits()).events).toMatchObject({ used: 1 });
    await expectEvents('dora', QUOTA - 1);
    expect((await customer.limits()).events).toMatchObject({ used: QUOTA, remaining: 0 });
    expect(await refusedEvent()).toBeGreaterThan(27 * DAY_MS);
    await expectChecks(test, QUOTA - 1);
    expect(await refusedCheck()).toBeGreaterThan(27 * DAY_MS);
    // Calls are metered at the time that the clock says.
    await expectChecks(live, 1);
    await newKey('live');
    await expect.poll(() => usedAround(live), PUBLISHED).toEqual([3, 3]);

    await setTo(2 * MINUTE_MS);
    expect((await customer.limits()).events).toMatchObject({ used: QUOTA, remaining: 0 });
    await refusedEvent();
    await refusedCheck();
    await expectChecks(live, 1);
    await expect.poll(() => usedAround(live), PUBLISHED).toEqual([3, 4]);
    await expect
      .poll(async () => (await owner('GET', '/v1/subscription')).body.month.used, PUBLISHED)
      .toBe(4);
    await expect.poll(async () => (await keysMadeAt()).length, PUBLISHED).toBe(3);
    expectNoTrouble();
  });
});
