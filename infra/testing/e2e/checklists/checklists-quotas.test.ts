import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Received, refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { ChecklistsCustomer } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite', 'pay', 'share'];
const AT_ONCE = 100;

let customer: ChecklistsCustomer<ServiceInProcess>;

beforeAll(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  const service = await ServiceInProcess.start({
    limits: { http: { ...http, deliveryPerMinute: 1_000_000 }, workspace },
  });
  customer = await ChecklistsCustomer.of(service, KEYS);
});

afterAll(async () => {
  await customer.service.dispose();
});

function atOnce(send: (turn: number) => Promise<Received>): Promise<Received[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => send(turn)));
}

/** Brings the use up to `count`, a few at the same time. */
async function fill(count: number, send: (turn: number) => Promise<Received>): Promise<void> {
  for (let turn = 0; turn < count; turn += AT_ONCE) {
    const turns = Array.from({ length: Math.min(AT_ONCE, count - turn) }, (_, index) => turn + index);
    const answers = await Promise.all(turns.map(send));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  }
}

const accepted = (answers: readonly Received[]) => answers.filter(({ status }) => status < 300);

function expectOthersRefused(answers: readonly Received[]): void {
  for (const answer of answers.filter(({ status }) => status >= 300)) {
    expect(refusal(answer)).toEqual([429, 'limit_reached']);
  }
}

const stepOf = (turn: number) => KEYS[turn % KEYS.length] ?? '';
const full = (limit: number) => ({ limit, used: limit, remaining: 0 });

describe('the limits of a preview, with a hundred requests at the same time', () => {
  it('are exactly two checklists', async () => {
    const neighbour = await customer.another(KEYS);
    const answers = await atOnce(() => neighbour.create(['only']));
    expect(accepted(answers)).toHaveLength(1);
    expectOthersRefused(answers);
    expect((await neighbour.agent('GET', '')).body.checklists).toHaveLength(2);
    expect((await neighbour.limits()).checklists).toMatchObject(full(2));
  });

  it('are exactly 25 enrollments', async () => {
    const neighbour = await customer.another(KEYS);
    const answers = await atOnce((turn) => neighbour.event(`user ${turn}`, 'import'));
    expect(accepted(answers)).toHaveLength(25);
    expectOthersRefused(answers);
    expect(await neighbour.limits()).toMatchObject({ enrollments: full(25), events: { used: 25 } });
    expect(await neighbour.summary()).toMatchObject({ enrollments: 25, acceptedEvents: 25 });
  });

  it('are exactly 200 accepted events, and repeats beyond them are answered', async () => {
    const neighbour = await customer.another(KEYS);
    const send = (turn: number) =>
      neighbour.event(`user ${turn % 25}`, stepOf(Math.floor(turn / 25)), {
        idempotencyKey: `record ${turn}`,
      });
    await fill(150, send);
    const answers = await atOnce((turn) => send(150 + turn));
    expect(accepted(answers)).toHaveLength(50);
    expectOthersRefused(answers);
    expect(answers.some(({ headers }) => headers.has('retry-after'))).toBe(false);
    expect((await neighbour.limits()).events).toMatchObject(full(200));
    expect((await neighbour.summary()).acceptedEvents).toBe(200);
    const again = await atOnce(send);
    expect(accepted(again)).toHaveLength(AT_ONCE);
  });

  it('are charged once for a hundred requests with one key, which are all answered alike', async () => {
    const neighbour = await customer.another(KEYS);
    const answers = await atOnce(() => neighbour.event('ada', 'import', { idempotencyKey: 'record' }));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(await neighbour.limits()).toMatchObject({ enrollments: { used: 1 }, events: { used: 1 } });
  });

  it('are charged for ten alternate keys of a milestone, whatever the order', async () => {
    const neighbour = await customer.another(KEYS);
    const answers = await atOnce(() => neighbour.event('ada', 'import'));
    expect(accepted(answers)).toHaveLength(AT_ONCE);
    expect(answers.filter(({ body }) => body.outcome === 'completed')).toHaveLength(1);
    expect((await neighbour.limits()).events.used).toBe(11);
    expect((await neighbour.summary()).acceptedEvents).toBe(11);
  });
});

describe('the limits of Free, with a hundred requests at the same time', () => {
  it('are exactly five checklists ever, those of the preview among them', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('ada', 'import');
    await neighbour.claim();
    const answers = await atOnce(() => neighbour.create(['only']));
    expect(accepted(answers)).toHaveLength(4);
    expectOthersRefused(answers);
  });

  it('are exactly 1,000 enrollments ever, which no erasure gives back', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('user 0', 'import');
    await neighbour.claim();
    await fill(949, (turn) => neighbour.event(`user ${turn + 1}`, 'import', { cohort: 'live' }));
    expect((await neighbour.erase('user 1', 'live')).body.erased).toBe(true);
    const answers = await atOnce((turn) => neighbour.event(`late ${turn}`, 'import'));
    expect(accepted(answers)).toHaveLength(50);
    expectOthersRefused(answers);
    expect((await neighbour.limits()).enrollments).toMatchObject(full(1_000));
    expect(refusal(await neighbour.event('user 1', 'connect', { cohort: 'live' }))).toEqual([
      429,
      'limit_reached',
    ]);
    expect((await neighbour.event('user 2', 'connect', { cohort: 'live' })).status).toBe(200);
  });

  it('are exactly 2,000 accepted events a month, and say when the next one begins', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.event('user 0', 'import');
    await neighbour.claim();
    const send = (turn: number) =>
      neighbour.event(`user ${turn % 450}`, stepOf(Math.floor(turn / 450)), { cohort: 'live' });
    await fill(1_949, send);
    const answers = await atOnce((turn) => send(1_949 + turn));
    expect(accepted(answers)).toHaveLength(50);
    expectOthersRefused(answers);
    const { events } = await neighbour.limits();
    expect(events).toMatchObject(full(2_000));
    expect(events.resetsAt).toMatch(/-01T00:00:00\.000Z$/);
    const seconds = Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'));
    expect(Math.abs(Date.parse(events.resetsAt) - Date.now() - seconds * 1_000)).toBeLessThan(60_000);
  });
});
