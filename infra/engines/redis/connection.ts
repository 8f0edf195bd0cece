import { Redis, type RedisOptions } from 'ioredis';
import { backoffMs } from '../../../schemas/base/backoff.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { EngineFullError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { nodeTlsOptions, type TlsOptions } from '../shared/tls.ts';

export interface RedisSettings {
  /** `redis://` or, with TLS, `rediss://`; it may hold user and password. */
  readonly url: string;
  /** Where the server asks for them, and the address does not hold them. */
  readonly username?: string;
  readonly password?: string;
  /** Only for `rediss://`. Without it, the certificates that Node trusts decide. */
  readonly tls?: TlsOptions;
  /** Stands before every key and channel, so that several services can share a server. */
  readonly prefix: string;
}

/** A command without an answer within this time is given up. Whether it was carried out is then not known. */
export const COMMAND_TIMEOUT_MS = 250;

const CONNECT_TIMEOUT_MS = 2_000;
/** Pauses between attempts to connect: they double up to the bound, and attempts never end. */
const RECONNECT_PAUSE_MS_FIRST = 50;
const RECONNECT_PAUSE_MS_MAX = 1_000;
/** How long a start waits for the server. */
const START_TIMEOUT_MS = 10_000;

/** Without the one member that the client's own types contradict themselves about. */
type Options = Omit<RedisOptions, 'replyMapping'>;

const OPTIONS: Options = {
  lazyConnect: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // What cannot be sent now is refused now: a queue would answer requests that nobody waits for any more.
  enableOfflineQueue: false,
  // A counter is not idempotent: a command whose answer is lost must not be sent again behind our back.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Subscriptions are renewed by whoever made them, who has to know when they hold again.
  autoResubscribe: false,
  retryStrategy: (attempt) =>
    backoffMs(attempt, { firstMs: RECONNECT_PAUSE_MS_FIRST, maxMs: RECONNECT_PAUSE_MS_MAX }),
  // After a failover the old primary answers READONLY: that connection is of no more use.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Opens a connection that keeps reconnecting for as long as it is open.
 *
 * @throws {EngineUnavailableError} when the server does not let us in within the start's bound; the cause says why.
 */
export async function connect(settings: RedisSettings, options: Options = {}): Promise<Redis> {
  const commandTimeout = COMMAND_TIMEOUT_MS;
  return await opened(new Redis(settings.url, { ...optionsOf(settings), commandTimeout, ...options }));
}

/** The same for a client whose commands have no timeout of their own: for {@link askPatiently}. */
export async function connectPatiently(settings: RedisSettings): Promise<Redis> {
  return await opened(new Redis(settings.url, optionsOf(settings)));
}

function optionsOf({ username, password, tls }: RedisSettings): Options {
  return {
    ...OPTIONS,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: nodeTlsOptions(tls) }),
  };
}

async function opened(client: Redis): Promise<Redis> {
  // Every failure reaches the caller of a command; without a listener ioredis would print it.
  let cause: Error | undefined;
  client.on('error', (error) => {
    cause = error;
  });
  const ready = Promise.withResolvers<void>();
  client.once('ready', () => ready.resolve());
  const giveUp = () => ready.reject(new EngineUnavailableError('Redis server', { cause }));
  const timer = setTimeout(giveUp, START_TIMEOUT_MS);
  try {
    // The first attempt may fail; the client goes on trying, and `ready` or the timer decides.
    client.connect().catch(() => undefined);
    await ready.promise;
    return client;
  } catch (error) {
    client.disconnect();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Like {@link ask}, with a client-side timeout. An answer that waits in the socket of a busy process still counts. */
export async function askPatiently<Answer>(
  client: Redis,
  engine: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  return ask(client, engine, () => withTimeout(COMMAND_TIMEOUT_MS, send(), () => new Error(TIMED_OUT)));
}

/** What a server says that has reached `maxmemory`, to a command or within a script. */
const NO_MEMORY = /^(ERR .*)?OOM /;

/** How ioredis words it. */
const TIMED_OUT = 'Command timed out';

/**
 * Sends a command and waits for its answer. A connection on which one was late is given up and made anew: answers are
 * matched to commands by their order alone, and what is lost once would shift all that follow.
 *
 * @throws {EngineFullError} when the server has no memory for the command; nothing was changed.
 * @throws {EngineUnavailableError} when there is no answer in time; whether the command was carried out is not known.
 */
export async function ask<Answer>(
  client: Redis,
  engine: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    const late = error instanceof Error && error.message === TIMED_OUT;
    if (late && client.status === 'ready') client.disconnect(true);
    if (error instanceof Error && NO_MEMORY.test(error.message))
      throw new EngineFullError(engine, { cause: error });
    throw new EngineUnavailableError(engine, { cause: error });
  }
}
