import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { openSubmitter, type Submitter } from '../../gateway/http/submit.ts';
import { type EmbeddedEngine, openEmbeddedEngine } from '../../infra/engines/embedded/engine.ts';
import { type Envelope, undeclaredResults } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { eraseRowsSchema } from '../../schemas/base/erasure.ts';
import { refusal } from '../../schemas/base/errors.ts';
import { requestIdFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import type { Consumer, NewRecord, Subscription } from '../../topics/ports/log.ts';
import { foldSubscription } from './command-handler.ts';
import type { ProcessorDependencies } from './dependencies.ts';
import { eraseMore } from './erasure.ts';
import { refused } from './results.ts';
import { defineSwitchingFold, type PlainFoldResult } from './unconverted.ts';

// A product small enough to read at once: named counters in an account, with a bound on their sum.
const accountCommands = undeclaredResults(
  {
    add: z.strictObject({ name: z.string(), amount: z.int() }),
    transfer: z.strictObject({ to: z.string(), amount: z.int() }),
    receive: z.strictObject({ amount: z.int() }),
    drop: z.strictObject({ name: z.string() }),
    work: z.strictObject({ name: z.string() }),
    report: z.strictObject({ name: z.string() }),
    burst: z.strictObject({}),
    /** Asks for the removal of all rows, in an account that can be erased. */
    empty: z.strictObject({}),
    'erase-rows': eraseRowsSchema,
    /** Is done once; a repeat is refused as soon as the sum is not zero any more. */
    create: z.strictObject({}),
    /** Writes so many counters, or takes them away. */
    fill: z.strictObject({ prefix: z.string(), rows: z.int(), remove: z.boolean() }),
    glance: z.strictObject({}),
    block: z.strictObject({ name: z.string() }),
    note: z.strictObject({ workspaceId: z.string(), textId: z.string(), text: z.string(), count: z.int() }),
  },
  'create',
);

export const SUM_MAX = 1_000;
const rootSchema = z.strictObject({ sum: z.int() });
const counterSchema = z.strictObject({ count: z.int() });

type AccountResult = PlainFoldResult<z.infer<typeof rootSchema>, { counter: z.infer<typeof counterSchema> }>;

function working(name: string): AccountResult {
  return {
    outcome: { kind: 'done', result: {} },
    effects: [{ kind: 'command', topic: 'import-splits', key: name, type: 'item', input: { name } }],
  };
}

function filled(
  sum: number,
  { prefix, rows, remove }: z.infer<typeof accountCommands.fill.input>,
): AccountResult {
  const ids = Array.from({ length: rows }, (_, index) => ({ kind: 'counter' as const, id: prefix + index }));
  return {
    outcome: { kind: 'done', result: {} },
    root: { sum: sum + rows },
    remember: false,
    ...(remove ? { remove: ids } : { put: ids.map((row) => ({ ...row, document: { count: 1 } })) }),
  };
}

const accountsFold = defineSwitchingFold<
  z.infer<typeof rootSchema>,
  { counter: z.infer<typeof counterSchema> },
  typeof accountCommands
>({
  topic: 'workspaces',
  commands: accountCommands,
  limits: DEFAULT_LIMITS,
  rootSchema,
  rowSchemas: { counter: counterSchema },
  replay: ({ root }) => (root?.sum === 0 ? null : refused(IN_USE)),
  reads: (command) => ('name' in command.input ? [{ kind: 'counter', id: command.input.name }] : []),
  fold(view, command, context) {
    const sum = view.root?.sum ?? 0;
    switch (command.type) {
      case 'add': {
        const total = sum + command.input.amount;
        if (total > SUM_MAX) return refused(SUM_REACHED);
        const count = (view.row('counter', command.input.name)?.count ?? 0) + command.input.amount;
        return {
          outcome: { kind: 'done', result: { count, total } },
          root: { sum: total },
          put: [{ kind: 'counter', id: command.input.name, document: { count } }],
          remember: { entity: `counter/${command.input.name}` },
        };
      }
      case 'transfer':
        return {
          outcome: { kind: 'deferred' },
          root: { sum: sum - command.input.amount },
          effects: [
            {
              kind: 'command',
              topic: 'workspaces',
              key: command.input.to,
              type: 'receive',
              input: { amount: command.input.amount },
              answers: true,
            },
          ],
        };
      case 'receive':
        return {
          outcome: { kind: 'done', result: { received: command.input.amount } },
          root: { sum: sum + command.input.amount },
        };
      case 'drop':
        return {
          outcome: { kind: 'done', result: {} },
          remove: [{ kind: 'counter', id: command.input.name }],
          forget: [`counter/${command.input.name}`],
        };
      case 'work':
        return working(command.input.name);
      case 'block':
        return {
          outcome: { kind: 'done', result: {} },
          effects: [
            {
              kind: 'limiter-status',
              key: { account: context.aggregate, keyId: command.input.name },
              status: 'revoked',
            },
          ],
        };
      case 'report':
        return { outcome: { kind: 'done', result: {} }, root: { sum: sum + 1 }, remember: false };
      case 'glance':
        return { outcome: { kind: 'done', result: {} }, audit: false };
      case 'note':
        return { outcome: { kind: 'done', result: {} }, audit: { count: command.input.count } };
      case 'fill':
        return filled(sum, command.input);
      case 'create':
        return { outcome: { kind: 'done', result: {} }, root: { sum } };
      case 'empty':
        return {
          outcome: { kind: 'done', result: {} },
          effects: [eraseMore('workspaces', context.aggregate)],
        };
      case 'erase-rows':
        return { outcome: { kind: 'done', result: {} }, erase: command.input.rows };
      case 'burst':
        throw new Error('folding a burst');
    }
  },
});

export const accounts = accountsFold;

const clock = { now: () => Date.now() };
const entropy = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
const quiet = { info() {}, warn() {}, error() {} };

export const newRequestId = (): string => requestIdFrom(entropy.bytes(18));

/** Waits for a condition, without sleeping longer than it takes. */
export const settled = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 5_000, interval: 5 });

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
