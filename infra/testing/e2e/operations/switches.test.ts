import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../customer.fixture.ts';
import { FeedbackCustomer } from '../feedback/feedback-customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const ON = { creation: true, feedback: true, runs: true };
const SUITE_ID = `sui_${'a'.repeat(24)}`;

let customer: FeedbackCustomer<ServiceInProcess>;
beforeAll(async () => {
  customer = await FeedbackCustomer.of(await ServiceInProcess.start());
});
afterAll(() => customer?.service.dispose());

const asOperator = (method: 'GET' | 'PUT' | 'PATCH', json?: object) =>
  customer.send(method, '/v1/ops/switches', { cookie: customer.cookie, ...(json !== undefined && { json }) });

/** The requests that switches refuse, each with the status while its switch is on. */
const REQUESTS = {
  creation: [
    201,
    () => customer.send('POST', '/v1/agent/workspaces', { json: { name: 'One', cohort: 'dogfood' } }),
  ],
  feedback: [202, () => customer.submit()],
  runs: [
    404,
    () =>
      customer.send('POST', `/v1/installations/${customer.installationId}/svccheck/runs`, {
        bearer: customer.credential,
        json: { schemaVersion: '2026-08-24', idempotencyKey: 'one', suiteId: SUITE_ID },
      }),
  ],
} as const;

describe('the switches of an operator', () => {
  it('are on until one is set', async () => {
    expect(await asOperator('GET')).toMatchObject({ status: 200, body: ON });
  });

  it.each(Object.keys(REQUESTS) as (keyof typeof ON)[])('refuse with 503 while %s is off', async (name) => {
    const off = { ...ON, [name]: false };
    expect(await asOperator('PUT', off)).toMatchObject({ status: 200, body: off });
    expect((await asOperator('GET')).body).toEqual(off);
    for (const [other, [status, send]] of Object.entries(REQUESTS)) {
      const answer = await send();
      if (other !== name) expect(answer.status, other).toBe(status);
      else {
        expect(refusal(answer)).toEqual([503, 'unavailable']);
        expect(answer.headers.get('retry-after')).toBe('300');
      }
    }
    await asOperator('PUT', ON);
    expect((await REQUESTS[name][1]()).status).toBe(REQUESTS[name][0]);
  });

  it('are changed one by one, each without the others', async () => {
    await asOperator('PATCH', { creation: false });
    const off = { creation: false, feedback: true, runs: false };
    expect(await asOperator('PATCH', { runs: false })).toMatchObject({ status: 200, body: off });
    expect(await asOperator('PATCH', { creation: true, runs: true })).toMatchObject({
      status: 200,
      body: ON,
    });
  });

  it('are in the audit log', async () => {
    const { body } = await customer.send('GET', '/v1/console/audit', { cookie: customer.cookie });
    expect(body.entries[0]).toMatchObject({ action: 'organizations.set-switches', detail: ON });
  });
});
