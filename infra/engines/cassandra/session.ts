import { type Client, policies, type QueryOptions, types } from 'cassandra-driver';
import { Semaphore } from '../../../schemas/base/semaphore.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { type CassandraOptions, createClient, REQUEST_TIMEOUT_MS } from './driver.ts';
import { conditionalFailure, repeatableFailure, unavailable } from './failures.ts';

/** A statement, prepared under its text, and the values of its markers. 64-bit integers are BigInts. */
export interface Statement {
  readonly query: string;
  readonly params: readonly unknown[];
}

/**
 * LOCAL_SERIAL completes conditional writes that are under way
 * (infra/docs/decisions/0002-one-conditional-batch-per-commit.md).
 */
export type ReadLevel = 'LOCAL_QUORUM' | 'LOCAL_SERIAL';

/** Timeout of connecting, over all contact points. */
const CONNECT_DEADLINE_MS = 10 * SECOND_MS;

const PROBE = 'SELECT key FROM system.local';

/**
 * Reads under way, half of what the driver sends to a node: it rejects further requests at once, and a burst of one caller's reads
 * must neither fail another's nor a commit. Further reads wait, within their timeout.
 */
const READS_UNDER_WAY_MAX = 1_024;
const READS_WAITING_MAX = 10_000;

/** Nodes that receive a repeatable request at most. */
const ATTEMPTS_MAX = 2;

const CONSISTENCIES = {
  LOCAL_QUORUM: types.consistencies.localQuorum,
  LOCAL_SERIAL: types.consistencies.localSerial,
} as const;

/**
 * A connected client with the guarantees of our ports: every call ends within its timeout, and its error says what is
 * known of the request. The session reconnects to lost nodes by itself.
 */
export class CassandraSession {
  readonly keyspace: string;
  readonly #client: Client;
  readonly #deadlineMs: number;
  readonly #reads = new Semaphore({
    runningMax: READS_UNDER_WAY_MAX,
    waitingMax: READS_WAITING_MAX,
    refuse: () => unavailable('reads'),
  });
  #probing = false;

  private constructor(client: Client, options: CassandraOptions) {
    this.#client = client;
    this.keyspace = options.keyspace;
    // Preparing a statement and sending it may each take the timeout of a request, and so may both on a second node.
    this.#deadlineMs = ATTEMPTS_MAX * (options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
  }

  /**
   * @throws {EngineUnavailableError} if within {@link CONNECT_DEADLINE_MS} no contact point answers, presents a
   * trusted certificate, accepts the user and knows the datacenter; the cause says which
   */
  static async open(options: CassandraOptions): Promise<CassandraSession> {
    const client = createClient(options);
    await connect(client);
    // Reads the replicas of the keys, so that requests go straight to one of them.
    await client.metadata.refreshKeyspace(options.keyspace);
    return new CassandraSession(client, options);
  }

  /** Returns the full name of a table, for statements. */
  table(name: string): string {
    return `${this.keyspace}."${name}"`;
  }

  /**
   * Reads, from a second node if the first one fails.
   *
   * @throws {EngineUnavailableError} if no answer arrives in time
   */
  async read(engine: string, { query, params }: Statement, level: ReadLevel): Promise<types.Row[]> {
    const options = { ...REPEATABLE, consistency: CONSISTENCIES[level] };
    const sent = this.#reads.run(() => this.#client.execute(query, [...params], options));
    const { rows } = await this.#repeatably(engine, sent);
    return rows;
  }

  /**
   * Writes repeatable statements; atomically if they are in one partition.
   *
   * @throws {EngineUnavailableError} if no answer arrives in time; the write may have happened
   */
  async write(engine: string, statements: readonly Statement[]): Promise<void> {
    const batch = statements.map(({ query, params }) => ({ query, params: [...params] }));
    await this.#repeatably(engine, this.#client.batch(batch, { ...REPEATABLE, logged: false }));
  }

  /**
   * Writes a conditional batch of one partition, sent to one node and never retried.
   *
   * @returns null if it was applied, or the row that did not meet the condition
   * @throws {CommitUnknownError} if no answer arrives in time, or the answer leaves open whether it was applied
   * @throws {EngineUnavailableError} if it was not sent
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

  /**
   * Closes the connections. Running requests fail as if the connections were lost; later calls are rejected as
   * unavailable.
   */
  async close(): Promise<void> {
    await this.#client.shutdown();
  }

  async #repeatably<Result>(engine: string, sent: Promise<Result>): Promise<Result> {
    try {
      return await withTimeout(this.#deadlineMs, sent, () => unavailable(engine));
    } catch (error) {
      this.#probe();
      throw error instanceof EngineUnavailableError ? error : repeatableFailure(engine, error);
    }
  }

  /**
   * Probes a connection in the background, one at a time. The driver counts unanswered requests of a connection, but
   * checks the count only when a prepared request is late, and sends no heartbeat on a connection that is written to.
   * Without the probe it could keep a silently dead connection for ever.
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
 * @throws {EngineUnavailableError} if no contact point answers
 */
export async function connect(client: Client): Promise<void> {
  const connected = client.connect();
  try {
    await withTimeout(CONNECT_DEADLINE_MS, connected, () => new EngineUnavailableError('Cassandra cluster'));
  } catch (error) {
    // The driver continues to connect, and can be shut down only after that.
    connected.then(
      () => client.shutdown(),
      () => undefined,
    );
    throw error instanceof EngineUnavailableError ? error : repeatableFailure('Cassandra cluster', error);
  }
}

/** Retries once on another node after any failure: for repeatable requests. */
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
