import { ENGINE_VARIABLES, type EngineAddresses } from './addresses.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the addresses of Kafka, Cassandra and Redis for tests, or null if the environment names none.
 *
 * @throws {Error} when some of the variables are missing
 */
export function engineAddresses(variables: Variables = process.env): EngineAddresses | null {
  const addresses = {
    kafka: variables[ENGINE_VARIABLES.kafka] ?? '',
    cassandra: variables[ENGINE_VARIABLES.cassandra] ?? '',
    redis: variables[ENGINE_VARIABLES.redis] ?? '',
  };
  const names = Object.values(ENGINE_VARIABLES);
  const missing = names.filter((name) => (variables[name] ?? '') === '');
  if (missing.length === 0) return addresses;
  if (missing.length === names.length) return null;
  throw new Error(
    `finding the engines for tests: ${missing.join(', ')} not set; see \`npm run cluster -- up\``,
  );
}
