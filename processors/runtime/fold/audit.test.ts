import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bench, newRequestId, SUM_MAX, settled } from '../../../infra/testing/accounts.fixture.ts';
import { auditLogId, type EntryDocument, entryDocumentSchema } from '../../../schemas/audit/documents.ts';
import type { Actor, Envelope } from '../../../schemas/base/command.ts';
import { idFrom, workspaceOf } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { createAuditFold } from '../../audit/fold.ts';
import { foldSubscription } from '../command-handler.ts';

const organizationId = idFrom('organization', Buffer.alloc(15, 1));
const person: Actor = { kind: 'user', id: idFrom('user', Buffer.alloc(15, 1)), organizationId };
const account = idFrom('installation', Buffer.alloc(15, 1));
const other = idFrom('installation', Buffer.alloc(15, 2));

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
  await bench.consume(foldSubscription(createAuditFold(DEFAULT_LIMITS), bench.dependencies()));
});

afterEach(() => bench.close());

/** Appends a command as the gateway does for a person who waits, and returns its request id. */
async function act(type: string, input: JsonObject, over: Partial<Envelope> = {}): Promise<string> {
  const requestId = newRequestId();
  const record = bench.record(account, type, input, {
    actor: person,
    requestId,
    replyTo: 'gateway-1',
    ...over,
  });
  await bench.engine.log.append([record]);
  return requestId;
}

async function entries(): Promise<EntryDocument[]> {
  const log = { table: 'audit', id: auditLogId(organizationId, Date.now()) } as const;
  const rows = await bench.engine.store.list(log, 'entry', { limit: 100 });
  return rows.map(({ document }) => entryDocumentSchema.parse(document));
}

/** Waits until exactly these requests are in the log, in any order: times may be equal. */
async function logHolds(...requestIds: string[]): Promise<void> {
  await settled(async () =>
    expect((await entries()).map((entry) => entry.requestId).sort()).toEqual([...requestIds].sort()),
  );
}

describe('the audit log', () => {
  it('says who did what to what, when, and by which request', async () => {
    await bench.startFold();
    const requestId = await act('add', { name: 'x', amount: 3 });
    await logHolds(requestId);
    expect(await entries()).toEqual([
      {
        at: expect.any(Number),
        actor: { kind: 'user', id: person.id },
        action: 'workspaces.add',
        target: `${account}/counter/x`,
        requestId,
        detail: {},
      },
    ]);
  });

  it('names ids of the input and what the fold adds, and no other value', async () => {
    await bench.startFold();
    const workspaceId = workspaceOf(account);
    await logHolds(
      await act('note', { workspaceId, textId: 'private text', text: 'private text', count: 2 }),
    );
    expect((await entries())[0]?.detail).toEqual({ workspaceId, count: 2 });
  });

  it('says what the operator did on the machine', async () => {
    await bench.startFold();
    const actor: Actor = { kind: 'operator', id: 'machine', organizationId };
    await logHolds(await act('add', { name: 'x', amount: 3 }, { actor }));
    expect((await entries())[0]?.actor).toEqual({ kind: 'operator', id: 'machine' });
  });

  it('holds nothing of agents, refusals, repeats, and what is no act of will', async () => {
    await bench.startFold();
    const first = await act('add', { name: 'x', amount: 3 }, { key: 'k1' });
    await act('add', { name: 'x', amount: 3 }, { key: 'k1' });
    await act('add', { name: 'x', amount: 4 }, { key: 'k1' });
    await act('add', { name: 'x', amount: SUM_MAX });
    await act('add', { name: 'x', amount: 1 }, { actor: { kind: 'agent', id: 'agent' } });
    await act('add', { name: 'x', amount: 1 }, { actor: { kind: 'user', id: person.id } });
    await act('burst', {});
    await act('glance', {});
    const last = await act('add', { name: 'y', amount: 1 });
    await logHolds(first, last);
    expect(await bench.sumOf(account)).toBe(6);
  });

  it('holds what crosses aggregates once, by the fold that answers', async () => {
    await bench.startFold();
    const requestId = await act('transfer', { to: other, amount: 40 });
    const unanswered = await act('work', { name: 'n' });
    await logHolds(requestId, unanswered);
    const actions = (await entries()).map(({ action, target }) => `${action} ${target}`);
    expect(actions.sort()).toEqual([`workspaces.receive ${other}`, `workspaces.work ${account}`]);
  });

  it('does not tell the aggregate of a person', async () => {
    await bench.startFold();
    const record = bench.record('digest', 'add', { name: 'x', amount: 1 }, { actor: person });
    await bench.engine.log.append([record]);
    await settled(async () => expect((await entries()).map(({ target }) => target)).toEqual([null]));
  });

  it('gets an entry that a crash has kept back, once', async () => {
    let appends = 0;
    const broken = {
      append: async () => {
        appends += 1;
        throw new EngineUnavailableError('log');
      },
      consume: bench.engine.log.consume.bind(bench.engine.log),
    };
    await bench.startFold({ log: broken });
    const requestId = await act('add', { name: 'x', amount: 3 });
    await settled(async () => expect(appends).toBeGreaterThan(0));
    await bench.stopLast();
    expect(await bench.sumOf(account)).toBe(3);
    expect(await entries()).toEqual([]);
    await bench.startFold();
    await logHolds(requestId);
    expect(await bench.sumOf(account)).toBe(3);
  });
});
