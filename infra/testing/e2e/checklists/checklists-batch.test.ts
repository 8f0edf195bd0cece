import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Received, refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { ChecklistsCustomer, subjectOf } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];

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

const user = (name: string, eventKey: string, key: string, changes: object = {}) => ({
  ...{ idempotencyKey: key, subjectDigest: subjectOf(name), cohort: 'test', eventKey },
  ...changes,
});

/** Leaves out of an answer what differs between two requests that are decided alike. */
function decisionOf(result: Received['body']): unknown {
  const { eventId: _made, receivedAt: _time, retryAfterMs: _wait, ...decision } = result;
  return decision;
}

/** The answer of an event that was sent alone, in the form of an entry. */
function entryOf({ status, body }: Received): unknown {
  if (status === 200) return decisionOf(body);
  const { code, message } = body.error;
  return { error: { code, message } };
}

describe('POST …/events/batch', () => {
  it('records events in order, and the same again changes nothing', async () => {
    const neighbour = await customer.another(KEYS);
    const events = [
      user('ada', 'connect', 'e1'),
      user('ada', 'import', 'e2'),
      user('grace', 'connect', 'e3'),
      user('ada', 'connect', 'e4'),
    ];
    const first = await neighbour.events(events);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      schemaVersion: '2026-09-07',
      results: [
        { outcome: 'completed', completedSteps: 1, totalSteps: 3, complete: false },
        { outcome: 'completed', completedSteps: 2 },
        { outcome: 'completed', completedSteps: 1 },
        { outcome: 'already_completed', completedSteps: 2 },
      ],
    });
    const used = await neighbour.limits();
    expect(used).toMatchObject({ events: { used: 4 }, enrollments: { used: 2 } });
    expect((await neighbour.events(events)).body).toEqual(first.body);
    const part = await neighbour.events([events[2], user('linus', 'connect', 'e5'), events[0]]);
    expect(part.body.results).toMatchObject([
      first.body.results[2],
      { outcome: 'completed' },
      first.body.results[0],
    ]);
    expect(await neighbour.limits()).toMatchObject({ events: { used: 5 }, enrollments: { used: 3 } });
  });

  it('shares keys with events that are sent alone', async () => {
    const neighbour = await customer.another(KEYS);
    const alone = await neighbour.eventOnce('ada', 'connect', { idempotencyKey: 'shared' });
    const { body } = await neighbour.events([
      user('ada', 'connect', 'shared'),
      user('ada', 'import', 'shared'),
      user('ada', 'import', 'other'),
    ]);
    expect(body.results).toMatchObject([alone.body, { error: { code: 'idempotency_conflict' } }, {}]);
    const again = await neighbour.eventOnce('ada', 'import', { idempotencyKey: 'other' });
    expect(again.body).toEqual(body.results[2]);
  });

  it('refuses a wrong entry in its place and records the others', async () => {
    const neighbour = await customer.another(KEYS);
    const wrong = [
      user('ada', 'connect', 'w1', { subjectDigest: 'ada' }),
      user('ada', 'connect', 'w2', { name: 'Ada' }),
      user('ada', 'none', 'w3'),
      user('ada', 'connect', 'w4', { cohort: 'live' }),
    ];
    const { status, body } = await neighbour.events([...wrong, 7, null, user('ada', 'connect', 'w5')]);
    expect(status).toBe(200);
    for (const [index, entry] of wrong.entries()) {
      const alone = await neighbour.eventOnce('ada', 'connect', entry);
      expect(body.results[index], `entry ${index}`).toEqual(entryOf(alone));
    }
    expect(body.results.slice(4)).toMatchObject([
      { error: { code: 'bad_request' } },
      { error: { code: 'bad_request' } },
      { outcome: 'completed', completedSteps: 1 },
    ]);
    expect(await neighbour.limits()).toMatchObject({ events: { used: 1 }, enrollments: { used: 1 } });
    expect((await neighbour.events([7])).body.results).toMatchObject([{ error: { code: 'bad_request' } }]);
  });

  it('takes 1 to 500 entries and 256 KiB', async () => {
    const neighbour = await customer.another(KEYS);
    const events = Array.from({ length: 501 }, (_, index) => user('ada', 'connect', `l${index}`));
    expect(refusal(await neighbour.events([]))).toEqual([400, 'bad_request']);
    expect(refusal(await neighbour.events(events))).toEqual([400, 'bad_request']);
    const long = [user('ada', 'connect', 'k'.repeat(256 * 1_024))];
    expect(refusal(await neighbour.events(long))).toEqual([413, 'payload_too_large']);
    const { body } = await neighbour.events(events.slice(1));
    // A preview has 200 events; a milestone remembers ten further keys, and answers without them afterwards.
    expect(body.results).toHaveLength(500);
    expect(await neighbour.limits()).toMatchObject({ events: { used: 11 }, enrollments: { used: 1 } });
  });

  it('uses up a limit to the event', async () => {
    const neighbour = await customer.another(KEYS);
    const events = Array.from({ length: 40 }, (_, index) => user(`user ${index}`, 'connect', `q${index}`));
    const { body } = await neighbour.events(events);
    const codes = body.results.map(({ error }: Received['body']) => error?.code ?? 'accepted');
    expect(codes).toEqual([...Array(25).fill('accepted'), ...Array(15).fill('limit_reached')]);
    expect(await neighbour.limits()).toMatchObject({ enrollments: { used: 25, remaining: 0 } });
  });

  it('refuses a paused workspace as a whole', async () => {
    const neighbour = await customer.another(KEYS);
    await neighbour.eventOnce('ada', 'connect');
    await neighbour.claim();
    await neighbour.owner('POST', '/pause', {});
    expect(refusal(await neighbour.events([user('ada', 'import', 'p1')]))).toEqual([403, 'workspace_paused']);
  });

  it('decides any batches like the same events alone', async () => {
    const event = fc.record({
      name: fc.constantFrom('ada', 'grace', 'linus'),
      eventKey: fc.constantFrom(...KEYS, 'none'),
      cohort: fc.constantFrom('test', 'test', 'test', 'live'),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(event, { minLength: 1, maxLength: 12 }), { maxLength: 4 }),
        async (batches) => {
          const [alone, together] = [await customer.another(KEYS), await customer.another(KEYS)];
          for (const batch of batches) {
            const events = batch.map(({ name, eventKey, cohort, key }) =>
              user(name, eventKey, key, { cohort }),
            );
            const expected: unknown[] = [];
            for (const [index, one] of events.entries()) {
              expected.push(entryOf(await alone.eventOnce(batch[index]?.name ?? '', '', one)));
            }
            const { body } = await together.events(events);
            expect(body.results.map(decisionOf)).toEqual(expected);
          }
          expect(await together.limits()).toEqual(await alone.limits());
          const { checklistId: _alone, ...summary } = await alone.summary();
          expect(await together.summary()).toMatchObject(summary);
        },
      ),
      { numRuns: 8 },
    );
  });
});
