import { expect } from 'vitest';
import { foldSubscription } from '../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../processors/runtime/dependencies.ts';
import type { Envelope } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Consumer, Subscription } from '../../topics/ports/log.ts';
import type { Store } from '../../topics/ports/store.ts';
import { EmbeddedEngineFixture } from '../engines/embedded/embedded-engine.fixture.ts';
import { accounts, newRequestId } from './accounts.fixture.ts';

export const WAIT = { timeout: 90_000, interval: 10 };

interface SweptOptions {
  /** Makes the subscription of the sweep. */
  readonly sweep: (engines: ProcessorDependencies) => Subscription;
  /** Changes the store that the processors get. */
  readonly storeOf?: (store: Store) => Store;
}

/** The accounts and a sweep behind their topic, on the embedded engine, in processes that end while time passes. */
export class SweptAccounts {
  readonly engine: EmbeddedEngineFixture;
  readonly #options: SweptOptions;
  #consumers: Consumer[] = [];

  private constructor(engine: EmbeddedEngineFixture, options: SweptOptions) {
    this.engine = engine;
    this.#options = options;
  }

  static async open(options: SweptOptions): Promise<SweptAccounts> {
    const swept = new SweptAccounts(await EmbeddedEngineFixture.open(), options);
    await swept.#start();
    return swept;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.engine.close();
  }

  async #start(): Promise<void> {
    const { log, store, blobs, digestIndex, limiter, replies, clock } = this.engine;
    const entropy = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
    const logger = { info: () => {}, warn: () => {}, error: () => {} };
    const { sweep, storeOf = (own) => own } = this.#options;
    const engines = {
      log,
      store: storeOf(store),
      blobs,
      digestIndex,
      limiter,
      replies,
      clock,
      entropy,
      logger,
    };
    for (const subscription of [foldSubscription(accounts, engines), sweep(engines)]) {
      this.#consumers.push(await log.consume(subscription));
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
    this.#consumers = [];
  }

  /** Lets time pass while the process is down; afterwards the sweep reads what is due. */
  async passTime(ms: number): Promise<void> {
    await this.stop();
    this.engine.clock.advance(ms);
    await this.#start();
    await this.settle();
  }

  /** Waits until the accounts have folded every command. */
  async settle(): Promise<void> {
    const lag = async () => {
      const statuses = await this.#consumers[0]?.status();
      return statuses?.reduce((sum, status) => sum + status.lag, 0);
    };
    await expect.poll(lag, WAIT).toBe(0);
  }

  /** A command of a client, folded when this resolves. */
  async send(account: string, type: string, input: JsonObject, over: Partial<Envelope> = {}): Promise<void> {
    await this.append(account, {
      envelope: 1,
      type,
      operation: type,
      key: 'key',
      keyFrom: 'client',
      inputDigest: digestOf(input),
      requestId: newRequestId(),
      replyTo: null,
      notAfter: null,
      issuedAt: this.engine.clock.now(),
      actor: { kind: 'agent', id: 'test' },
      input,
      ...over,
    });
  }

  async append(account: string, envelope: Envelope): Promise<void> {
    await this.engine.log.append([{ topic: 'workspaces', key: account, value: JSON.stringify(envelope) }]);
    await this.settle();
  }
}
