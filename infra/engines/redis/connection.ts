import { Redis, type RedisOptions } from 'ioredis';
import { backoffMs } from '../../../schemas/base/backoff.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { EngineFullError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { nodeTlsOptions, type TlsOptions } from '../shared/tls.ts';

export interface RedisSettings {
  /** `redis://` or, with TLS, `rediss://`; may contain user and password. */
  readonly url: string;
  /** Credentials that the address does not contain. */
  readonly username?: string;
  readonly password?: string;
  /** Only for `rediss://`. By default, the authorities that Node trusts. */
  readonly tls?: TlsOptions;
  /** Prefix of every key and channel, so that several services can share a server. */
  readonly prefix: string;
}

/** Timeout of a command. After it, the command may or may not have been executed. */
export const COMMAND_TIMEOUT_MS = 250;

const CONNECT_TIMEOUT_MS = 2_000;
/** Pauses between attempts to connect: doubled up to the bound, without a limit of attempts. */
const RECONNECT_PAUSE_MS_FIRST = 50;
const RECONNECT_PAUSE_MS_MAX = 1_000;
/** Longest wait for the server at a start. */
const START_TIMEOUT_MS = 10_000;

/** Omits the one member about which the client's own types contradict themselves. */
type Options = Omit<RedisOptions, 'replyMapping'>;

const OPTIONS: Options = {
  lazyConnect: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A command that cannot be sent is rejected at once: a queue would answer requests that have already timed out.
  enableOfflineQueue: false,
  // A counter is not idempotent: a command without an answer must not be silently sent again.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The subscriber renews its subscriptions, because it has to know when they are in force again.
  autoResubscribe: false,
  retryStrategy: (attempt) =>
    backoffMs(attempt, { firstMs: RECONNECT_PAUSE_MS_FIRST, maxMs: RECONNECT_PAUSE_MS_MAX }),
  // After a failover the old primary answers READONLY: the connection has to be replaced.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Opens a connection that reconnects until it is closed.
 *
 * @throws {EngineUnavailableError} if the server does not accept the connection within the start's timeout; the cause
 * says why
 */
export async function connect(settings: RedisSettings, options: Options = {}): Promise<Redis> {
  const commandTimeout = COMMAND_TIMEOUT_MS;
  return await opened(new Redis(settings.url, { ...optionsOf(settings), commandTimeout, ...options }));
}

/** Like {@link connect}, for a client whose commands get their timeout from {@link askWithTimeout}. */
export async function connectWithoutTimeout(settings: RedisSettings, options: Options = {}): Promise<Redis> {
  return await opened(new Redis(settings.url, { ...optionsOf(settings), ...options }));
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
  // The caller of a command gets each failure; without a listener ioredis would print it.
  let cause: Error | undefined;
  client.on('error', (error) => {
    cause = error;
  });
  const ready = Promise.withResolvers<void>();
  client.once('ready', () => ready.resolve());
  const giveUp = () => ready.reject(new EngineUnavailableError(placed('server', client), { cause }));
  const timer = setTimeout(giveUp, START_TIMEOUT_MS);
  try {
    // The first attempt may fail; the client retries, and `ready` or the timer decides.
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

/** Returns a part of the engine with the server that it is on, for errors: `rate limiter (Redis at 127.0.0.1:6379)`. */
export function placed(engine: string, { options }: Pick<Redis, 'options'>): string {
  return `${engine} (Redis at ${options.path ?? `${options.host}:${options.port}`})`;
}

/**
 * Like {@link ask}, with a client-side timeout. An answer that waits in the socket of a busy process still counts.
 */
export async function askWithTimeout<Answer>(
  client: Redis,
  engine: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  return ask(client, engine, () => withTimeout(COMMAND_TIMEOUT_MS, send(), () => new Error(TIMED_OUT)));
}

/** The error of a server that has reached `maxmemory`, to a command or within a script. */
const NO_MEMORY = /^(ERR .*)?OOM /;

/** The message of ioredis for a timeout. */
const TIMED_OUT = 'Command timed out';

/** Clients whose connection is being replaced. Their status stays `ready` until its socket has closed. */
const replaced = new WeakSet<Redis>();

/**
 * Sends a command and waits for its answer. A late answer closes its connection: answers are matched to commands by
 * their order alone, so a lost answer would shift all that follow.
 *
 * @throws {EngineFullError} if the server has no memory for the command; nothing was changed
 * @throws {EngineUnavailableError} if no answer arrives in time; the command may have been executed
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
    if (late && client.status === 'ready' && !replaced.has(client)) {
      replaced.add(client);
      client.once('close', () => replaced.delete(client));
      client.disconnect(true);
    }
    if (error instanceof Error && NO_MEMORY.test(error.message))
      throw new EngineFullError(placed(engine, client), { cause: error });
    throw new EngineUnavailableError(placed(engine, client), { cause: error });
  }
}
