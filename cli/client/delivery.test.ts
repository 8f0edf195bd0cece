import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ORIGIN } from '../../infra/testing/e2e/customer.fixture.ts';
import { ImportsCustomer } from '../../infra/testing/e2e/imports/imports-customer.fixture.ts';
import { batchId, rowId } from '../../schemas/imports/identity.ts';
import { DisturbingProxy, type Passing } from '../testing/proxy.fixture.ts';
import { type Batch, type DeliveryOptions, delivery } from './delivery.ts';
import type { RowOf } from './row-types.ts';
import { createSession } from './sessions.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true, maxLength: 20 },
  { key: 'amount', type: 'decimal', required: false },
  { key: 'paid', type: 'boolean', required: true },
] as const;
type Order = RowOf<typeof FIELDS>;
const COLUMNS = FIELDS.map(({ key }) => ({ source: key, target: key }));

let customer: ImportsCustomer;
let proxy: DisturbingProxy;
let capability: string;
beforeAll(async () => {
  const limits = { plans: { preview: { imports: 100 } }, http: { managementPerMinute: 100_000 } };
  customer = await ImportsCustomer.start(FIELDS, { limits });
  proxy = await DisturbingProxy.start(customer.service.url);
  capability = await customer.newCapability();
});
afterAll(async () => {
  await proxy.close();
  await customer.service.dispose();
});
afterEach(() => proxy.reset());

/** An approved import of that many rows, which are in batches of a hundred. */
function approved(rows: number, prefix = 'Ä "'): Promise<string> {
  const lines = Array.from({ length: rows }, (_, each) => {
    const cell = `${prefix.replaceAll('"', '""')}${each}`;
    return `"${cell}",${each % 2 === 0 ? `0${each}.50`.replace(/^0+(?=\d)/, '') : ''},${each % 3 === 0}`;
  });
  return customer.approved(Buffer.from(['code,amount,paid', ...lines, ''].join('\n')), COLUMNS);
}

function optionsWith(changes: Partial<DeliveryOptions> = {}): DeliveryOptions {
  const { workspaceId, schemaId } = customer;
  return { baseUrl: proxy.url, capability, workspaceId, schemaId, ...changes };
}

/** A database that applies each batch once. */
class Applied {
  readonly batches = new Map<string, Batch<Order>>();
  repeats = 0;

  async all(options = optionsWith()): Promise<void> {
    for await (const batch of delivery<Order>(options)) this.apply(batch);
  }

  apply(batch: Batch<Order>): void {
    if (this.batches.has(batch.batchId)) this.repeats += 1;
    this.batches.set(batch.batchId, batch);
  }

  rows(): readonly Order[] {
    return [...this.batches.values()].flatMap(({ rows }) => rows.map(({ values }) => values));
  }
}

async function statusOf(importId: string) {
  const { status, acknowledgedBatches } = (await customer.backend(capability, 'GET', `/${importId}`)).body;
  return { status, acknowledgedBatches };
}

/** An answer of a service with raised limits. */
const answerOf = (body: object) => ({ status: 200, body: JSON.stringify(body) });

/** A batch of an import of that many, each with one row. */
function batchOfOneRow(index: number, batches: number) {
  const { schemaId } = customer;
  const values = { code: `c${index}`, amount: null, paid: true };
  const row = index + 1;
  const id = rowId(schemaId, 1, row, Object.values(values));
  const place = { schemaId, schemaRevision: 1, index };
  return {
    batchId: batchId(schemaId, 1, index, row, [id]),
    manifest: { ...place, firstRow: row, rowCount: 1, rowIds: [id] },
    rows: [{ rowId: id, row, values }],
    nextIndex: index + 1 < batches ? index + 1 : null,
  };
}

const isAck = ({ path }: Passing) => path.endsWith('/ack');

