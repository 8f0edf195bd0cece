import type { Redis } from 'ioredis';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import type { ReplyListener } from '../../../topics/ports/replies.ts';
import { connect, placed, type RedisSettings } from './connection.ts';

/**
 * Interval between tests of a listening connection. A subscriber only waits, so a silently dead connection would look
 * like a quiet one for ever.
 */
const PROBE_EVERY_MS = 1_000;

interface MessageHandlers {
  onMessage(text: string): void;
  /** Called after the connection was down and is up again: messages of the time between are lost. */
  onReconnect(): void;
}

/**
 * Subscribes to a channel over a separate connection, and renews the subscription after every reconnect.
 *
 * @param what names the channel in errors
 * @throws {EngineUnavailableError} if the server does not accept the connection or the subscription
 */
export async function subscribe(
  settings: RedisSettings,
  channel: string,
  what: string,
  handlers: MessageHandlers,
): Promise<ReplyListener> {
  const client = await connect(settings);
  const subscription = new Subscription(client, channel, handlers);
  try {
    await subscription.start();
  } catch (error) {
    await subscription.close();
    throw new EngineUnavailableError(placed(what, client), { cause: error });
  }
  return subscription;
}

class Subscription implements ReplyListener {
  readonly #client: Redis;
  readonly #channel: string;
  readonly #handlers: MessageHandlers;
  readonly #probe: NodeJS.Timeout;
  #subscribed = false;
  #probing = false;

  constructor(client: Redis, channel: string, handlers: MessageHandlers) {
    this.#client = client;
    this.#channel = channel;
    this.#handlers = handlers;
    this.#probe = setInterval(() => void this.#test(), PROBE_EVERY_MS);
    this.#probe.unref();
  }

  async start(): Promise<void> {
    this.#client.on('message', (_channel, text) => this.#handlers.onMessage(text));
    this.#client.on('close', () => {
      this.#subscribed = false;
    });
    await this.#client.subscribe(this.#channel);
    this.#subscribed = true;
    this.#client.on('ready', () => void this.#renew());
  }

  connected(): boolean {
    return this.#subscribed;
  }

  async close(): Promise<void> {
    clearInterval(this.#probe);
    this.#subscribed = false;
    // What has arrived on the connection is not delivered any more.
    this.#client.removeAllListeners('message');
    this.#client.disconnect();
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
