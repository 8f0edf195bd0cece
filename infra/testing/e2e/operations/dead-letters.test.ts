import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLetterRecord } from '../../../../processors/runtime/effects/follow-up.ts';
import { MINUTE_MS } from '../../../../schemas/base/time.ts';
import type { LogRecord } from '../../../../topics/ports/log.ts';
import { cookieOf, exchange, refusal, setUp } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { restartWith } from './stopped-log.fixture.ts';

const NOW = Date.now();
const REQUEST_ID = `req_${'a'.repeat(24)}`;
const FAILURE = { group: 'fold-usage', reason: 'folding a publish' };

let service: ServiceInProcess;
let cookie: string;
let organizationId: string;
let keyId: string;

beforeAll(async () => {
  service = await ServiceInProcess.start();
  cookie = cookieOf(await setUp(service));
  organizationId = (await asOperator('GET', '/v1/console/session')).body.organizationId;
  const key = { idempotencyKey: 'one', product: 'limiter', mode: 'test', name: 'Backend' };
  keyId = (await asOperator('POST', '/v1/keys', key)).body.keyId;
  await restartWith(service, [
    { topic: 'workspaces', key: 'a', value: 'no envelope' },
    // What a processor of an earlier version could not handle, and this one can.
    deadLetterRecord(publication(), FAILURE, REQUEST_ID, NOW),
    deadLetterRecord(publication(), FAILURE, REQUEST_ID, NOW),
  ]);
});
afterAll(() => service?.dispose());

function asOperator(method: 'GET' | 'POST', path: string, json?: object) {
  return exchange(`${service.url}${path}`, method, { cookie, json, origin: service.url });
}

const list = (state: string, query = '') => asOperator('GET', `/v1/ops/dead-letters?state=${state}${query}`);
const close = (id: string, verb: string) => asOperator('POST', `/v1/ops/dead-letters/${id}/${verb}`);

async function idOf(topic: string, state = 'open'): Promise<string> {
  const { body } = await list(state);
  return body.deadLetters.find((letter: { topic: string }) => letter.topic === topic).deadLetterId;
}

/** Seven calls of a key, as the limiter publishes them. */
function publication(): LogRecord {
  const minute = NOW - (NOW % MINUTE_MS);
  const count = { minute, incarnation: 'one', allowed: 7, denied: 0, refused: 0 };
  const envelope = {
    ...{ envelope: 1, type: 'publish', operation: 'publish', key: REQUEST_ID, keyFrom: 'request' },
    ...{ inputDigest: 'a'.repeat(64), requestId: REQUEST_ID, replyTo: 'gone', notAfter: NOW, issuedAt: NOW },
    actor: { kind: 'system', id: 'limiter' },
    input: { organizationId, mode: 'test', counts: [count] },
  };
  const place = { topic: 'usage', generation: 1, partition: 0, offset: 40, appendedAt: NOW } as const;
  return { ...place, key: keyId, value: JSON.stringify(envelope) };
}

describe('a record that could not be handled', () => {
  it('is listed once with its reason, also if it is noted twice, and shown whole', async () => {
    await expect.poll(async () => (await list('open')).body.open).toBe(2);
    const { body } = await list('open', '&limit=1');
    expect(body).toMatchObject({ open: 2, deadLetters: [{}] });
    const rest = await list('open', `&cursor=${body.nextCursor}`);
    const both = [...body.deadLetters, ...rest.body.deadLetters];
    expect(both.map(({ topic, reason, type }) => ({ topic, reason, type }))).toEqual(
      expect.arrayContaining([
        { topic: 'workspaces', reason: 'reading JSON', type: null },
        { topic: 'usage', reason: 'folding a publish', type: 'publish' },
      ]),
    );
    const whole = await asOperator('GET', `/v1/ops/dead-letters/${await idOf('workspaces')}`);
    const text = { key: 'a', value: 'no envelope', state: 'open' };
    expect(whole.body).toMatchObject({ ...text, group: 'fold-workspaces', keyFrom: null });
    const command = await asOperator('GET', `/v1/ops/dead-letters/${await idOf('usage')}`);
    expect(command.body).toMatchObject({ group: 'fold-usage', keyFrom: 'request' });
  });

  it('is refused with the reason if it would fail again, and can be discarded', async () => {
    const id = await idOf('workspaces');
    const refused = await close(id, 'replay');
    expect(refusal(refused)).toEqual([409, 'state_conflict']);
    expect(refused.body.error.message).toContain('cannot be read (reading JSON)');
    expect((await close(id, 'discard')).body).toMatchObject({ state: 'discarded' });
    expect((await close(id, 'discard')).status).toBe(200);
    expect(refusal(await close(id, 'replay'))).toEqual([409, 'state_conflict']);
  });

  it('is sent again once, and takes effect although its client has gone', async () => {
    const id = await idOf('usage');
    expect((await close(id, 'replay')).body).toMatchObject({
      state: 'replayed',
      closedAt: expect.any(String),
    });
    expect((await close(id, 'replay')).status).toBe(200);
    const used = async () => (await asOperator('GET', `/v1/keys/${keyId}/usage?unit=day`)).body.month.used;
    await expect.poll(used).toBe(7);
    expect((await list('open')).body).toMatchObject({ open: 0, deadLetters: [] });
    expect((await list('closed')).body.deadLetters).toHaveLength(2);
  });

  it('is in the audit log with what was done, and 404 where there is none', async () => {
    const { body } = await asOperator('GET', '/v1/console/audit');
    const actions = body.entries.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(['dead-letters.replay', 'dead-letters.discard']);
    const none = '000000000000000-usage-1-0-1';
    expect(refusal(await asOperator('GET', `/v1/ops/dead-letters/${none}`))).toEqual([404, 'not_found']);
    expect(refusal(await close(none, 'replay'))).toEqual([404, 'not_found']);
  });
});
