import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ChecklistsCustomer } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];
const USERS = 20;
/** Each milestone of each user once, and some of them with a second key. */
const EVENTS = USERS * KEYS.length + USERS;

let service: ServiceProcess;
let customer: ChecklistsCustomer<ServiceProcess>;

beforeEach(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  service = await ServiceProcess.start({ limits: { http, workspace } });
  customer = await ChecklistsCustomer.of(service, KEYS);
});

afterEach(async () => {
  await service.dispose();
});

/** Reports one of the outbox's records. Returns null if the outcome is unknown. */
async function deliver(record: number) {
  const key = KEYS[Math.floor(record / USERS) % KEYS.length] ?? '';
  try {
    const { status, body } = await customer.event(`user ${record % USERS}`, key, {
      idempotencyKey: `record ${record}`,
    });
    return status === 200 ? body : null;
  } catch {
    return null;
  }
}

const records = Array.from({ length: EVENTS }, (_, record) => record);

describe('an outbox that is delivered while the service is killed', () => {
  it.each([5, 30, 60])('has the same result after a kill at %i answers as without', async (answersMax) => {
    let answers = 0;
    const killed = Promise.withResolvers<void>();
    const first = await Promise.all([
      ...records.map(async (record) => {
        const answer = await deliver(record);
        answers += 1;
        if (answers === answersMax) killed.resolve(service.kill());
        return answer;
      }),
      killed.promise,
    ]);
    await service.restart();
    const second = await Promise.all(records.map(deliver));
    expect(second).not.toContain(null);
    // A request that was answered before the kill gets the same answer afterwards.
    for (const [record, before] of first.slice(0, EVENTS).entries()) {
      if (before !== null) expect(second[record]).toEqual(before);
    }
    expect(await customer.summary()).toMatchObject({
      enrollments: USERS,
      complete: USERS,
      acceptedEvents: EVENTS,
    });
    const limits = await customer.limits();
    expect([limits.enrollments.used, limits.events.used]).toEqual([USERS, EVENTS]);
  });
});
