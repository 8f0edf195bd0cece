import { readSettings, SETTING_NAMES, type Settings } from './settings.ts';

/** Variables of Node itself that a deployment may set. */
const NODES_VARIABLES = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS'];

/** What stands for a secret that a deployment only refers to: long enough for a key, and an address for Redis. */
export function secretFor(name: string): string {
  return name === 'REDIS_URL' ? 'redis://:password@redis:6379' : 'a-secret-of-more-than-32-characters';
}

/**
 * The settings of a process that is deployed with such an environment.
 *
 * @throws {Error} naming variables that the service does not read.
 * @throws {SettingsError} as the process would when it starts.
 */
export function deployedSettings(environment: Readonly<Record<string, string>>): Settings {
  const known: readonly string[] = [...SETTING_NAMES, ...NODES_VARIABLES];
  const unknown = Object.keys(environment).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`deploying with ${unknown.join(', ')}: no such setting`);
  return readSettings(environment);
}
