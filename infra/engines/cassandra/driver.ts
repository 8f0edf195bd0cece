import { Client, type ClientOptions, policies, types } from 'cassandra-driver';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { nodeTlsOptions, type TlsOptions } from '../shared/tls.ts';
import { repairDriver } from './driver-repairs.ts';

export interface CassandraOptions {
  /** `address` or `address:port` of some nodes; the driver finds the others. */
  readonly contactPoints: readonly string[];
  /** Only nodes of this datacenter are asked, and quorums are counted in it. */
  readonly localDatacenter: string;
  /** Everything of ours lives in one keyspace. Lower-case letters, digits and underscores, at most 48. */
  readonly keyspace: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly tls?: TlsOptions;
  /** How long one node may take for one request. */
  readonly requestTimeoutMs?: number;
  /** Told of lost connections and the like; no text contains a customer's value. */
  readonly onWarning?: (message: string) => void;
}

/** The longest that one node may take for one request: well below the ten seconds that the gateway waits at most. */
export const REQUEST_TIMEOUT_MS = 3 * SECOND_MS;
const CONNECT_TIMEOUT_MS = 2 * SECOND_MS;

/** A connection on which nothing was sent for so long is asked for a sign of life. */
const HEARTBEAT_MS = 5 * SECOND_MS;
/** A connection with more requests than this that got no answer in time is given up and made anew. */
const UNANSWERED_MAX = 2;
/** Pauses between attempts to reconnect to a node: they double up to the bound, and attempts never end. */
const RECONNECT_FIRST_MS = 250;
const RECONNECT_MS_MAX = 5 * SECOND_MS;

const CONNECTIONS_A_HOST = 2;
/** What goes beyond is refused at once instead of being queued. */
const REQUESTS_A_CONNECTION_MAX = 1_024;

const KEYSPACE = /^[a-z][a-z0-9_]{0,47}$/;

/**
 * Makes a client of the driver. It prepares every statement, pages nothing, retries nothing, asks for quorums of the
 * local datacenter and reports to nobody; 64-bit integers are BigInts in both directions.
 *
 * @throws {RangeError} when the keyspace has a name that would need quotes.
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
    // Nought is no paging: what is to be seen as of one moment has to come in one answer.
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
  // The newest that Cassandra and the driver both speak. Left to itself, the driver begins with one that Cassandra refuses,
  // misreads the refusal's rest where TLS delivers it together, and throws where nobody can catch it.
  protocolOptions: { maxVersion: types.protocolVersion.v4 },
  // Only our own keyspace is looked at, once after connecting, for the routing to replicas.
  isMetadataSyncEnabled: false,
} satisfies Partial<ClientOptions>;

/** Options that the driver's types leave out. */
const UNTYPED_OPTIONS = { monitorReporting: { enabled: false } };

function connectionOptions(options: CassandraOptions) {
  const { credentials, tls, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  return {
    contactPoints: [...options.contactPoints],
    localDataCenter: options.localDatacenter,
    // The default stops trying for up to ten minutes.
    policies: {
      reconnection: new policies.reconnection.ExponentialReconnectionPolicy(
        RECONNECT_FIRST_MS,
        RECONNECT_MS_MAX,
        false,
      ),
      // The default retries some conditional writes, whose outcome would then be lost (design rule 4).
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
