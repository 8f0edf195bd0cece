import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { openSubmitter, type Submitter } from '../../gateway/http/records/submit.ts';
import { foldSubscription } from '../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../processors/runtime/dependencies.ts';
import { type CommandHandlers, defineFold, type FoldTypes } from '../../processors/runtime/fold/fold.ts';
import { DONE, DONE_UNREMEMBERED, refused } from '../../processors/runtime/fold/results.ts';
import { eraseMore } from '../../processors/runtime/sweeps/erasure.ts';
import { carriedResultSchema } from '../../schemas/base/carried.ts';
import { type CommandTable, type Envelope, noResult } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { eraseRowsSchema } from '../../schemas/base/erasure.ts';
import { refusal } from '../../schemas/base/errors.ts';
import { requestIdFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { Consumer, NewRecord, Subscription } from '../../topics/ports/log.ts';
import { type EmbeddedEngine, openEmbeddedEngine } from '../engines/embedded/engine.ts';

// A product small enough to read at once: named counters in an account, with a bound on their sum.
const accountCommands = {
  add: {
    input: z.strictObject({ name: z.string(), amount: z.int() }),
    result: z.strictObject({ count: z.int(), total: z.int() }),
  },
  /** Several additions in one record. */
  'add-many': {
    input: z.strictObject({
      additions: z.array(z.strictObject({ key: z.string(), name: z.string(), amount: z.int() })),
    }),
    result: carriedResultSchema,
    carries: 'add',
  },
  transfer: {
    input: z.strictObject({ to: z.string(), amount: z.int() }),
    result: z.strictObject({ received: z.int() }),
  },
  receive: { input: z.strictObject({ amount: z.int() }), result: z.strictObject({ received: z.int() }) },
  drop: { input: z.strictObject({ name: z.string() }), result: noResult },
  work: { input: z.strictObject({ name: z.string() }), result: noResult },
  report: { input: z.strictObject({ name: z.string() }), result: noResult },
  burst: { input: z.strictObject({}), result: noResult },
  /** Asks for the removal of all rows, in an account that can be erased. */
  empty: { input: z.strictObject({}), result: noResult },
  'erase-rows': { input: eraseRowsSchema, result: noResult },
  /** Is done once; a repeat is refused as soon as the sum is not zero any more. */
  create: { input: z.strictObject({}), result: noResult, decidesRepeats: true },
  /** Writes that many counters, or removes them. */
  fill: {
    input: z.strictObject({ prefix: z.string(), rows: z.int(), remove: z.boolean() }),
    result: noResult,
  },
  glance: { input: z.strictObject({}), result: noResult },
  block: { input: z.strictObject({ name: z.string() }), result: noResult },
  note: {
    input: z.strictObject({ workspaceId: z.string(), textId: z.string(), text: z.string(), count: z.int() }),
    result: noResult,
  },
} as const satisfies CommandTable;

export const SUM_MAX = 1_000;
const rootSchema = z.strictObject({ sum: z.int().default(0) });
const counterSchema = z.strictObject({ count: z.int() });

interface AccountsFold extends FoldTypes {
  readonly commands: typeof accountCommands;
  readonly root: z.infer<typeof rootSchema>;
  readonly rows: { counter: z.infer<typeof counterSchema> };
}

const counterRow = (name: string) => ({ kind: 'counter' as const, id: name });
const namedCounter = ({ input: { name } }: { readonly input: { readonly name: string } }) => [
  counterRow(name),
];

const handlers: CommandHandlers<AccountsFold> = {
  add: {
    reads: namedCounter,
    fold({ root: { sum }, row, input: { name, amount } }) {
      const total = sum + amount;
      if (total > SUM_MAX) return refused(SUM_REACHED);
      const count = (row('counter', name)?.count ?? 0) + amount;
      return {
        outcome: { kind: 'done', result: { count, total } },
        root: { sum: total },
        put: [{ ...counterRow(name), document: { count } }],
        remember: { entity: `counter/${name}` },
      };
    },
  },
  'add-many': {
    carried: ({ input: { additions }, ...envelope }) =>
      additions.map(({ key, ...input }) => ({
        ...envelope,
        ...{ type: 'add', operation: 'accounts.add', key, keyFrom: 'client' as const },
        ...{ inputDigest: digestOf(input), replyTo: null, input },
      })),
  },
  transfer: {
    fold: ({ root: { sum }, input: { to, amount } }) => ({
      outcome: { kind: 'deferred' },
      root: { sum: sum - amount },
      effects: [
        { kind: 'command', topic: 'workspaces', key: to, type: 'receive', input: { amount }, answers: true },
      ],
    }),
  },
  receive: {
    fold: ({ root: { sum }, input: { amount } }) => ({
      outcome: { kind: 'done', result: { received: amount } },
      root: { sum: sum + amount },
    }),
  },
  drop: {
    reads: namedCounter,
    admitsUnreadable: ['counter'],
    fold: ({ input: { name } }) => ({ ...DONE, remove: [counterRow(name)], forget: [`counter/${name}`] }),
  },
  work: {
    reads: namedCounter,
    fold: ({ input: { name } }) => ({
      ...DONE,
      effects: [{ kind: 'command', topic: 'import-splits', key: name, type: 'item', input: { name } }],
    }),
  },
  block: {
    reads: namedCounter,
    fold: ({ input: { name }, context: { aggregate: account } }) => ({
      ...DONE,
      effects: [{ kind: 'limiter-status', key: { account, keyId: name }, status: 'revoked' }],
    }),
  },
  report: {
    reads: namedCounter,
    fold: ({ root: { sum } }) => ({ ...DONE_UNREMEMBERED, root: { sum: sum + 1 } }),
  },
  glance: { fold: () => ({ ...DONE, audit: false }) },
  note: { fold: ({ input: { count } }) => ({ ...DONE, audit: { count } }) },
  fill: {
    fold({ root: { sum }, input: { prefix, rows, remove } }) {
      const counters = Array.from({ length: rows }, (_, index) => counterRow(prefix + index));
      return {
        ...DONE_UNREMEMBERED,
        root: { sum: sum + rows },
        ...(remove
          ? { remove: counters }
          : { put: counters.map((counter) => ({ ...counter, document: { count: 1 } })) }),
      };
    },
  },
  create: {
    fold: ({ root }) => ({ ...DONE, root }),
    replay: ({ root }) => (root.sum === 0 ? null : refused(IN_USE)),
  },
  empty: {
    fold: ({ context }) => ({ ...DONE, effects: [eraseMore('workspaces', context.aggregate)] }),
  },
  'erase-rows': { fold: ({ input: { rows } }) => ({ ...DONE, erase: rows }) },
  burst: {
    fold() {
      throw new Error('folding a burst');
    },
  },
};

export const accounts = defineFold<AccountsFold>({
  topic: 'workspaces',
  commands: accountCommands,
  rootSchema,
  rowSchemas: { counter: counterSchema },
  emptyRoot: { sum: 0 },
  limits: DEFAULT_LIMITS,
  handlers,
});

const clock = { now: () => Date.now() };
const entropy = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
const quiet = { info() {}, warn() {}, error() {} };

export const newRequestId = (): string => requestIdFrom(entropy.bytes(18));

/** Waits for a condition, without sleeping longer than it takes. */
export const settled = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 90_000, interval: 5 });