describe('delivery', () => {
  it('yields typed rows of every batch in order, acknowledges each, and ends', async () => {
    const importId = await approved(250);
    const applied = new Applied();
    await applied.all();
    const batches = [...applied.batches.values()];
    expect(batches.map(({ index, rows }) => [index, rows.length])).toEqual([
      [0, 100],
      [1, 100],
      [2, 50],
    ]);
    const [first, second] = applied.rows();
    const code: string | undefined = first?.code;
    const amount: string | null | undefined = second?.amount;
    const paid: boolean | undefined = second?.paid;
    expect([code, amount, paid]).toEqual(['Ä "0', null, false]);
    expect(await statusOf(importId)).toEqual({ status: 'delivered', acknowledgedBatches: 3 });
    await applied.all();
    expect(applied.repeats).toBe(0);
  });

  it.each(['lose', 'cut'] as const)(
    'delivers all once if the proxy should %s every second answer',
    async (fault) => {
      const importId = await approved(150, fault);
      proxy.decide = ({ number }) => (number % 2 === 1 ? fault : 'forward');
      const applied = new Applied();
      await applied.all();
      expect(applied.rows()).toHaveLength(150);
      expect(applied.repeats).toBe(0);
      expect(await statusOf(importId)).toEqual({ status: 'delivered', acknowledgedBatches: 2 });
    },
  );

  it('leaves a batch unacknowledged whose body throws, and yields it again', async () => {
    const importId = await approved(150, 'throws');
    const applied = new Applied();
    const failing = async () => {
      for await (const batch of delivery<Order>(optionsWith())) {
        applied.apply(batch);
        if (batch.index === 1) throw new Error('the transaction failed');
      }
    };
    await expect(failing()).rejects.toThrow('the transaction failed');
    expect(await statusOf(importId)).toMatchObject({ acknowledgedBatches: 1 });
    await applied.all();
    expect(applied.rows()).toHaveLength(150);
    expect(await statusOf(importId)).toMatchObject({ status: 'delivered' });
  });

  it('yields no batch again that was acknowledged, whatever ended the loop before', async () => {
    const importId = await approved(450, 'ended early');
    const yielded: number[] = [];
    const acknowledged: string[] = [];
    const onAcknowledged = ({ batchId }: { batchId: string }) => void acknowledged.push(batchId);
    const orders = delivery<Order>(optionsWith({ onAcknowledged }));
    for await (const { index } of orders) {
      yielded.push(index);
      if (index === 3) break;
    }
    const failing = async () => {
      for await (const { index } of orders) {
        yielded.push(index);
        if (index === 4) throw new Error('the transaction failed');
      }
    };
    await expect(failing()).rejects.toThrow('the transaction failed');
    for await (const { index } of orders) yielded.push(index);
    expect(yielded).toEqual([0, 1, 2, 3, 3, 4, 4]);
    expect(new Set(acknowledged).size).toBe(5);
    expect(await statusOf(importId)).toEqual({ status: 'delivered', acknowledgedBatches: 5 });
  });

  it('yields each batch once with pollMs, over failures in the middle of an import', async () => {
    const importId = await approved(350, 'fails late');
    const stop = new AbortController();
    const failures: string[] = [];
    const yielded: number[] = [];
    proxy.decide = ({ path }) =>
      path.endsWith('index=2') && failures.length === 0 ? { status: 500, body: '' } : 'forward';
    const onFailure = ({ code }: { code: string }) => failures.push(code);
    const options = optionsWith({ pollMs: 500, signal: stop.signal, deadlineMs: 300, onFailure });
    for await (const { index } of delivery<Order>(options)) {
      yielded.push(index);
      if (index === 3) stop.abort();
    }
    expect(failures).toEqual(['unexpected_answer']);
    expect(yielded).toEqual([0, 1, 2, 3]);
    expect(await statusOf(importId)).toMatchObject({ status: 'delivered' });
  });

  it('yields no batch again that was acknowledged by hand', async () => {
    await approved(150, 'by hand');
    const orders = delivery<Order>(optionsWith());
    const yielded: number[] = [];
    for await (const batch of orders) {
      yielded.push(batch.index);
      await orders.acknowledge(batch);
      break;
    }
    for await (const { index } of orders) yielded.push(index);
    expect(yielded).toEqual([0, 1]);
  });

  it.each([
    [
      'a list',
      (path: string) => path.includes('filter='),
      [null, [], { imports: [null], nextCursor: null }, { imports: [] }],
    ],
    [
      'a batch',
      (path: string) => path.includes('/batches?'),
      [null, 7, { rows: [null], manifest: { rowIds: [] } }, { rows: [] }],
    ],
    ['an acknowledgment', (path: string) => path.endsWith('/ack'), [null, {}, 'ok']],
  ] as const)('throws unexpected_answer for %s that is none', async (_what, isOf, answers) => {
    await approved(10, 'odd');
    for (const answer of answers) {
      proxy.decide = ({ path }) => (isOf(path) ? { status: 200, body: JSON.stringify(answer) } : 'forward');
      await expect(new Applied().all(), JSON.stringify(answer)).rejects.toMatchObject({
        name: 'SvcError',
        code: 'unexpected_answer',
      });
    }
    proxy.reset();
    await new Applied().all();
  });

  it('acknowledges from a table what was applied before a crash, also if the import has ended', async () => {
    const importId = await approved(10, 'crash');
    const { acknowledge, ...each } = delivery<Order>(optionsWith());
    const { value } = await each[Symbol.asyncIterator]().next();
    await customer.owner('POST', `/imports/${importId}/cancel`, {});
    const batch = value as Batch<Order>;
    const first = await acknowledge(batch);
    expect(first).toMatchObject({ remainingBatches: 0 });
    expect(await acknowledge(batch)).toEqual(first);
  });

  it('passes over an import that ends while it is pulled, and goes to the next', async () => {
    const ended = await approved(150, 'ends');
    const next = await approved(10, 'next');
    const skipped: unknown[] = [];
    const applied = new Applied();
    const onFailure = ({ code }: { code: string }, importId: string | null) => skipped.push([code, importId]);
    for await (const batch of delivery<Order>(optionsWith({ onFailure }))) {
      applied.apply(batch);
      if (batch.importId === ended) {
        await customer.owner('POST', `/imports/${ended}/cancel`, {});
      }
    }
    expect(skipped).toEqual([['cancelled', ended]]);
    expect(await statusOf(next)).toMatchObject({ status: 'delivered' });
  });

  it.each([
    [
      'a value',
      (body: string) => body.replace('"tampered 3"', '"tampered x"'),
      'batchId, rows[3] (2 in all)',
    ],
    ['a row id', (body: string) => body.replace(/"rowId":"./, '"rowId":"_'), 'rows[0] (1 in all)'],
    ['the order of rows', (body: string) => body.replace('"tampered 3"', '"tampered 4"'), 'batchId, rows[3]'],
    [
      'a missing id',
      (body: string) => body.replace(/"rowIds":\["[0-9a-f]+",/, '"rowIds":['),
      'rowIds, rows[0], rows[1], rows[2], rows[3] (11 in all)',
    ],
  ])('stops at a batch in which %s was changed, and says where', async (_what, change, places) => {
    const importId = await approved(10, 'tampered ');
    proxy.decide = async (passing) => {
      if (!passing.path.includes('/batches?')) return 'forward';
      const { body } = await customer.backend(capability, 'GET', `/${importId}/batches?index=0`);
      return { status: 200, headers: {}, body: change(JSON.stringify(body)) };
    };
    const applied = new Applied();
    const error = await applied.all().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'batch_mismatch', message: expect.stringContaining(places) });
    expect((error as Error).message).not.toContain('tampered');
    expect(applied.batches.size).toBe(0);
    expect(await statusOf(importId)).toMatchObject({ acknowledgedBatches: 0 });
    proxy.reset();
    await applied.all();
  });

  it('delivers every batch of an import of more than the default limits allow', async () => {
    const acknowledged: string[] = [];
    proxy.decide = ({ path, body }) => {
      const index = /batches\?index=(\d+)$/.exec(path)?.[1];
      if (index !== undefined) return answerOf(batchOfOneRow(Number(index), 300));
      if (!path.endsWith('/ack')) return answerOf({ imports: [{ importId: 'large' }], nextCursor: null });
      acknowledged.push(JSON.parse(body).ack.batchId);
      return answerOf({ acknowledgedAt: '2026-09-07T10:30:00.000Z' });
    };
    const applied = new Applied();
    await applied.all();
    expect(applied.rows()).toHaveLength(300);
    expect(acknowledged).toEqual([...applied.batches.keys()]);
  });

  it('looks behind any number of pages without an import that it can pull', async () => {
    const importId = await approved(10, 'far');
    let pages = 0;
    proxy.decide = ({ path }) => {
      if (!path.includes('filter=undelivered')) return 'forward';
      pages += 1;
      if (pages > 150) return 'forward';
      return answerOf({ imports: [], nextCursor: '0' });
    };
    await new Applied().all();
    expect(await statusOf(importId)).toMatchObject({ status: 'delivered' });
  });

  it('throws at a list without an end', async () => {
    proxy.decide = () => answerOf({ imports: [], nextCursor: '0' });
    await expect(new Applied().all()).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('stops at a conflict of an acknowledgment, with the reason of the service', async () => {
    await approved(10, 'conflict');
    proxy.decide = (passing) => {
      if (!isAck(passing)) return 'forward';
      const error = {
        code: 'acknowledgment_conflict',
        message: 'body.ack: seen 9 ids, expected 10.',
        request_id: 'req_1',
      };
      return { status: 409, body: JSON.stringify({ error }) };
    };
    await expect(new Applied().all()).rejects.toMatchObject({
      code: 'acknowledgment_conflict',
      message: 'body.ack: seen 9 ids, expected 10.',
    });
    proxy.reset();
    await new Applied().all();
  });

  it('waits for further imports with follow, which arrive as soon as they are approved', async () => {
    const stop = new AbortController();
    const lists: string[] = [];
    proxy.decide = ({ path }) => {
      if (path.includes('filter=')) lists.push(path);
      return 'forward';
    };
    const applied = new Applied();
    const running = applied.all(optionsWith({ follow: true, signal: stop.signal }));
    for (const count of [10, 20]) {
      const importId = await approved(count, `follow ${count}`);
      await expect.poll(async () => (await statusOf(importId)).status).toBe('delivered');
    }
    stop.abort();
    await running;
    expect(applied.rows()).toHaveLength(30);
    expect(applied.repeats).toBe(0);
    expect(lists.every((path) => path.endsWith('&wait=25'))).toBe(true);
    // One for each approval, and the one that waits at the end; not one every moment.
    expect(lists.length).toBeLessThan(8);
  });

  it('waits for further imports with pollMs, over an outage, until its signal ends it', async () => {
    const stop = new AbortController();
    const failures: string[] = [];
    const applied = new Applied();
    const { signal } = stop;
    const onFailure = ({ code }: { code: string }) => failures.push(code);
    proxy.decide = () => ({ status: 500, body: '' });
    const running = applied.all(optionsWith({ pollMs: 500, signal, onFailure, deadlineMs: 300 }));
    await expect.poll(() => failures).toContain('unexpected_answer');
    proxy.reset();
    const importId = await approved(10, 'poll');
    await expect.poll(async () => (await statusOf(importId)).status).toBe('delivered');
    stop.abort();
    await running;
    expect(applied.rows()).toHaveLength(10);
  });

  it('throws a refusal that shows no capability', async () => {
    const wrong = `svc_capability_${'S'.repeat(40)}`;
    const error = await new Applied()
      .all(optionsWith({ capability: wrong }))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('SSSS');
    expect(
      inspect(delivery(optionsWith({ capability: wrong })), { showHidden: true, depth: 9 }),
    ).not.toContain('SSSS');
  });
});

describe('createSession', () => {
  it('makes one session for a page, also if the first answer is lost', async () => {
    proxy.decide = ({ number }) => (number === 1 ? 'lose' : 'forward');
    const session = await createSession(optionsWith());
    expect(session).toMatchObject({ origin: ORIGIN, schemaId: customer.schemaId, approvalDelegated: false });
    expect(session.sessionToken).toMatch(/^svc_import_/);
    expect(new Set(proxy.passed.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});
