import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Reply, replySchema } from '../../../schemas/base/outcome.ts';
import { readStored } from '../../../schemas/base/stored.ts';
import type { Replies, ReplyHandlers, ReplyListener } from '../../../topics/ports/replies.ts';
import { askWithTimeout, connectWithoutTimeout, type RedisSettings } from './connection.ts';
import { subscribe } from './subscription.ts';

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
    const channel = this.#channel(address);
    return await subscribe(this.#settings, channel, 'reply channel', {
      onMessage: (text) => {
        for (const reply of repliesIn(text)) handlers.onReply(reply);
      },
      onReconnect: () => handlers.onReconnect(),
    });
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

/** The replies of a message. Other messages do not come from this service; a waiter that misses a reply reads the store. */
function repliesIn(text: string): Reply[] {
  const message = messageSchema.safeParse(parsed(text));
  return (message.data ?? []).flatMap((one) => replyFrom(one) ?? []);
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