/** The real embedded engine, a waiter, and the accounts folded on them. */
export class Bench {
  readonly engine: EmbeddedEngine;
  readonly submitter: Submitter;
  readonly #folder: string;
  readonly #consumers: Consumer[] = [];
  #records = 0;

  private constructor(folder: string, engine: EmbeddedEngine, submitter: Submitter) {
    this.#folder = folder;
    this.engine = engine;
    this.submitter = submitter;
  }

  static async open(): Promise<Bench> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-runtime-'));
    const engine = openEmbeddedEngine({ folder, clock, onFatal: (error) => expect.fail(String(error)) });
    return new Bench(
      folder,
      engine,
      await openSubmitter({ ...engine, clock, address: 'gateway-1', deadlineMs: 4_000 }),
    );
  }

  async close(): Promise<void> {
    for (const consumer of this.#consumers) await consumer.stop();
    await this.submitter.close();
    await this.engine.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A further waiter on the same engine. */
  waiter(address: string, deadlineMs: number, inFlightMax?: number): Promise<Submitter> {
    return openSubmitter({
      ...this.engine,
      clock,
      address,
      deadlineMs,
      ...(inFlightMax === undefined ? {} : { inFlightMax }),
    });
  }

  dependencies(over: Partial<ProcessorDependencies> = {}): ProcessorDependencies {
    return { ...this.engine, clock, entropy, logger: quiet, ...over };
  }

  async consume(subscription: Subscription): Promise<void> {
    this.#consumers.push(await this.engine.log.consume(subscription));
  }

  startFold(over: Partial<ProcessorDependencies> = {}): Promise<void> {
    return this.consume(foldSubscription(accounts, this.dependencies(over)));
  }

  async stopLast(): Promise<void> {
    await this.#consumers.pop()?.stop();
  }

  send(
    account: string,
    type: string,
    input: JsonObject,
    key: string | null = null,
    submitter = this.submitter,
  ) {
    return submitter.send({
      topic: 'workspaces',
      key: account,
      type,
      operation: `accounts.${type}`,
      idempotencyKey: key,
      digestInput: input,
      requestId: newRequestId(),
      actor: { kind: 'agent', id: 'test' },
      input,
    });
  }

  /** A record as a gateway appends it, for tests that need one without its waiter. */
  record(account: string, type: string, input: JsonObject, over: Partial<Envelope> = {}): NewRecord {
    this.#records += 1;
    const envelope: Envelope = {
      envelope: 1,
      type,
      operation: `accounts.${type}`,
      key: `key-${this.#records}`,
      keyFrom: 'client',
      inputDigest: digestOf(input),
      requestId: newRequestId(),
      replyTo: null,
      notAfter: null,
      issuedAt: clock.now(),
      actor: { kind: 'agent', id: 'test' },
      input,
      ...over,
    };
    return { topic: 'workspaces', key: account, value: JSON.stringify(envelope) };
  }

  async rootOf(account: string) {
    return (await this.engine.store.read({ table: 'workspaces', id: account }, [])).root;
  }

  async sumOf(account: string): Promise<number | null> {
    const state = (await this.rootOf(account))?.document['state'] as { sum: number } | null | undefined;
    return state?.sum ?? null;
  }
}

const IN_USE = refusal('state_conflict', { at: 'workspace', seen: 'one in use', expected: 'an unused one' });
const SUM_REACHED = refusal('limit_reached', { at: 'plan.sum', seen: 'all of it', expected: 'less' });
