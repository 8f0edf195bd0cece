import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Reply, replySchema } from '../../../schemas/base/outcome.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Replies, ReplyHandlers, ReplyListener } from '../../../topics/ports/replies.ts';
import { ask, connect, type RedisSettings } from './connection.ts';

/**
 * How often a listening connection is tested. A subscriber only ever waits, so a connection that has silently died would
 * look like a quiet one for ever.
 */
const PROBE_EVERY_MS = 1_000;

/** Replies that one message carries at most. */
const REPLIES_MAX = 256;

/** A message: the replies to one gateway that were published at about the same moment. */
const messageSchema = z.array(replySchema).max(REPLIES_MAX);

/** A message that is still being gathered, and how it goes for everybody in it. */
interface Gathering {
  readonly replies: Reply[];
  readonly sent: Promise<void>;
}

/**
 * Replies over Redis pub/sub: nothing is kept, and who does not listen misses it. What is published within one turn of the
 * event loop to one address is one message: a processor that has committed a deep batch tells it a gateway at once.
 */
export class RedisReplies implements Replies {
  readonly #settings: RedisSettings;
  readonly #publisher: Redis;
  readonly #gathering = new Map<string, Gathering>();

  private constructor(settings: RedisSettings, publisher: Redis) {
    this.#settings = settings;
    this.#publisher = publisher;
  }

  static async open(settings: RedisSettings): Promise<RedisReplies> {
    return new RedisReplies(settings, await connect(settings, { enableAutoPipelining: true }));
  }

  publish(address: string, reply: Reply): Promise<void> {
    const gathering = this.#gathering.get(address) ?? this.#gather(address);
    gathering.replies.push(reply);
    if (gathering.replies.length === REPLIES_MAX) this.#gathering.delete(address);
    return gathering.sent;
  }

  async listen(address: string, handlers: ReplyHandlers): Promise<ReplyListener> {
    const client = await connect(this.#settings);
    const listener = new Listener(client, this.#channel(address), handlers);
    await listener.begin();
    return listener;
  }

  async close(): Promise<void> {
    this.#publisher.disconnect();
  }

  #gather(address: string): Gathering {
    const replies: Reply[] = [];
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const gathering: Gathering = { replies, sent };
    setImmediate(() => {
      if (this.#gathering.get(address) === gathering) this.#gathering.delete(address);
      resolve(this.#send(address, replies));
    });
    this.#gathering.set(address, gathering);
    return gathering;
  }

  async #send(address: string, replies: readonly Reply[]): Promise<void> {
    await ask(this.#publisher, 'reply channel', () =>
      this.#publisher.publish(this.#channel(address), JSON.stringify(replies)),
    );
  }

  #channel(address: string): string {
    return `${this.#settings.prefix}reply:${address}`;
  }
}

/** One subscription over a connection of its own, renewed after every reconnect. */
class Listener implements ReplyListener {
  readonly #client: Redis;
  readonly #channel: string;
  readonly #handlers: ReplyHandlers;
  readonly #probe: NodeJS.Timeout;
  #subscribed = false;
  #probing = false;

  constructor(client: Redis, channel: string, handlers: ReplyHandlers) {
    this.#client = client;
    this.#channel = channel;
    this.#handlers = handlers;
    this.#probe = setInterval(() => void this.#test(), PROBE_EVERY_MS);
    this.#probe.unref();
  }

  async begin(): Promise<void> {
    this.#client.on('message', (_channel, text) => this.#received(text));
    this.#client.on('close', () => {
      this.#subscribed = false;
    });
    try {
      await this.#client.subscribe(this.#channel);
    } catch (error) {
      await this.close();
      throw new EngineUnavailableError('reply channel', { cause: error });
    }
    this.#subscribed = true;
    this.#client.on('ready', () => void this.#renew());
  }

  connected(): boolean {
    return this.#subscribed;
  }

  async close(): Promise<void> {
    clearInterval(this.#probe);
    this.#subscribed = false;
    this.#client.disconnect();
  }

  #received(text: string): void {
    const message = messageSchema.safeParse(parsed(text));
    // What is no message of replies was not sent by us; a waiter that misses one looks at the store.
    for (const reply of message.data ?? []) this.#handlers.onReply(reply);
  }

  async #renew(): Promise<void> {
    try {
      await this.#client.subscribe(this.#channel);
    } catch {
      // The connection is of no use without its subscription: the next one tries again.
      this.#client.disconnect(true);
      return;
    }
    this.#subscribed = true;
    this.#handlers.onReconnect();
  }

  /** Ends a connection that does not answer, so that it is made anew. */
  async #test(): Promise<void> {
    if (!this.#subscribed || this.#probing) return;
    this.#probing = true;
    try {
      await this.#client.ping();
    } catch {
      this.#subscribed = false;
      this.#client.disconnect(true);
    } finally {
      this.#probing = false;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
