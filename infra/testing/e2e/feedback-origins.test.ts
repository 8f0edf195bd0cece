import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { widgetListSchema } from '../../../schemas/feedback/http.ts';
import { CheckCustomer } from './checks-customer.fixture.ts';

describe('the origin of a feedback widget', () => {
  let customer: CheckCustomer;

  beforeAll(async () => {
    customer = await CheckCustomer.start();
  }, 60_000);
  afterAll(() => customer?.close());

  const widgets = async (own: CheckCustomer) =>
    widgetListSchema.parse((await own.owner('GET', '/widgets')).body).widgets;

  const create = (own: CheckCustomer) =>
    own.send('POST', `/v1/installations/${own.installationId}/svcfeedback/widgets`, {
      bearer: own.credential,
      json: { schemaVersion: '2026-08-27', idempotencyKey: 'widget', origin: own.site.origin },
    });

  it('is shown as unproved until the workspace has a proof of it; the proof of a neighbour does not count', async () => {
    const neighbour = await customer.beside();
    for (const own of [customer, neighbour]) expect((await create(own)).status).toBe(201);
    const { origin } = customer.site;
    expect(await widgets(customer)).toMatchObject([{ origin, originProved: false }]);
    expect((await customer.createOrigin()).status).toBe(201);
    expect(await widgets(customer)).toMatchObject([{ origin, originProved: false }]);
    await customer.prove();
    expect(await widgets(customer)).toMatchObject([{ origin, originProved: true }]);
    expect(await widgets(neighbour)).toMatchObject([{ origin, originProved: false }]);
  });
});
