import { readSettings, SETTING_NAMES, type Settings } from './settings.ts';

/** A stand-in for a secret that a deployment only refers to: long enough for a key. */
export const SECRET = 'a-secret-of-more-than-32-characters';

/** A stand-in for a file that a deployment mounts. All of them hold certificates. */
const FILE = '-----BEGIN CERTIFICATE-----';

/**
 * The settings of a process that is deployed with such an environment.
 *
 * @throws {Error} naming variables that the service does not read.
 * @throws {SettingsError} as the process would when it starts.
 */
export function deployedSettings(environment: Readonly<Record<string, string>>): Settings {
  const names: readonly string[] = SETTING_NAMES;
  const isFile = (name: string) => !names.includes(name) && names.includes(name.replace(/_FILE$/, ''));
  const unknown = Object.keys(environment).filter((name) => !names.includes(name) && !isFile(name));
  if (unknown.length > 0) throw new Error(`deploying with ${unknown.join(', ')}: no such setting`);
  const entries = Object.entries(environment).map(([name, value]) =>
    isFile(name) ? [name.replace(/_FILE$/, ''), FILE] : [name, value],
  );
  return readSettings(Object.fromEntries(entries));
}
