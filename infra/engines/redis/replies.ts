import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Reply, replySchema } from '../../../schemas/base/outcome.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { Replies, ReplyHandlers, ReplyListener } from '../../../topics/ports/replies.ts';
import { askWithTimeout, connect, connectWithoutTimeout, placed, type RedisSettings } from './connection.ts';

/**
 * Interval between tests of a listening connection. A subscriber only waits, so a silently dead connection would look
 * like a quiet one for ever.
 */
const PROBE_EVERY_MS = 1_000;

/** Replies in one message. */
const REPLIES_MAX = 256;

/** A message: replies to one gateway that were published at about the same time. */
const messageSchema = z.array(z.unknown()).max(REPLIES_MAX);

/** A message that is being gathered, and the promise of its publication. */
interface Gathering {
  readonly replies: Reply[];
  readonly sent: Promise<void>;
}

/**
 * Replies over Redis pub/sub: not stored, and lost without a listener. Replies to one address within one turn of the
 * event loop form one message, so a processor tells a gateway the outcomes of a deep batch at once.
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
    return new RedisReplies(settings, await connectWithoutTimeout(settings, { enableAutoPipelining: true }));
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
    await askWithTimeout(this.#publisher, 'reply channel', () =>
      this.#publisher.publish(this.#channel(address), JSON.stringify(replies)),
    );
  }

  #channel(address: string): string {
    return `${this.#settings.prefix}reply:${address}`;
  }
}

/** One subscription over a separate connection, renewed after every reconnect. */
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
      throw new EngineUnavailableError(placed('reply channel', this.#client), { cause: error });
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
    // Other messages do not come from this service. A waiter that misses a reply reads the store.
    for (const one of message.data ?? []) {
      const reply = replyFrom(one);
      if (reply !== null) this.#handlers.onReply(reply);
    }
  }

  async #renew(): Promise<void> {
    try {
      await this.#client.subscribe(this.#channel);
    } catch {
      // The connection is useless without its subscription: the next one tries again.
      this.#client.disconnect(true);
      return;
    }
    this.#subscribed = true;
    this.#handlers.onReconnect();
  }

  /** Closes a connection that does not answer, so that the client reconnects. */
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

/** Returns a reply, or null for one that only a newer release knows. */
function replyFrom(value: unknown): Reply | null {
  try {
    return readStored(replySchema, value);
  } catch (error) {
    if (error instanceof z.ZodError) return null;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
