import { describe, expect, it } from 'vitest';
import { type Received, refusal } from '../customer.fixture.ts';
import { type ImportsCustomer, serveImports } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const FILE = Buffer.from('a\n1\n');
const AT_ONCE = 100;

let customer: ImportsCustomer;

serveImports(FIELDS, { http: ROOMY_LIMITS.http, workspace: ROOMY_LIMITS.workspace }, (started) => {
  customer = started;
});

/** As many requests at the same time; says how many were made and how the others were refused. */
async function atOnce(send: () => Promise<Received>, count = AT_ONCE) {
  const answers = await Promise.all(Array.from({ length: count }, send));
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(refusal)).toEqual(refused.map(() => [429, 'limit_reached']));
  expect(refused.every(({ headers }) => !headers.has('retry-after'))).toBe(true);
  return made;
}

describe('the limits of a preview, with a hundred requests at the same time', () => {
  it('are exactly two schemas', async () => {
    const neighbour = await customer.another(FIELDS);
    const made = await atOnce(() => neighbour.agent('POST', '/schemas', neighbour.configuration(1, FIELDS)));
    expect(made).toHaveLength(1);
    expect((await neighbour.agent('GET', '/schemas')).body.schemas).toHaveLength(2);
    expect((await neighbour.product()).body.limits.schemas).toEqual({
      limit: 2,
      used: 2,
      remaining: 0,
      resetsAt: null,
    });
  });

  it('are exactly three imports, over all schemas', async () => {
    const neighbour = await customer.another(FIELDS);
    const schemas = [neighbour.schemaId, await neighbour.newSchema(FIELDS)];
    let turn = 0;
    const made = await atOnce(() => {
      turn += 1;
      const path = `/schemas/${schemas[turn % 2]}/imports`;
      return neighbour.agent('POST', path, neighbour.reservation(FILE));
    });
    expect(new Set(made.map(({ body }) => body.importId)).size).toBe(3);
    expect((await neighbour.owner('GET', '/imports')).body.imports).toHaveLength(3);
  });

  it('charge one import for a hundred requests with one key', async () => {
    const neighbour = await customer.another(FIELDS);
    const wanted = neighbour.reservation(FILE);
    const path = `/schemas/${neighbour.schemaId}/imports`;
    const made = await atOnce(() => neighbour.agent('POST', path, wanted));
    expect(made).toHaveLength(AT_ONCE);
    expect(new Set(made.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await neighbour.product()).body.limits.imports.used).toBe(1);
  });

  it('are exactly five active capabilities of a schema', async () => {
    const made = await atOnce(() => customer.createCapability());
    expect(new Set(made.map(({ body }) => body.capability)).size).toBe(5);
    const path = `/schemas/${customer.schemaId}/capabilities`;
    const revoked = made.slice(0, 2).map(({ body }) => body.capabilityId);
    for (const capabilityId of revoked) {
      expect((await customer.owner('DELETE', `${path}/${capabilityId}`)).status).toBe(204);
      expect((await customer.owner('DELETE', `${path}/${capabilityId}`)).status).toBe(204);
    }
    expect(await atOnce(() => customer.createCapability(), 20)).toHaveLength(2);
    const { body } = await customer.owner('GET', path);
    expect(body.capabilities.map(({ revokedAt }: never) => revokedAt !== null)).toEqual([
      ...[false, false],
      ...made.map(({ body: { capabilityId } }) => revoked.includes(capabilityId)).reverse(),
    ]);
    customer.schemaId = await customer.newSchema(FIELDS);
    expect((await customer.createCapability()).status).toBe(201);
  });
});

describe('a charge', () => {
  it('is not given back by a cancellation', async () => {
    const neighbour = await customer.another(FIELDS);
    for (let count = 0; count < 3; count += 1) {
      const { importId } = await neighbour.reserve(FILE);
      await neighbour.agent('POST', `/imports/${importId}/cancel`, {});
    }
    const path = `/schemas/${neighbour.schemaId}/imports`;
    expect(refusal(await neighbour.agent('POST', path, neighbour.reservation(FILE)))).toEqual([
      429,
      'limit_reached',
    ]);
  });

  it('is not made by what is refused', async () => {
    const neighbour = await customer.another(FIELDS);
    const path = `/schemas/${neighbour.schemaId}/imports`;
    for (const change of [{ revision: 2 }, { byteLength: 2_000_000 }, { sha256: 'x' }, { byteLength: -1 }]) {
      const refused = await neighbour.agent('POST', path, neighbour.reservation(FILE, change));
      expect([400, 409, 413]).toContain(refused.status);
    }
    const elsewhere = `/schemas/${customer.schemaId}/imports`;
    expect(refusal(await neighbour.agent('POST', elsewhere, neighbour.reservation(FILE)))).toEqual([
      404,
      'not_found',
    ]);
    expect((await neighbour.product()).body.limits.imports.used).toBe(0);
  });
});
