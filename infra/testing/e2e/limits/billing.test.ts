import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subscriptionSchema } from '../../../../schemas/billing/http.ts';
import { expectRefused } from '../../refusals/refused.fixture.ts';
import { refusal } from '../customer.fixture.ts';
import { LimiterService } from './limiter-service.fixture.ts';

const INCLUDED = 100_000;

/** An entry of the audit log is there a moment after its change was answered. */
const WAIT = { timeout: 45_000, interval: 20 };

let service: LimiterService;
beforeAll(async () => {
  service = await LimiterService.start();
});
afterAll(() => service.dispose());

function event(status: string, changes: object = {}) {
  return {
    eventId: randomUUID(),
    organizationId: service.organizationId,
    status,
    at: new Date().toISOString(),
    ...changes,
  };
}

async function status(): Promise<string> {
  return (await service.owner('GET', '/v1/subscription')).body.status;
}

describe('the subscription', () => {
  it('is none, active, canceled and active again', async () => {
    const none = await service.owner('GET', '/v1/subscription');
    const month = { used: 0, included: INCLUDED, metered: 0 };
    expect(none.body).toEqual({ status: 'none', plan: null, since: null, month });
    expect(refusal(await service.owner('DELETE', '/v1/subscription'))).toEqual([409, 'state_conflict']);
    const active = await service.subscribe();
    expect(active.status).toBe(200);
    expect(subscriptionSchema.parse(active.body)).toMatchObject({ status: 'active', plan: 'free', month });
    expect((await service.subscribe()).body).toEqual(active.body);
    const canceled = await service.owner('DELETE', '/v1/subscription');
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
    expect((await service.owner('DELETE', '/v1/subscription')).body).toEqual(canceled.body);
    expect((await service.subscribe()).body.status).toBe('active');
  });

  it('is in the audit log when a person changes it, and only then', async () => {
    const organization = await service.another();
    await organization.subscribe();
    await organization.subscribe();
    const { organizationId } = organization;
    await service.billingEvent(event('declined', { organizationId }));
    await organization.owner('DELETE', '/v1/subscription');
    const entries = async () => {
      const { body } = await organization.owner('GET', '/v1/console/audit');
      return body.entries
        .filter(({ action }: { action: string }) => action.startsWith('organizations.'))
        .map(({ action, detail }: { action: string; detail: object }) => [action, detail]);
    };
    await expect.poll(entries, WAIT).toEqual([
      ['organizations.cancel-subscription', { status: 'canceled' }],
      ['organizations.subscribe', { status: 'active' }],
    ]);
  });

  it('takes no other plan', async () => {
    const answer = await service.owner('POST', '/v1/subscription', { plan: 'gold' });
    expect(refusal(answer)).toEqual([400, 'bad_request']);
  });
});

describe('events of the billing provider', () => {
  it.each(['canceled', 'expired', 'declined', 'active'])('set it to %s', async (wanted) => {
    const { status: answered } = await service.billingEvent(event(wanted));
    expect([answered, await status()]).toEqual([204, wanted]);
  });

  it('count once, in the order of their times', async () => {
    await service.subscribe();
    const declined = event('declined');
    await service.billingEvent(declined);
    const earlier = event('active', { at: new Date(Date.now() - 60_000).toISOString() });
    expect((await service.billingEvent(earlier)).status).toBe(204);
    expect(await status()).toBe('declined');
    await service.subscribe();
    expect((await service.billingEvent(declined)).status).toBe(204);
    expect(await status()).toBe('active');
    const changed = await service.billingEvent({ ...declined, status: 'expired' });
    expectRefused(changed, 'idempotency_conflict', 'body.eventId');
  });

  it.each([
    ['with another secret', { secret: 'another secret' }],
    ['for another body', { signed: '{}' }],
    ['too long ago', { at: Date.now() - 301_000 }],
    ['too far ahead', { at: Date.now() + 330_000 }],
  ])('signed %s are refused', async (_how, signing) => {
    await service.subscribe();
    const answer = await service.billingEvent(event('expired'), signing);
    expect(refusal(answer)).toEqual([401, 'unauthorized']);
    expect(await status()).toBe('active');
  });

  it.each([
    ['no signature', {}],
    ['no time', { 'Svc-Signature': `v1=${'0'.repeat(64)}` }],
    ['no version', { 'Svc-Signature': 't=1' }],
    ['nonsense', { 'Svc-Signature': 'nonsense' }],
    ['half a signature', { 'Svc-Signature': `t=${Math.floor(Date.now() / 1_000)},v1=00` }],
  ])('with %s are refused', async (_what, headers) => {
    const body = JSON.stringify(event('expired'));
    const answer = await service.send('POST', '/v1/billing/events', { body, headers });
    expect(refusal(answer)).toEqual([401, 'unauthorized']);
  });

  it('signed a while ago, within the tolerance, count', async () => {
    const answer = await service.billingEvent(event('expired'), { at: Date.now() - 290_000 });
    expect([answer.status, await status()]).toEqual([204, 'expired']);
  });

  it.each([
    ['another status', { status: 'none' }],
    ['no organization', { organizationId: 'org_1' }],
    ['no time', { at: 'now' }],
    ['a time in the future', { at: new Date(Date.now() + 3_600_000).toISOString() }],
    ['something more', { amount: 1 }],
  ])('that have %s are refused, signed or not', async (_what, changes) => {
    const answer = await service.billingEvent(event('active', changes));
    expect(refusal(answer)).toEqual([400, 'bad_request']);
  });

  it('are refused for an unknown organization, and in too large a body', async () => {
    const unknown = await service.billingEvent(event('active', { organizationId: `org_${'a'.repeat(24)}` }));
    expect(refusal(unknown)).toEqual([404, 'not_found']);
    const large = await service.billingEvent(event('active', { note: 'x'.repeat(70_000) }));
    expect(refusal(large)).toEqual([413, 'payload_too_large']);
  });

  it('are not taken where there is no provider', async () => {
    const other = await LimiterService.start({ environment: { BILLING_WEBHOOK_SECRET: '' } });
    try {
      expect(refusal(await other.billingEvent(event('active')))).toEqual([404, 'not_found']);
    } finally {
      await other.dispose();
    }
  });
});
