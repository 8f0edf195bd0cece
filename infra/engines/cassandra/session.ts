import { type Client, policies, type QueryOptions, types } from 'cassandra-driver';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { type CassandraOptions, createClient, REQUEST_TIMEOUT_MS } from './driver.ts';
import { conditionalFailure, repeatableFailure } from './failures.ts';

/** A statement that is prepared under its text, and the values of its markers. 64-bit integers are BigInts. */
export interface Statement {
  readonly query: string;
  readonly params: readonly unknown[];
}

/** LOCAL_SERIAL waits for, or ends, conditional writes that are under way (design rule 4). */
export type ReadLevel = 'LOCAL_QUORUM' | 'LOCAL_SERIAL';

/** How long connecting may take in all, over every contact point. */
export const CONNECT_DEADLINE_MS = 10 * SECOND_MS;

const PROBE = 'SELECT key FROM system.local';

/** Nodes that a request which can be repeated is sent to at most. */
const ATTEMPTS_MAX = 2;

const CONSISTENCIES = {
  LOCAL_QUORUM: types.consistencies.localQuorum,
  LOCAL_SERIAL: types.consistencies.localSerial,
} as const;

/**
 * A connected client with the promises of our ports: every call ends within a bound, and fails with an error that says
 * what is known. It finds lost nodes again by itself.
 */
export class CassandraSession {
  readonly keyspace: string;
  readonly #client: Client;
  readonly #deadlineMs: number;
  #probing = false;

  private constructor(client: Client, options: CassandraOptions) {
    this.#client = client;
    this.keyspace = options.keyspace;
    // Preparing a statement and sending it may each take their time, and so may the second node.
    this.#deadlineMs = ATTEMPTS_MAX * (options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
  }

  /**
   * @throws {EngineUnavailableError} when no contact point answers within {@link CONNECT_DEADLINE_MS}, shows a certificate
   * that is to be believed, takes the user and knows the datacenter; the cause says which.
   */
  static async open(options: CassandraOptions): Promise<CassandraSession> {
    const client = createClient(options);
    await connect(client);
    // Where the replicas of a key are: its requests go straight to one of them.
    await client.metadata.refreshKeyspace(options.keyspace);
    return new CassandraSession(client, options);
  }

  /** The full name of a table of ours, for statements. */
  table(name: string): string {
    return `${this.keyspace}."${name}"`;
  }

  /**
   * Reads, from a second node if the first one fails.
   *
   * @throws {EngineUnavailableError} when there is no answer in time.
   */
  async read(engine: string, { query, params }: Statement, level: ReadLevel): Promise<types.Row[]> {
    const options = { ...REPEATABLE, consistency: CONSISTENCIES[level] };
    const { rows } = await this.#repeatably(engine, this.#client.execute(query, [...params], options));
    return rows;
  }

  /**
   * Writes what may be written any number of times, all of it or nothing if it is in one partition.
   *
   * @throws {EngineUnavailableError} when there is no answer in time; it may have been written.
   */
  async write(engine: string, statements: readonly Statement[]): Promise<void> {
    const batch = statements.map(({ query, params }) => ({ query, params: [...params] }));
    await this.#repeatably(engine, this.#client.batch(batch, { ...REPEATABLE, logged: false }));
  }

  /**
   * Writes a conditional batch of one partition, sent to one node and never retried.
   *
   * @returns null when it was applied, or the row that did not meet the condition.
   * @throws {CommitUnknownError} when there is no answer in time, or one that does not say whether it was applied.
   * @throws {EngineUnavailableError} when it was not sent.
   */
  async writeIf(engine: string, statements: readonly Statement[]): Promise<types.Row | null> {
    const batch = statements.map(({ query, params }) => ({ query, params: [...params] }));
    try {
      const sent = this.#client.batch(batch, { logged: false });
      const result = await withTimeout(this.#deadlineMs, sent, () => new CommitUnknownError());
      return result.wasApplied() ? null : result.first();
    } catch (error) {
      this.#probe();
      throw error instanceof CommitUnknownError ? error : conditionalFailure(engine, error);
    }
  }

  /** Gives the connections back. What is under way fails as if they were lost; later calls are answered as unavailable. */
  async close(): Promise<void> {
    await this.#client.shutdown();
  }

  async #repeatably<Result>(engine: string, sent: Promise<Result>): Promise<Result> {
    try {
      return await withTimeout(this.#deadlineMs, sent, () => new EngineUnavailableError(engine));
    } catch (error) {
      this.#probe();
      throw error instanceof EngineUnavailableError ? error : repeatableFailure(engine, error);
    }
  }

  /**
   * Asks for a sign of life, in the background and one at a time. The driver counts what a connection leaves unanswered,
   * but it looks at the count only when a request that needed no preparing is late, and it sends no heartbeat on a
   * connection that is written to; so one that is dead without having been closed could be kept for good.
   */
  #probe(): void {
    if (this.#probing) return;
    this.#probing = true;
    const settled = () => {
      this.#probing = false;
    };
    this.#client.execute(PROBE, [], { prepare: false }).then(settled, settled);
  }
}

/**
 * Connects a client of the driver, within {@link CONNECT_DEADLINE_MS}.
 *
 * @throws {EngineUnavailableError} when no contact point answers.
 */
export async function connect(client: Client): Promise<void> {
  const connected = client.connect();
  try {
    await withTimeout(CONNECT_DEADLINE_MS, connected, () => new EngineUnavailableError('Cassandra cluster'));
  } catch (error) {
    // The driver goes on connecting, and can be shut down only when it has ended.
    connected.then(
      () => client.shutdown(),
      () => undefined,
    );
    throw error instanceof EngineUnavailableError ? error : repeatableFailure('Cassandra cluster', error);
  }
}

/** Retries once, on another node, whatever failed: for requests that may be repeated. */
class OtherNodeOnce extends policies.retry.RetryPolicy {
  override onReadTimeout = otherNodeOnce;
  override onRequestError = otherNodeOnce;
  override onUnavailable = otherNodeOnce;
  override onWriteTimeout = otherNodeOnce;
}

function otherNodeOnce(
  this: policies.retry.RetryPolicy,
  { nbRetry }: policies.retry.OperationInfo,
  consistency: types.consistencies,
): policies.retry.DecisionInfo {
  return nbRetry + 1 < ATTEMPTS_MAX ? this.retryResult(consistency, false) : this.rethrowResult();
}

const REPEATABLE: QueryOptions = { isIdempotent: true, retry: new OtherNodeOnce() };
