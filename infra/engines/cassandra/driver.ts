import { Client, type ClientOptions, policies, types } from 'cassandra-driver';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { nodeTlsOptions, type TlsOptions } from '../shared/tls.ts';
import { repairDriver } from './driver-repairs.ts';

export interface CassandraOptions {
  /** `address` or `address:port` of some nodes; the driver discovers the others. */
  readonly contactPoints: readonly string[];
  /** Requests go to nodes of this datacenter only, and quorums are counted in it. */
  readonly localDatacenter: string;
  /** The keyspace of all tables. Lower-case letters, digits and underscores, at most 48. */
  readonly keyspace: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly tls?: TlsOptions;
  /** Timeout of one request to one node, in milliseconds. */
  readonly requestTimeoutMs?: number;
  /** Receives lost connections and similar events; no text contains a customer's value. */
  readonly onWarning?: (message: string) => void;
}

/** Timeout of one request to one node: well below the ten seconds that the gateway waits at most. */
export const REQUEST_TIMEOUT_MS = 3 * SECOND_MS;
const CONNECT_TIMEOUT_MS = 2 * SECOND_MS;

/** Time without requests after which the driver sends a heartbeat on a connection. */
const HEARTBEAT_MS = 5 * SECOND_MS;
/** Unanswered requests above which a connection is closed and replaced. */
const UNANSWERED_MAX = 2;
/** Pauses between attempts to reconnect to a node: doubled up to the bound, without a limit of attempts. */
const RECONNECT_FIRST_MS = 250;
const RECONNECT_MS_MAX = 5 * SECOND_MS;

const CONNECTIONS_A_HOST = 2;
/** Requests above this bound are rejected at once instead of queued. */
const REQUESTS_A_CONNECTION_MAX = 1_024;

const KEYSPACE = /^[a-z][a-z0-9_]{0,47}$/;

/**
 * Creates a client of the driver. It prepares every statement, does not page or retry, reads and writes at quorums of
 * the local datacenter, and sends no usage reports. 64-bit integers are BigInts in both directions.
 *
 * @throws {RangeError} if the name of the keyspace would need quotes
 */
export function createClient(options: CassandraOptions): Client {
  if (!KEYSPACE.test(options.keyspace)) {
    throw new RangeError(
      `naming the keyspace: ${KEYSPACE.source} is allowed, seen ${JSON.stringify(options.keyspace)}`,
    );
  }
  repairDriver();
  const client = new Client({ ...FIXED_OPTIONS, ...UNTYPED_OPTIONS, ...connectionOptions(options) });
  client.on('log', (level: string, _source: string, message: string) => {
    if (level === 'warning' || level === 'error') options.onWarning?.(message);
  });
  return client;
}

const FIXED_OPTIONS = {
  queryOptions: {
    prepare: true,
    consistency: types.consistencies.localQuorum,
    serialConsistency: types.consistencies.localSerial,
    // 0 disables paging: rows that have to be of one moment have to arrive in one answer.
    fetchSize: 0,
    isIdempotent: false,
  },
  pooling: {
    heartBeatInterval: HEARTBEAT_MS,
    coreConnectionsPerHost: {
      [types.distance.local]: CONNECTIONS_A_HOST,
      [types.distance.remote]: 1,
      [types.distance.ignored]: 0,
    },
    maxRequestsPerConnection: REQUESTS_A_CONNECTION_MAX,
  },
  encoding: { useBigIntAsLong: true },
  // The newest version that Cassandra and the driver share. By default, the driver begins with a version that
  // Cassandra rejects. Over TLS it misreads the rest of that answer, and throws where no code can catch it.
  protocolOptions: { maxVersion: types.protocolVersion.v4 },
  // The driver reads the metadata of our keyspace only, once after connecting, to route requests to replicas.
  isMetadataSyncEnabled: false,
} satisfies Partial<ClientOptions>;

/** Options that the driver's types lack. */
const UNTYPED_OPTIONS = { monitorReporting: { enabled: false } };

function connectionOptions(options: CassandraOptions) {
  const { credentials, tls, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  return {
    contactPoints: [...options.contactPoints],
    localDataCenter: options.localDatacenter,
    // The default stops reconnecting for up to ten minutes.
    policies: {
      reconnection: new policies.reconnection.ExponentialReconnectionPolicy(
        RECONNECT_FIRST_MS,
        RECONNECT_MS_MAX,
        false,
      ),
      // The default retries some conditional writes, whose outcome would then be lost
      // (infra/docs/decisions/0002-one-conditional-batch-per-commit.md).
      retry: new policies.retry.FallthroughRetryPolicy(),
    },
    socketOptions: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      readTimeout: requestTimeoutMs,
      defunctReadTimeoutThreshold: UNANSWERED_MAX,
    },
    ...(credentials && { credentials: { username: credentials.user, password: credentials.password } }),
    ...(tls && { sslOptions: nodeTlsOptions(tls) }),
  } satisfies ClientOptions;
}
