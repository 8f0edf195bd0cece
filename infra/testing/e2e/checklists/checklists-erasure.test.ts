import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SOON } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { placesHolding } from '../stored-state.fixture.ts';
import { storedStateOf } from '../stored-state-of.fixture.ts';
import { ChecklistsCustomer, subjectOf } from './checklists-customer.fixture.ts';

/** Stands in what a customer's backend sends about a subject, and nowhere else. */
const MARKER = 'Zq7Marker';
const KEYS = ['connect', 'import', 'invite'];

let customer: ChecklistsCustomer<ServiceInProcess>;

beforeEach(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  const service = await ServiceInProcess.start({
    limits: { http, workspace },
    environment: { LOG_LEVEL: 'debug' },
  });
  customer = await ChecklistsCustomer.of(service, KEYS);
  for (const key of KEYS) {
    await customer.event('ada', key, { idempotencyKey: `${MARKER} ${key}` });
    await customer.event('ada', key, { idempotencyKey: `${MARKER} ${key} again` });
  }
  await customer.token('ada');
});

afterEach(async () => {
  await customer.service.dispose();
});

const stored = () => storedStateOf(customer.service);

/** The ids of enrollments that a place holds. */
async function enrollmentsIn(place: string): Promise<string[]> {
  const texts = (await (await stored()).texts()).get(place) ?? [];
  return [...new Set(texts.flatMap((text) => text.match(/enr_[a-z2-7]{24}/g) ?? []))].sort();
}

describe('what names a subject', () => {
  it('is stored nowhere as the customer sends it', async () => {
    for (const text of [MARKER, subjectOf('ada')])
      expect(await placesHolding(await stored(), text)).toEqual([]);
    expect(customer.service.output).toContain('recordEvent');
    expect(customer.service.output).not.toContain(MARKER);
    expect(customer.service.output).not.toContain(subjectOf('ada'));
  });

  it('is gone from store and look-ups with its erasure, and of its neighbours nothing', async () => {
    const [own] = await enrollmentsIn('store');
    await customer.event('grace', 'import');
    const token = await customer.token('grace');
    expect(await enrollmentsIn('store')).toHaveLength(2);
    expect((await customer.erase('ada')).body).toMatchObject({ erased: true });
    await expect.poll(() => enrollmentsIn('store'), SOON).not.toContain(own);
    await expect.poll(() => enrollmentsIn('lookups'), SOON).not.toContain(own);
    expect(await customer.summary()).toMatchObject({ enrollments: 1, complete: 0, acceptedEvents: 1 });
    expect((await customer.progress(token)).body.completedSteps).toBe(1);
    expect((await customer.limits()).events.used).toBe(7);
  });

  it('ends the key of a session: its repeat answers a session that works, of an unknown subject', async () => {
    const issue = () => customer.session('ada', {}, 'one page');
    const before = (await issue()).body;
    expect((await issue()).body).toEqual(before);
    expect((await customer.progress(before.token)).body.completedSteps).toBe(KEYS.length);
    await customer.erase('ada');
    expect((await customer.progress(before.token)).status).toBe(401);
    const { status, body } = await issue();
    expect(status).toBe(201);
    const progress = await customer.progress(body.token);
    expect([progress.status, progress.body.completedSteps]).toEqual([200, 0]);
    expect((await issue()).body).toEqual(body);
  });

  it('is erased once under one key, whose repeats get the first answer', async () => {
    const first = await customer.erase('ada', 'test', 'one form');
    await customer.event('ada', 'import');
    expect(await customer.erase('ada', 'test', 'one form')).toMatchObject({ status: 200, body: first.body });
    expect(first.body).toMatchObject({ erased: true });
    expect(await customer.summary()).toMatchObject({ enrollments: 1 });
    expect((await customer.erase('grace', 'test', 'one form')).status).toBe(409);
    expect(await placesHolding(await stored(), 'one form')).toEqual([]);
  });

  it('is in the audit log as what was done, by whom, and not to whom', async () => {
    await customer.erase('ada');
    await customer.erase('ada');
    const audit = () =>
      customer.send('GET', '/v1/console/audit?action=activate.erase-subject', { cookie: customer.cookie });
    await expect.poll(async () => (await audit()).body.entries.length, SOON).toBe(1);
    const { body } = await audit();
    expect(body.entries).toMatchObject([
      {
        target: customer.installationId,
        detail: { checklistId: customer.checklistId, cohort: 'test' },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('enr_');
  });

  it('is gone with the whole workspace', async () => {
    await customer.claim();
    expect((await customer.owner('POST', '/erase', { confirm: 'Onboarding' })).status).toBe(200);
    const kinds = async () => (await stored()).rowKinds(customer.installationId);
    await expect.poll(kinds, SOON).toEqual([]);
    await expect.poll(() => enrollmentsIn('store'), SOON).toEqual([]);
    await expect.poll(() => enrollmentsIn('lookups'), SOON).toEqual([]);
  });
});
