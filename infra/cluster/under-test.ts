/** Where tests find running engines. */
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
} as const satisfies Record<keyof EngineAddresses, string>;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where Kafka, Cassandra and Redis answer for tests, or null when this machine runs none. On CI there is no null: a run
 * that left the engines out in silence would prove nothing about them.
 *
 * @throws {Error} when some of the variables are missing, or all of them with `CI=true`.
 */
export function engineAddresses(variables: Variables = process.env): EngineAddresses | null {
  const addressOf = (engine: keyof EngineAddresses): string => variables[ENGINE_VARIABLES[engine]] ?? '';
  const addresses = {
    kafka: addressOf('kafka'),
    cassandra: addressOf('cassandra'),
    redis: addressOf('redis'),
  };
  const names = Object.values(ENGINE_VARIABLES);
  const missing = names.filter((name) => (variables[name] ?? '') === '');
  if (missing.length === 0) return addresses;
  if (missing.length === names.length && variables['CI'] !== 'true') return null;
  throw new Error(
    `finding the engines for tests: ${missing.join(', ')} not set; see \`npm run cluster -- up\``,
  );
}
