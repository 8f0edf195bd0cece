import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WAITS_OF_CAPABILITY_MAX } from '../../../../gateway/imports/delivery/approval-waits.ts';
import { SECOND_MS } from '../../../../schemas/base/time.ts';
import { refusal } from '../customer.fixture.ts';
import { ImportsCustomer, serveImports } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'code', target: 'code' }];
const FILE = Buffer.from('code\n001\n');

let customer: ImportsCustomer;
let capability = '';

serveImports(FIELDS, ROOMY_LIMITS, (started) => {
  customer = started;
});

beforeEach(async () => {
  customer.schemaId = await customer.newSchema(FIELDS);
  capability = await customer.newCapability();
});

/** The ids of the list, and the milliseconds after which they came. */
async function list(query: string, from = customer) {
  const startedAt = performance.now();
  const { body } = await from.backend(capability, 'GET', query);
  const ids = body.imports.map((entry: { importId: string }) => entry.importId);
  return { ids, tookMs: performance.now() - startedAt };
}

async function validated(): Promise<string> {
  const importId = await customer.uploaded(FILE, COLUMNS);
  await customer.validated(importId);
  return importId;
}

describe('the list with a wait', () => {
  it('is answered when an import is approved, and at once where there is one', async () => {
    const importId = await validated();
    const waiting = list('?filter=undelivered&wait=25');
    await customer.approve(importId);
    expect(await waiting).toMatchObject({ ids: [importId], tookMs: expect.toSatisfy(isSoon) });
    expect(await list('?filter=undelivered&wait=25')).toMatchObject({
      ids: [importId],
      tookMs: expect.toSatisfy(isSoon),
    });
  });

  it('is empty at the end of the wait', async () => {
    const { ids, tookMs } = await list('?filter=undelivered&wait=1');
    expect(ids).toEqual([]);
    expect(tookMs).toBeGreaterThanOrEqual(SECOND_MS - 1);
    expect(isSoon(tookMs - SECOND_MS)).toBe(true);
  });

  it('does not end with the approval of another schema', async () => {
    const other = await validated();
    const { schemaId } = customer;
    const former = capability;
    customer.schemaId = await customer.newSchema(FIELDS);
    capability = await customer.newCapability();
    const waiting = list('?wait=1');
    [customer.schemaId, capability] = [schemaId, former];
    await customer.approve(other);
    expect((await waiting).ids).toEqual([]);
  });

  it('hands out nothing to a capability that was revoked meanwhile', async () => {
    const importId = await validated();
    const { capabilityId, capability: secret } = (await customer.createCapability()).body;
    capability = secret;
    const { answers } = await allPlacesTaken();
    const path = `/schemas/${customer.schemaId}/capabilities/${capabilityId}`;
    expect((await customer.owner('DELETE', path)).status).toBe(204);
    await customer.approve(importId);
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ imports: [] });
    expect(refusal(await customer.backend(secret, 'GET', ''))).toEqual([401, 'unauthorized']);
  });

  it('is for four requests of a capability, and has room once a caller is gone', async () => {
    const { callers, answers } = await allPlacesTaken();
    const refused = await customer.backend(capability, 'GET', '?wait=25');
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toBe('1');
    callers[0]?.abort();
    const status = async () => (await customer.backend(capability, 'GET', '?wait=1')).status;
    await expect.poll(status, { timeout: 10 * SECOND_MS, interval: 10 }).toBe(200);
    for (const caller of callers) caller.abort();
    await Promise.all(answers);
  });

  it.each(['26', '-1', '1.5', 'x'])('is refused with %s seconds', async (seconds) => {
    const answer = await customer.backend(capability, 'GET', `?wait=${seconds}`);
    expect(refusal(answer)).toEqual([400, 'bad_request']);
  });
});

describe('a gateway that ends', () => {
  let other: ImportsCustomer;
  beforeAll(async () => {
    other = await ImportsCustomer.start(FIELDS);
  });
  afterAll(async () => {
    await other.service.dispose();
  });

  it('answers the requests that wait at once', async () => {
    capability = await other.newCapability();
    const waiting = list('?wait=25', other);
    const isWaiting = async () => (await other.backend(capability, 'GET', '?wait=0')).status;
    expect(await isWaiting()).toBe(200);
    await other.service.stop();
    expect(await waiting).toMatchObject({ ids: [], tookMs: expect.toSatisfy(isSoon) });
  });
});

/** Starts as many requests as may wait, and resolves once all of them do. Their answers are null for callers that have gone. */
async function allPlacesTaken() {
  const callers = Array.from({ length: WAITS_OF_CAPABILITY_MAX }, () => new AbortController());
  const answers = callers.map(({ signal }) => answerOf('?wait=25', signal));
  const status = async () => (await customer.backend(capability, 'GET', '?wait=1')).status;
  await expect.poll(status, { timeout: 20 * SECOND_MS, interval: 10 }).toBe(429);
  return { callers, answers };
}

/** The body of the answer. The request above that asks for a place can take it first, so a refused one is sent again. */
async function answerOf(query: string, signal: AbortSignal): Promise<object | null> {
  const { service, workspaceId, schemaId } = customer;
  const target = `${service.url}/v1/import/delivery/${workspaceId}/${schemaId}/imports${query}`;
  const headers = { authorization: `Bearer ${capability}` };
  while (!signal.aborted) {
    const answer = await fetch(target, { headers, signal }).catch(() => null);
    if (answer !== null && answer.status !== 429) return (await answer.json()) as object;
  }
  return null;
}

/** Far below the wait, also on a busy machine. */
function isSoon(milliseconds: number): boolean {
  return milliseconds < 10 * SECOND_MS;
}
