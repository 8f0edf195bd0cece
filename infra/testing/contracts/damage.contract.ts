import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import type { Envelope } from '../../../schemas/base/command.ts';
import { deadLetterSchema } from '../../../schemas/base/dead-letter.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import type { LogRecord, NewRecord, PartitionHandler } from '../../../topics/ports/log.ts';
import type { AggregateRef, Row, RowKey } from '../../../topics/ports/store.ts';
import { accounts, newRequestId } from '../accounts.fixture.ts';
import { SUITE, unique } from './engine.fixture.ts';
import type { StoreFixture } from './store.contract.ts';

export interface DamagedStoreFixture extends StoreFixture {
  /** Replaces the stored text of a row, or of the root, past the store. The suite reads the ports again afterwards. */
  damage(aggregate: AggregateRef, row: RowKey | 'root', text: string): Promise<void>;
}

/** Texts of a document that no reader takes: bytes that are no JSON, and another program's document. */
const DAMAGED = [
  ['a text that is no JSON', '{"count": 1', ': invalid_type'],
  ['an empty text', '', ': invalid_type'],
  ['null', 'null', ': invalid_type'],
  ['a document that its schema refuses', '{"count":"many"}', 'count: invalid_type'],
] as const;

const counter = (id: string, count: number): Row => ({ kind: 'counter', id, document: { count } });
const NAMES = ['x', 'y', 'z'];

/** Describes how every store and the folds on it treat documents that cannot be read. */
export function describeDamageContract(name: string, open: () => Promise<DamagedStoreFixture>): void {
  describe(`${name}: damaged documents`, SUITE, () => {
    let engine: DamagedStoreFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    const newAccount = async (): Promise<AggregateRef> => {
      const ref: AggregateRef = { table: 'workspaces', id: unique('account') };
      const document = { ...EMPTY_ROOT, sequence: 1, state: { sum: 30 } };
      const root = { version: 1, batchId: 'first', applied: { generation: 1, offset: 0 }, document };
      const put = NAMES.map((id) => counter(id, 10));
      expect(await engine.store.commit(ref, 0, { root, put, remove: [] })).toBe('applied');
      return ref;
    };
    const countersOf = async (ref: AggregateRef) => {
      const rows = await engine.store.list(ref, 'counter', { limit: 10 });
      return Object.fromEntries(rows.map(({ id, document }) => [id, document]));
    };

    it.each(DAMAGED)('reads the neighbours of a row with %s', async (_, text) => {
      const ref = await newAccount();
      await engine.damage(ref, counter('y', 0), text);
      const readable = ({ id }: RowKey) => id !== 'y';
      const { rows } = await engine.store.load(
        ref,
        NAMES.map((id) => counter(id, 0)),
      );
      expect(rows).toHaveLength(NAMES.length);
      expect(rows.filter(readable)).toEqual([counter('x', 10), counter('z', 10)]);
      const listed = await engine.store.list(ref, 'counter', { limit: 10 });
      expect(listed.map(({ id }) => id)).toEqual(NAMES);
      expect(listed.filter(readable)).toEqual([counter('x', 10), counter('z', 10)]);
    });

    it.each(DAMAGED)('refuses what wants a row with %s, and nothing else', async (_, text, issue) => {
      const ref = await newAccount();
      await engine.damage(ref, counter('y', 0), text);
      const damaged = (await countersOf(ref))['y'];
      const { handler, reasons, add } = folding(engine, ref);
      await handler.handle(add('x', 'y', 'z', 'y'));
      await handler.handle(add('z', 'y'));
      const reason = `reading a row of kind counter: ${issue}`;
      expect(reasons).toEqual([reason, reason, reason]);
      expect(await countersOf(ref)).toEqual({ x: { count: 11 }, y: damaged, z: { count: 12 } });
    });

    it.each(DAMAGED)('refuses every command of an aggregate with %s as its root', async (_, text) => {
      const ref = await newAccount();
      await engine.damage(ref, 'root', text);
      const { handler, reasons, add } = folding(engine, ref);
      const records = add('x', 'y', 'z');
      expect(await handler.handle(records)).toMatchObject({ nextOffset: (records.at(-1)?.offset ?? 0) + 1 });
      await handler.handle(add('x'));
      expect(reasons).toHaveLength(4);
      expect(new Set(reasons).size).toBe(1);
      const { root } = await engine.store.load(ref, []);
      expect(root).toMatchObject({ version: 1, batchId: 'first' });
      expect(Object.keys(await countersOf(ref))).toEqual(NAMES);
    });
  });
}

interface Folding {
  readonly handler: PartitionHandler;
  /** The reasons of the dead letters so far. */
  readonly reasons: string[];
  /** Returns the next records of the partition: each adds 1 to a counter. */
  add(...names: readonly string[]): LogRecord[];
}

/** The fold of the accounts on a store, without a log: the suite hands over the records. */
function folding({ store }: DamagedStoreFixture, { id }: AggregateRef): Folding {
  const reasons: string[] = [];
  const log: ProcessorDependencies['log'] = {
    async append(records: readonly NewRecord[]) {
      for (const { value } of records) reasons.push(deadLetterSchema.parse(JSON.parse(value).input).reason);
    },
    consume: () => Promise.reject(new Error('consuming in a test of a store')),
  };
  const engines = {
    log,
    store,
    clock: { now: () => Date.now() },
    entropy: { bytes: (count: number) => randomBytes(count) },
    logger: { info() {}, warn() {}, error() {} },
  } as unknown as ProcessorDependencies;
  const handler = foldSubscription(accounts, engines).open({
    topic: 'workspaces',
    generation: 1,
    partition: 0,
    mayBegin: () => true,
    isCurrent: () => true,
    hasAppended: async () => true,
  });
  let offset = 0;
  const add = (...names: readonly string[]) =>
    names.map((name) => {
      offset += 1;
      return recordOf(id, offset, { name, amount: 1 });
    });
  return { handler, reasons, add };
}

function recordOf(key: string, offset: number, input: Envelope['input']): LogRecord {
  const envelope: Envelope = {
    envelope: 1,
    type: 'add',
    operation: 'accounts.add',
    key: `key-${offset}`,
    keyFrom: 'client',
    inputDigest: digestOf(input),
    requestId: newRequestId(),
    replyTo: null,
    notAfter: null,
    issuedAt: Date.now(),
    actor: { kind: 'agent', id: 'test' },
    input,
  };
  const place = { generation: 1, partition: 0, offset, appendedAt: Date.now() };
  return { topic: 'workspaces', key, value: JSON.stringify(envelope), ...place };
}
