import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { widgetListSchema } from '../../../../schemas/feedback/http.ts';
import { claimDetailsSchema } from '../../../../schemas/workspaces/overview.ts';
import { CheckCustomer } from '../checks/checks-customer.fixture.ts';

describe('the origin of a feedback widget', () => {
  let customer: CheckCustomer;

  beforeAll(async () => {
    customer = await CheckCustomer.start();
  });
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

  it('is named by the claim link once it is proved', async () => {
    const { cookie, site } = customer;
    const { body: made } = await customer.send('POST', '/v1/agent/workspaces', {
      json: { name: 'Preview', cohort: 'dogfood' },
    });
    const bearer = made.credential;
    const link = await customer.send('POST', '/v1/agent/workspace/claim-link', {
      bearer,
      json: { provisionToken: made.provisionToken },
    });
    const proved = async () => {
      const json = { code: new URL(link.body.claimUrl).hash.slice(1) };
      const { body } = await customer.send('POST', '/v1/console/claims/details', { cookie, json });
      return claimDetailsSchema.parse(body).provedOrigins;
    };
    const check = (path: string, json: object) =>
      customer.send('POST', `/v1/installations/${made.installationId}/svccheck${path}`, {
        bearer,
        json: { schemaVersion: '2026-08-24', idempotencyKey: path, ...json },
      });
    const { originId, challenge } = (
      await check('/origins', { origin: site.origin, verificationMethod: 'well_known_file' })
    ).body;
    expect(await proved()).toEqual([]);
    site.publish(challenge);
    expect((await check(`/origins/${originId}/confirm`, {})).status).toBe(200);
    expect(await proved()).toEqual([site.origin]);
  });
});
