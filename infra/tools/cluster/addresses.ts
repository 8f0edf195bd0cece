export const ENGINE_NAMES = ['kafka', 'cassandra', 'redis'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** The addresses of the engines for clients. */
export interface EngineAddresses {
  /** `host:port` of a Kafka broker. */
  readonly kafka: string;
  /** `host:port` of a Cassandra node. */
  readonly cassandra: string;
  /** A `redis://` URL. */
  readonly redis: string;
}

/** The variables that `npm run cluster -- up` prints and that tests on real engines read. */
export const ENGINE_VARIABLES = {
  kafka: 'SVC_TEST_KAFKA',
  cassandra: 'SVC_TEST_CASSANDRA',
  redis: 'SVC_TEST_REDIS',
} as const satisfies Record<EngineName, string>;

/**
 * The port that clients connect to, for each engine. Kafka's controller and Cassandra's messages between nodes take the
 * port after it.
 */
export type EnginePorts = Readonly<Record<EngineName, number>>;

/** Not the engines' own ports, so that this cluster stands beside another on the same machine. */
export const DEFAULT_PORTS: EnginePorts = { kafka: 19092, cassandra: 19042, redis: 16379 };

/** Nothing here asks for a password, so nothing of it is reachable from another machine. */
export const HOST = '127.0.0.1';

/** The name that Cassandra gives the only data center of a node that is told none. */
export const CASSANDRA_DATACENTER = 'datacenter1';

export function addressesOf(ports: EnginePorts): EngineAddresses {
  return {
    kafka: `${HOST}:${ports.kafka}`,
    cassandra: `${HOST}:${ports.cassandra}`,
    redis: `redis://${HOST}:${ports.redis}`,
  };
}
