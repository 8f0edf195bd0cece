// Refusals of schemas, capabilities and credentials that no other end-to-end test meets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ID_BYTES, idFrom } from '../../../schemas/base/ids.ts';
import { mint } from '../e2e/imports/browser.fixture.ts';
import { ImportsCustomer } from '../e2e/imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../e2e/imports/imports-limits.fixture.ts';
import { expectRefused } from './refused.fixture.ts';

const FIELDS = [{ key: 'name', type: 'text', required: true, maxLength: 40 }];
const FILE = Buffer.from('name\nAda\n');
const DAYS_MAX = 30;

describe('imports are refused', () => {
  let customer: ImportsCustomer;
  beforeAll(async () => {
    const limits = { ...ROOMY_LIMITS, imports: { schemaRevisions: 2, capabilityDaysMax: DAYS_MAX } };
    customer = await ImportsCustomer.start(FIELDS, { limits });
  });
  afterAll(() => customer.service.dispose());

  it('a capability that lasts too long, and one that is not there', async () => {
    const tooLong = await customer.createCapability({ expiresInDays: DAYS_MAX + 1 });
    expectRefused(tooLong, 'bad_request', 'body.expiresInDays');
    const capabilityId = idFrom('capability', new Uint8Array(ID_BYTES));
    const path = `/schemas/${customer.schemaId}/capabilities/${capabilityId}`;
    expectRefused(await customer.owner('DELETE', path), 'not_found', 'path.capabilityId');
  });

  it('a session for an origin that the schema left, and a revision too many', async () => {
    const other = await customer.another(FIELDS);
    const capability = await other.newCapability();
    const revise = (revision: number, origin: string) => {
      const request = other.configuration(revision, FIELDS);
      const configuration = { ...request.configuration, allowedOrigins: [origin] };
      return other.agent('POST', `/schemas/${other.schemaId}`, { ...request, configuration });
    };
    expect((await revise(2, 'https://other.example')).status).toBe(200);
    expectRefused(await mint(other, capability), 'origin_not_allowed', 'capability.origin');
    expectRefused(await revise(3, 'https://third.example'), 'limit_reached', 'schema.revision');
  });

  it('a repeat whose secret was derived with another SVC_SECRET', async () => {
    const { service } = customer;
    const reservation = customer.reservation(FILE);
    const reserve = () => customer.agent('POST', `/schemas/${customer.schemaId}/imports`, reservation);
    const create = () =>
      customer.owner('POST', '/credentials', { idempotencyKey: 'derived once', name: 'Backend' });
    expect((await reserve()).status).toBe(201);
    expect((await create()).status).toBe(201);
    await service.stop();
    Object.assign(service.environment, { SVC_SECRET: 'another secret of more than 32 characters' });
    await service.restart();
    expectRefused(await reserve(), 'gone', 'idempotencyKey');
    expectRefused(await create(), 'gone', 'idempotencyKey');
  });
});
